"""Views stand in frames, below their headings."""

from explorer.widgets.markup import markup
from explorer.widgets.page_layout import framed


def test_a_frame_holds_its_heading_and_its_view():
    view = markup("view")
    assert [pane.object for pane in framed(view, "Title")] == ["<h2>Title</h2>", "view"]
    assert list(framed(view)) == [view]
