"""What numpy and scipy save, and no pickle among it."""

import io
import pickle
import zipfile

import numpy as np

from solvers.datasets import open_table, preview_table, read_table
from solvers.datasets.table import bounds
from tests.datasets.sparse_files import as_npz, rows
from tests.each import each
from tests.fuzz.refusal import is_one_sentence, refusal


@each("form", ["csr", "csc"])
def test_an_npz_is_the_matrix_and_the_columns_beside_it(form):
    X, y = rows()
    names = np.array([f"word {j}" for j in range(9)])
    ill = np.where(y, "ill", "well")
    data = as_npz(X, form, ill=ill, feature_names=names)
    found = read_table(data, "ill")
    assert found.feature_names == tuple(names)
    assert np.array_equal(found.X, X.toarray())
    assert found.y.tolist() == ill.tolist()
    assert preview_table(data).suggested_label == "ill"


def test_no_pickle_is_loaded(tmp_path):
    class Touch:
        def __reduce__(self):
            return (open, (str(tmp_path / "touched"), "w"))

    buffer = io.BytesIO()
    np.savez(buffer, data=np.array([Touch()], dtype=object))
    assert b"touched" in buffer.getvalue()
    assert pickle.HIGHEST_PROTOCOL  # what numpy has written is one
    said = refusal(lambda: open_table(buffer.getvalue()))
    assert "never loaded" in said
    assert not (tmp_path / "touched").exists()


def saved(**parts):
    """A matrix of three rows as scipy saves one, with some parts of other values."""
    whole = {
        "format": "csr",
        "shape": [3, 3],
        "data": [1.0, 1.0, 1.0],
        "indices": [0, 1, 2],
        "indptr": [0, 1, 2, 3],
        "label": ["a", "b", "a"],
    }
    buffer = io.BytesIO()
    np.savez(buffer, **{**whole, **parts})
    return buffer.getvalue()


@each(
    ("parts", "said"),
    [
        ({"indices": [0, 1, 99]}, "is damaged"),
        ({"indices": [0, 1, -9]}, "is damaged"),
        ({"indptr": [0, 2, 1, 3]}, "is damaged"),
        ({"indptr": [0, 2, 3, 0]}, "is damaged"),
        ({"shape": [10**12, 3]}, "announces 1,000,000,000,000 rows"),
        ({"shape": [3, 10**12]}, "announces 1,000,000,000,000 columns"),
        ({"more": np.zeros(3, "i4,i4")}, "or records, which are never loaded"),
    ],
)
def test_a_matrix_that_points_beyond_itself_is_refused(parts, said):
    assert refusal(lambda: preview_table(saved())) is None
    assert said in refusal(lambda: preview_table(saved(**parts)))


def test_an_archive_that_says_how_much_it_unpacks_to_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(bounds, "MAX_UNPACKED", 500)
    assert "at most 500 are read" in refusal(lambda: preview_table(saved()))


@each("part", ["indices", "indptr"])
def test_an_array_of_nothing_a_billion_times_is_refused(part):
    X, y = rows()
    head = b"{'descr': '|V0', 'fortran_order': False, 'shape': (1000000000,), }"
    broken = with_head(as_npz(X, label=y), f"{part}.npy", head)
    assert "announces more than it holds" in refusal(lambda: preview_table(broken))


def test_texts_of_what_is_no_character_are_refused():
    X, y = rows()
    names = np.array([f"word {j}" for j in range(9)])
    data = as_npz(X, label=y, feature_names=names)
    word = "word 0".encode("utf-32-le")
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as archive,
        zipfile.ZipFile(buffer, "w") as broken,
    ):
        for member in archive.namelist():
            content = archive.read(member).replace(word, b"\xff" * len(word))
            broken.writestr(member, content)
    said = refusal(lambda: open_table(buffer.getvalue()))
    assert "no character" in said


@each("head", [b"{'descr': (((", b"{'descr'", b"0x", b"\0\0"])
def test_an_npz_whose_array_has_a_broken_head_is_refused_in_a_sentence(head):
    X, y = rows()
    broken = with_head(as_npz(X, label=y), "data.npy", head)
    assert is_one_sentence(refusal(lambda: preview_table(broken)))


def with_head(data, member, head):
    """An archive, one of whose arrays says something else of itself."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    array = members[member]
    members[member] = array[:10] + head.ljust(118) + array[128:]
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()
