"""Sparse rows, and the files that hold them: SVMlight, and npz of scipy.sparse."""

from __future__ import annotations

import io
import itertools
import re
import sys
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from ...costs.interchange import shown
from ...errors import InterchangeError
from ...numerics.arrays import Floats
from .bounds import DAMAGES, MAX_COLUMNS, refuse_bomb, whole_file, zipped_names

if TYPE_CHECKING:
    import pyarrow as pa

MAX_SPARSE_ROWS = 10_000_000
MAX_SPARSE_COLUMNS = 1_000_000
MAX_STORED = 50_000_000  # values that are not zero: 600 MB with their places


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A sparse table, and the columns that stand beside it."""

    X: sparse.csr_array  # (n_rows, n_columns)
    names: tuple[str, ...]  # Of the columns of X
    beside: dict[str, NDArray]  # Labels and roles, (n_rows,) each

    def fits(self, max_cells: int) -> bool:
        """Whether the table may be written out, zeros included."""
        n_rows, n_columns = self.X.shape
        return n_columns < MAX_COLUMNS and n_rows * n_columns <= max_cells

    def table(self) -> pa.Table:
        """Return the table with its zeros written out."""
        import pyarrow as pa

        by_column = sparse.csc_array(self.X)
        columns: list[Any] = [
            pa.array(by_column[:, [j]].toarray().ravel())
            for j in range(by_column.shape[1])
        ]
        beside = self.beside_table()
        return pa.Table.from_arrays(
            [*columns, *beside.columns], names=[*self.names, *beside.column_names]
        )

    def beside_table(self) -> pa.Table:
        """Return the columns that are not sparse."""
        import pyarrow as pa

        return pa.table({name: pa.array(v) for name, v in self.beside.items()})


def refuse_huge_rows(n_rows: int, n_columns: int, n_stored: int) -> None:
    """Refuse sparse rows that would not fit into memory, before they are read."""
    for n, most, what in (
        (n_rows, MAX_SPARSE_ROWS, "rows"),
        (n_columns, MAX_SPARSE_COLUMNS, "columns"),
        (n_stored, MAX_STORED, "values other than zero"),
    ):
        if n > most:
            raise InterchangeError(
                f"The file announces {n:,} {what}; at most {most:,} are read, so leave "
                "some out."
            )


def refuse_wild_places(found: sparse.csr_array | sparse.csc_array) -> None:
    """Raise ValueError where a matrix points beyond itself.

    SciPy's kernels read and write wherever its pointers lead.
    """
    # Looked at by SciPy only where the last pointer leaves any value.
    if found.indptr[-1] < 0 or (np.diff(found.indptr) < 0).any():
        raise ValueError("its rows or columns run backwards")
    found.check_format(full_check=True)


def as_floats(values: NDArray) -> Floats:
    """Return the stored values of sparse rows as floats; refuse what is no number."""
    if values.dtype.kind not in "biuf":
        raise InterchangeError(
            f"The values are of type {values.dtype}; save them as numbers."
        )
    return values.astype(np.float64)


_PARTS = ("format", "shape", "data", "indices", "indptr")
_NAMES = "feature_names"


def is_npz(data: bytes) -> bool:
    """Return whether bytes are an archive of arrays."""
    return any(name.endswith(".npy") for name in zipped_names(data))


def parse_npz(data: bytes) -> SparseRows:
    """Return the matrix of ``scipy.sparse.save_npz`` and the columns beside it.

    Other arrays of one value a row, such as ``y``, are columns by their names;
    ``feature_names`` names the columns of the matrix. No pickle is ever loaded.
    """
    with whole_file("no archive of arrays", "save it again", *DAMAGES):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            arrays = read_arrays(archive)
    rows = _matrix(arrays)
    n_rows, n_columns = rows.shape
    named = arrays.pop(_NAMES, None)
    names = _named(named, n_columns)
    beside = {
        name: _as_column(name, values)
        for name, values in arrays.items()
        if name not in _PARTS and values.shape == (n_rows,)
    }
    return SparseRows(rows, names, beside)


def read_arrays(archive: zipfile.ZipFile) -> dict[str, NDArray]:
    """Return the arrays of an archive, once their sizes are known to be bearable."""
    members = [info for info in archive.infolist() if info.filename.endswith(".npy")]
    refuse_bomb(sum(info.file_size for info in members))
    arrays = {}
    for info in members:
        with archive.open(info) as file:
            array = read_array(file, info.file_size, info.filename)
        arrays[info.filename.removesuffix(".npy")] = array
    return arrays


def read_array(file: Any, n_bytes: int, name: str) -> NDArray:
    """Return the array of a file of so many bytes, which announces no more than that.

    No pickle is ever loaded.
    """
    version = npy.read_magic(file)
    read: Any = {
        (1, 0): npy.read_array_header_1_0,
        (2, 0): npy.read_array_header_2_0,
    }
    if version not in read:
        raise ValueError(f"version {version} of an array")
    shape, _, dtype = read[version](file)
    if dtype.hasobject or dtype.names:
        raise InterchangeError(
            f"The array {shown(name)} holds Python objects or records, which are never "
            "loaded; save numbers and texts."
        )
    n_values = int(np.prod(shape, dtype=object)) if shape else 1
    # NumPy allocates what the header announces before it reads.
    if min(shape, default=0) < 0 or n_values * max(1, dtype.itemsize) > n_bytes:
        raise ValueError(f"{shown(name)} announces more than it holds")
    file.seek(0)
    array = np.asarray(npy.read_array(file, allow_pickle=False))
    if array.dtype.kind == "U" and array.size:
        codes = np.ascontiguousarray(array).view(f"{dtype.byteorder}u4")
        if codes.max() > sys.maxunicode:
            raise ValueError(f"{shown(name)} holds what is no character")
    return array


def _matrix(arrays: dict[str, NDArray]) -> sparse.csr_array:
    if not all(name in arrays for name in _PARTS):
        raise InterchangeError(
            f"The archive holds the arrays {', '.join(map(shown, arrays))}, and no "
            "sparse matrix; write it by scipy.sparse.save_npz."
        )
    form = arrays["format"].item() if arrays["format"].size == 1 else ""
    form = form.decode("ascii", "replace") if isinstance(form, bytes) else str(form)
    makers = {"csr": sparse.csr_array, "csc": sparse.csc_array}
    if form not in makers:
        raise InterchangeError(
            f"The sparse matrix is stored as {shown(form)}; save it as CSR or CSC."
        )
    if arrays["shape"].shape != (2,) or arrays["shape"].dtype.kind not in "iu":
        raise InterchangeError("The sparse matrix has no shape; save it again.")
    n_rows, n_columns = (int(n) for n in arrays["shape"])
    refuse_huge_rows(n_rows, n_columns, arrays["data"].size)
    parts = as_floats(arrays["data"]), arrays["indices"], arrays["indptr"]
    try:
        found = makers[form](parts, shape=(n_rows, n_columns))
        refuse_wild_places(found)
    except (ValueError, TypeError, IndexError) as error:
        raise InterchangeError(
            f"The sparse matrix is damaged ({shown(str(error))}); save it again."
        ) from error
    rows = sparse.csr_array(found)
    rows.sum_duplicates()
    return rows


def _named(given: NDArray | None, n_columns: int) -> tuple[str, ...]:
    if given is None:
        return tuple(f"x{j}" for j in range(n_columns))
    if given.shape != (n_columns,):
        raise InterchangeError(
            f"There are {given.size:,} feature_names for {n_columns:,} columns; give "
            "one each."
        )
    return tuple(str(name) for name in _as_column(_NAMES, given))


def _as_column(name: str, values: NDArray) -> NDArray:
    if values.dtype.kind == "S":
        return np.char.decode(values, "utf-8", "replace")
    if values.dtype.kind not in "biufU":
        raise InterchangeError(
            f"The array {shown(name)} is of type {values.dtype}; save numbers or texts."
        )
    return values


_NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_LINE = re.compile(
    rb"\s*%b(?:\s+qid:\d+)?(?:\s+\d+:%b)*\s*(?:#.*)?\s*" % (_NUMBER, _NUMBER)
)
_LOOKED_AT = 20  # lines, of which one may be without a value
LABEL, GROUP = "label", "qid"


def is_svmlight(data: bytes) -> bool:
    """Return whether text is rows of a label and of ``index:value`` pairs."""
    head = io.BytesIO(data[:100_000])
    lines = [one for one in itertools.islice(head, _LOOKED_AT) if not _is_empty(one)]
    if len(data) > 100_000 and len(lines) > 1:
        lines.pop()  # it may be cut
    return any(b":" in one.partition(b"#")[0] for one in lines) and all(
        _LINE.fullmatch(one) for one in lines
    )


def parse_svmlight(data: bytes) -> SparseRows:
    """Return the rows of a text; column j is called as it is numbered there, ``xj``."""
    refuse_huge_rows(data.count(b"\n") + 1, 0, data.count(b":"))
    try:
        # From zero: else columns would be renumbered where the first one is empty.
        X, y, groups = load_svmlight_file(
            io.BytesIO(data), zero_based=True, query_id=True
        )
    except (ValueError, OverflowError) as error:
        raise InterchangeError(
            f"The file begins as SVMlight rows do, but does not go on so "
            f"({shown(str(error))}); write each row as label index:value ..., indices "
            "in order."
        ) from error
    rows = sparse.csr_array(X)
    refuse_huge_rows(rows.shape[0], rows.shape[1], rows.nnz)
    names = tuple(f"x{j}" for j in range(rows.shape[1]))
    if rows.shape[1] and not np.any(rows.indices == 0):  # numbered from one
        rows, names = rows[:, 1:], names[1:]
    beside = {LABEL: y}
    if len(groups) == len(y) and np.any(groups):
        beside[GROUP] = groups
    return SparseRows(rows, names, beside)


def _is_empty(line: bytes) -> bool:
    return not line.partition(b"#")[0].strip()
