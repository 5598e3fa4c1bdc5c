"""Sparse rows, and the files they come in."""

import io

import numpy as np
from scipy import sparse
from sklearn.datasets import dump_svmlight_file


def rows(n=60, m=9, seed=0):
    """Sparse rows, and labels that their second column tells."""
    rng = np.random.default_rng(seed)
    X = sparse.random_array((n, m), density=0.4, rng=rng, format="csr")
    return X, (X[:, [1]].toarray().ravel() > 0).astype(int)


def as_svmlight(X, y, **options):
    """Rows as SVMlight text that numbers columns from one."""
    buffer = io.BytesIO()
    dump_svmlight_file(X, y, buffer, zero_based=False, **options)
    return buffer.getvalue()


def as_npz(X, form="csr", **beside):
    """Rows as scipy saves them, and columns beside them."""
    buffer, parts = io.BytesIO(), X.asformat(form)
    np.savez_compressed(
        buffer,
        format=np.array(form.encode()),
        shape=np.array(parts.shape),
        data=parts.data,
        indices=parts.indices,
        indptr=parts.indptr,
        **beside,
    )
    return buffer.getvalue()
