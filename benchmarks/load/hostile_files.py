"""Files that are small or dull, and cost a reader as much as they can."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa
from pyarrow import parquet

__all__ = ["HostileFile", "hostile_files"]

MB = 1024 * 1024


@dataclass(frozen=True)
class HostileFile:
    """A file, and where it is uploaded."""

    page: str  # On which the input is
    label: str  # With which that of the input begins
    name: str
    content: Callable[[], bytes]


def hostile_files() -> dict[str, HostileFile]:
    """Return files by what they are."""
    table, graph = ("problem", "Table"), ("problem", "Load a hypergraph (")
    network = ("trimming", "Open BIF")
    made: dict[str, tuple[tuple[str, str], str, Callable[[], bytes]]] = {
        "BIF of variables": (network, "a.bif", lambda: b"variable a {\n" * 19_400),
        "BIF of 4 MB of brackets": (network, "b.bif", lambda: b"[" * 4 * MB),
        "NET of potentials": (network, "a.net", lambda: b"potential (a|b) {" * 9_000),
        "XMLBIF with a default": (network, "a.xml", _xml),
        "BIF of 3 GB, packed": (network, "a.bif.gz", lambda: _packed(3_000 * MB)),
        "CSV of 15,000 columns": (table, "wide.csv", lambda: _wide(200, 15_000)),
        "CSV of 63 MB": (table, "long.csv", lambda: _long(63 * MB)),
        "CSV of a huge cell": (table, "cell.csv", lambda: _cell(60 * MB)),
        "Parquet of equal rows": (table, "a.parquet", lambda: _parquet(40_000_000)),
        "Excel of 3 GB": (table, "a.xlsx", lambda: _workbook(3_000 * MB)),
        "JSON of brackets": (graph, "deep.json", lambda: b"[" * 60 * MB),
        "HIF of 400,000 incidences": (graph, "a.json", lambda: _hif(2_000, 200)),
        "HIF of equal nodes": (graph, "b.json", lambda: _nodes(60 * MB)),
        "costs of 19,000 features": (graph, "a.csv", lambda: _costs(19_000)),
    }
    return {
        what: HostileFile(*place, name, content)
        for what, (place, name, content) in made.items()
    }


def _cell(n_bytes: int) -> bytes:
    return b"a,b\n%b,1\n" % (b"x" * n_bytes)


def _xml() -> bytes:
    attlist = f"<!DOCTYPE BIF [<!ATTLIST X A CDATA '{'a' * 400_000}'>]>"
    return f"{attlist}<BIF>{'<X/>' * 100_000}</BIF>".encode()


def _packed(n_bytes: int) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb") as file:
        for _ in range(n_bytes // MB):
            file.write(b" " * MB)
    return buffer.getvalue()


def _wide(rows: int, columns: int) -> bytes:
    head = ",".join(f"c{j}" for j in range(columns))
    lines = (",".join(str(i * j % 97) for j in range(columns)) for i in range(rows))
    body = "\n".join(f"{line},{'ab'[i % 2]}" for i, line in enumerate(lines))
    return f"{head},kind\n{body}\n".encode()


def _long(n_bytes: int) -> bytes:
    block = b"".join(
        b"%d,%d.5,w%d,%s\n" % (k, k % 97, k % 89, b"ab"[k % 2 :][:1])
        for k in range(10_000)
    )
    return b"a,b,c,kind\n" + block * (n_bytes // len(block))


def _parquet(rows: int) -> bytes:
    buffer = io.BytesIO()
    columns = {"a": pa.nulls(rows, pa.float64()), "kind": pa.nulls(rows, pa.int8())}
    parquet.write_table(pa.table(columns), buffer, compression="zstd")
    return buffer.getvalue()


def _workbook(n_bytes: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("xl/workbook.xml", "<workbook/>")
        with book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(n_bytes // MB):
                sheet.write(b"<row/>" * (MB // 6))
    return buffer.getvalue()


def _hif(features: int, components: int) -> bytes:
    incidences = [
        {"edge": f"c{i}", "node": f"f{j}"}
        for i in range(components)
        for j in range(features)
    ]
    edges = [{"edge": f"c{i}", "attrs": {"cost": 1.0}} for i in range(components)]
    return json.dumps({"incidences": incidences, "edges": edges}).encode()


def _nodes(n_bytes: int) -> bytes:
    node = b'{"node":"f"},'
    return b'{"incidences":[],"nodes":[' + node * (n_bytes // len(node)) + b"{}]}"


def _costs(n: int) -> bytes:
    return b"feature,cost_us\n" + b"".join(b"f%d,%d\n" % (k, k % 9) for k in range(n))
