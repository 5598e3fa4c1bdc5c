"""What a message packs stays small when it is unpacked."""

import base64
import gzip

import numpy as np
import pytest
from bokeh.core.serialization import Deserializer, Serializer

from explorer.serving.unpacking import MAX_BYTES, bound_unpacking
from tests.fuzz.bounded import bounded


@pytest.fixture(autouse=True)
def _bounded():
    bound_unpacking()


def packed(data):
    return {"type": "bytes", "data": base64.b64encode(gzip.compress(data)).decode()}


def array(dtype, *cells):
    shape = [len(cells)]
    return {"type": "ndarray", "array": [*cells], "shape": shape, "dtype": dtype} | {
        "order": "little"
    }


def test_packed_bytes_are_unpacked():
    assert Deserializer().deserialize(packed(b"some" * 999)) == b"some" * 999


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float64", "bool"])
def test_arrays_of_every_kind_come_back(dtype):
    values = np.arange(6).astype(dtype).reshape(2, 3)
    again = Deserializer().deserialize(Serializer().serialize(values))
    assert again.dtype == values.dtype
    assert np.array_equal(again, values)


@pytest.mark.parametrize(
    "bomb",
    [
        lambda: packed(bytes(20 * MAX_BYTES)),
        lambda: packed(bytes(1000)) | {"data": packed(bytes(1000))["data"][:16]},
        lambda: array("U200000000", "a"),
        lambda: array("S800000000", "a"),
        lambda: array("V800000000", 1),
        lambda: array("<f8", 1.0),
    ],
)
def test_a_bomb_is_refused_in_little_memory(bomb):
    message = bomb()
    refused = pytest.raises(ValueError, match=r"Packed bytes|An array is")
    with bounded(megabytes=3 * MAX_BYTES / 1e6), refused:
        Deserializer().deserialize(message)
