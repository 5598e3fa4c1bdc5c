"""What comes in pieces becomes one file, and what does not is not kept."""

import panel_material_ui as pmui
import pytest

from explorer.serving.uploads import bound_uploads


@pytest.fixture
def area():
    bound_uploads()
    return pmui.FileInput(max_file_size=10)


def piece(data, chunk=1, total_chunks=1, name="a.csv", **more):
    return {
        "status": "upload_event",
        "name": name,
        "chunk": chunk,
        "total_chunks": total_chunks,
        "mime_type": "text/csv",
        "data": data,
        **more,
    }


def held(area):
    files = area._file_buffer.values()
    return sum(len(data) for pieces in files for data in pieces.values())


def test_pieces_in_any_order_are_one_file(area):
    for chunk, data in ((2, b"4"), (2, b"45"), (1, b"123")):
        area._handle_msg(piece(data, chunk, 2))
    area._handle_msg({"status": "finished"})
    assert (area.value, area.filename) == (b"12345", "a.csv")
    assert held(area) == 0


def test_pieces_under_ever_new_names_take_the_place_of_each_other(area):
    for k in range(50):
        area._handle_msg(piece(b"12345678", 1, 2, name=str(k)))
    assert held(area) == 8


@pytest.mark.parametrize(
    "odd",
    [
        piece(b"12345678901"),
        piece(10**10),
        piece([1, 2]),
        piece(b"1", chunk=3, total_chunks=2),
        piece(b"1", chunk=0),
        piece(b"1", chunk=True),
        piece(b"1", total_chunks=10**12),
        piece(b"1", name=7),
        piece(b"1", name="x" * 10_000),
        {"status": "upload_event"},
    ],
)
def test_what_is_no_piece_of_a_small_file_is_refused(area, odd):
    with pytest.raises(ValueError, match=r"upload|piece"):
        area._handle_msg(odd)
    assert held(area) == 0
    area._handle_msg({"status": "finished"})
    assert area.value is None


def test_a_file_that_grows_beyond_its_bound_is_let_go_of(area):
    area._handle_msg(piece(b"12345678", 1, 3))
    with pytest.raises(ValueError, match="10 bytes"):
        area._handle_msg(piece(b"12345678", 2, 3))
    assert held(area) == 0
