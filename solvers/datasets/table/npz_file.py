"""Sparse rows as scipy saves them, with further columns in the same archive."""

from __future__ import annotations

import io
import sys
import zipfile
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from scipy import sparse

from ...errors import InterchangeError
from ...interchange import shown
from .bounds import DAMAGES, refuse_bomb, whole_file
from .sparse_rows import (
    SparseRows,
    as_floats,
    refuse_huge_rows,
    refuse_wild_places,
)

__all__ = ["is_npz", "parse_npz", "read_array", "read_arrays"]

_PARTS = ("format", "shape", "data", "indices", "indptr")
_NAMES = "feature_names"


def is_npz(data: bytes) -> bool:
    """Return whether bytes are an archive of arrays."""
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return any(name.endswith(".npy") for name in archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return False


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
