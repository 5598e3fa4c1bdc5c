"""Sparse rows in files: SVMlight text, and what scipy saves."""

import io
import zipfile

import numpy as np
import pytest
from scipy import sparse

from solvers import FeatureHypergraph, trace_frontier
from solvers.datasets import open_table, read_table
from solvers.datasets.table import files
from solvers.errors import DataError
from solvers.methods.l1 import L1Classifier
from tests.datasets.sparse_files import as_npz, as_svmlight, rows
from tests.each import each
from tests.fuzz.refusal import is_one_sentence, refusal


@pytest.fixture
def large(monkeypatch):
    """Tables above a hundred cells count as too large for their zeros."""
    monkeypatch.setattr(files, "MAX_CELLS", 100)


@each("write", [as_svmlight, lambda X, y: as_npz(X, label=y)])
def test_large_rows_stay_sparse_and_are_the_same(write, large):
    X, y = rows()
    data = write(X, y)
    said = refusal(lambda: open_table(data))  # as a screen does
    assert "60 sparse rows of 9 columns" in said
    assert is_one_sentence(said)
    found = read_table(data, "label")
    assert isinstance(found.X, sparse.csr_array)
    assert np.allclose(found.X.toarray(), X.toarray())
    assert found.y.tolist() == y.tolist()
    assert found.unit == "features"


def test_sparse_columns_are_matched_to_prices_by_name(large):
    X, y = rows()
    prices = FeatureHypergraph.independent([3.0, 1.0], ["x5", "x1"], unit="us")
    data = as_npz(X, label=y)
    with pytest.raises(DataError, match="No cost is known of columns 'x0', 'x2'"):
        read_table(data, "label", hypergraph=prices)
    found = read_table(
        data, "label", hypergraph=prices, missing="drop", leave_out=["x1"]
    )
    assert found.feature_names == ("x5",)
    assert np.array_equal(found.X.toarray(), X[:, [5]].toarray())
    found = read_table(data, "label", costs={"x5": 2.0}, missing="free")
    assert found.hypergraph.total_cost == 2.0
    assert found.n_features == 9


def test_columns_without_a_value_and_rows_without_a_label_are_told(large):
    X, y = rows()
    X = X.tolil()
    X[:, 4] = 0
    labels = np.where(np.arange(60) < 5, "", np.where(y, "b", "a"))
    found = read_table(as_npz(X.tocsr(), label=labels, seen=y), "label")
    assert found.n_samples == 55
    assert "x4" not in found.feature_names
    assert "1 columns left out" in " ".join(found.notes)
    assert "5 of 60 rows dropped" in " ".join(found.notes)
    assert "beside the sparse columns: 'seen'" in " ".join(found.notes)


def test_a_method_traces_sparse_rows_as_dense_ones(monkeypatch):
    X, y = rows(n=200)
    data = as_npz(X, label=y)
    method = L1Classifier(n_alphas=8)
    dense = list(trace_frontier(method, read_table(data, "label")))
    monkeypatch.setattr(files, "MAX_CELLS", 100)
    found = list(trace_frontier(method, read_table(data, "label")))
    assert [p.cost for p in found] == [p.cost for p in dense]
    assert [p.scores["test"]["f1"] for p in found] == pytest.approx(
        [p.scores["test"]["f1"] for p in dense]
    )


def test_others_say_so_and_do_not_end_the_rest(large):
    X, y = rows()
    dataset = read_table(as_npz(X, label=y), "label")
    with pytest.raises(DataError, match=r"^TEFE takes no sparse rows; give"):
        next(trace_frontier("tefe", dataset))


def damaged(**changed):
    X, y = rows()
    parts = {
        "format": np.array(b"csr"),
        "shape": np.array(X.shape),
        "data": X.data,
        "indices": X.indices,
        "indptr": X.indptr,
        "label": y,
    }
    buffer = io.BytesIO()
    np.savez(buffer, **(parts | changed))
    return buffer.getvalue()


def announcing(shape):
    """An array whose header announces more than follows."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        head = io.BytesIO()
        described = {"descr": "<f8", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(head, described)
        archive.writestr("data.npy", head.getvalue())
    return buffer.getvalue()


def returning(pointers):
    """Pointers that go on and end where they began: SciPy then looks at none."""
    return np.append(pointers[:-1], 0)


X, Y = rows()
REFUSED = {
    "places beyond the matrix": damaged(indices=X.indices + 7),
    "rows that run backwards": damaged(indptr=X.indptr[::-1].copy()),
    "rows that come back to nothing": damaged(indptr=returning(X.indptr)),
    "pointers below zero": damaged(indptr=-X.indptr),
    "a pickle": damaged(data=np.array([{}] * X.nnz, dtype=object)),
    "a pickle beside it": damaged(label=np.array([{}] * 60, dtype=object)),
    "another form": damaged(format=np.array(b"bsr")),
    "a form of no text": damaged(format=np.array([1, 2])),
    "no shape": damaged(shape=np.array([60.0])),
    "complex values": damaged(data=X.data.astype(complex)),
    "too many rows": damaged(shape=np.array([10**12, 9]), format=np.array(b"csc")),
    "too many columns": damaged(shape=np.array([60, 10**12])),
    "a header that lies": announcing((10**12,)),
    "a negative header": announcing((-1, 4)),
    "arrays alone": as_npz(X)[:0] + damaged(indptr=X.indptr[:0]),
    "half a file": damaged()[:-200],
    "names of another number": damaged(feature_names=np.array(["a", "b"])),
    "text that goes astray": as_svmlight(X, Y) + b"1 2:x\n",
    "indices out of order": as_svmlight(X, Y) + b"1 5:1 2:1\n",
    "an index beyond all": as_svmlight(X, Y) + b"1 99999999999:1\n",
    "two labels a row": as_svmlight(X, Y) + b"1,2 1:3\n",
}


@each("data", REFUSED.values(), ids=REFUSED)
def test_a_broken_file_gets_one_sentence(data):
    said = refusal(lambda: read_table(data, "label"))
    assert said is not None
    assert is_one_sentence(said)


@each(
    ("data", "words"),
    [
        (as_npz(X, label=Y), "holds nan"),
        (as_npz(X, other=Y), "has no column 'label'"),
        (as_npz(X, label=Y * 0), "labelled"),
    ],
)
def test_rows_that_cannot_be_learned_from_are_refused(data, words, large):
    if "nan" in words:
        values = X.data.copy()
        values[3] = np.nan
        data = damaged(data=values)
    said = refusal(lambda: read_table(data, "label"))
    assert words in said
    assert is_one_sentence(said)


def test_a_sparse_column_is_no_label(large):
    said = refusal(lambda: read_table(as_npz(X, label=Y), "x3"))
    assert "is one of the sparse ones" in said
