"""What is below the fold is put into its frame later, and by then only."""

from explorer.widgets.markup import markup
from explorer.widgets.page_layout import framed


def test_a_frame_is_filled_at_once_unless_it_waits():
    view = markup("view")
    assert [pane.object for pane in framed(view, "Title")] == ["<h2>Title</h2>", "view"]


def test_what_waits_is_neither_made_nor_framed_before():
    waiting, made = [], []

    def view():
        made.append(markup("view"))
        return made[-1]

    frame = framed(view, "Title", post=waiting.append)
    assert (list(frame), made) == ([], [])
    (fill,) = waiting
    fill()
    assert len(frame) == 2
    assert frame[1] is made[0]
