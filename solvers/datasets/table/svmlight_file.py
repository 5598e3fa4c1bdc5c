"""Sparse rows in text, as SVMlight and LIBSVM write them."""

from __future__ import annotations

import io
import itertools
import re

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from ...errors import InterchangeError
from ...interchange import shown
from .sparse_rows import SparseRows, refuse_huge_rows

__all__ = ["is_svmlight", "parse_svmlight"]

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
