"""Mutations inside of containers, whose frames stay whole so that readers get there."""

import copy
import io
import json
import struct
import zipfile

import numpy as np

from tests.fuzz.grammars import rearranged
from tests.fuzz.test_files import mutated

_ODD = (
    *(None, True, -1, 0, 10**30, 1e308, float("nan"), "", "x" * 999, "\ud800", [], {}),
    *([[]], "__main__", "builtins", "os.system", "numpy.ndarray", "../../etc", "a\0b"),
)
FEW = 5_000  # characters of a member that is taken for text


def repacked(data: bytes, rng: np.random.Generator) -> bytes:
    """Return an archive with one member broken, dropped, doubled or renamed.

    Its sums are right again: a workbook, a model of skops, an npz.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(item.filename, archive.read(item)) for item in archive.infolist()]
    at = int(rng.integers(len(members)))
    name, content = members[at]
    match rng.integers(6):
        case 0:
            del members[at]
        case 1:
            members[at] = (members[int(rng.integers(len(members)))][0] + "x", content)
        case 2:
            members[at] = (name, members[int(rng.integers(len(members)))][1])
        case _:
            members[at] = (name, _broken(content, rng))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def _broken(content: bytes, rng: np.random.Generator) -> bytes:
    if content[:1] in (b"{", b"[") and rng.random() < 0.7:
        return revalued(content, rng)
    if content[:1] in (b"{", b"[", b"<") and len(content) < FEW:
        return rearranged(content, rng)
    return mutated(content, rng) if content else b"\0"


def revalued(data: bytes, rng: np.random.Generator) -> bytes:
    """Return JSON in which a few values are odd, another's, or gone."""
    document = json.loads(data)
    for _ in range(rng.integers(1, 4)):
        places = [*_places(document)]
        if not places:
            break
        inside, key = places[rng.integers(len(places))]
        other, its_key = places[rng.integers(len(places))]
        match rng.integers(4):
            case 0:
                inside[key] = json.loads(json.dumps(other[its_key]))
            case 1:
                del inside[key]
            case _:
                inside[key] = copy.deepcopy(_ODD[rng.integers(len(_ODD))])
    return json.dumps(document).encode()


def _places(value):
    """Yield what holds a value, and under which key, wherever one stands."""
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from _places(value[key])


def refooted(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a Parquet file with a few bytes of its footer changed, or of a page."""
    (n,) = struct.unpack("<I", data[-8:-4])
    start = len(data) - 8 - n
    first, end = (start, len(data) - 8) if rng.random() < 0.8 else (4, start)
    broken = bytearray(data)
    for at in rng.integers(first, end, rng.integers(1, 5)):
        broken[at] = rng.integers(256)
    if rng.random() < 0.2:  # a footer of another length
        broken[-8:-4] = struct.pack("<I", int(rng.integers(2**32)))
    return bytes(broken)


def remessaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Return an Arrow file whose lengths and offsets are others here and there."""
    broken = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        at = 8 + 4 * int(rng.integers((len(data) - 16) // 4))
        value = rng.choice([0, 1, -1, 2**31 - 1, -(2**31), int(rng.integers(2**16))])
        broken[at : at + 4] = struct.pack("<i", int(value))
    return bytes(broken)
