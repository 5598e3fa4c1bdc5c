"""A figure is sent once for a message, as it is at last."""

import param
import pytest

from explorer.figures.live import SceneView
from explorer.figures.scene import Axis, Scene, dots
from explorer.widgets.drawn_once import draw_once, one_message


class Dots(param.Parameterized):
    heights = param.List(default=[1.0, 2.0, 3.0])
    colour = param.String(default="lit")


class DotsView(SceneView):
    called, follows = "dots", ("heights", "colour")
    state = param.ClassSelector(class_=Dots)

    def scene(self):
        heights = self.state.heights
        roles = [self.state.colour] * len(heights)
        layer = dots(
            "dots", [*range(len(heights))], heights, "role", told={"role": roles}
        )
        return Scene(Axis("x", 0, 3), Axis("y", 0, 3), [layer])


def test_columns_are_sent_once_for_a_message_and_as_they_are_at_last():
    state = Dots()
    view = DotsView(state=state)
    source, sent = view._renderers["dots"].data_source, []
    source.on_change("data", lambda attr, old, new: sent.append({**new}))
    with one_message():
        state.colour = "shared"
        state.heights = [2.0]
        assert not sent
    assert [[*one["y"]] for one in sent] == [[2.0]]
    state.heights = [1.0, 2.0]  # Beside a message at once
    assert len(sent) == 2


def test_what_waits_is_drawn_once_though_the_message_fails():
    drawn = []

    def draw():
        drawn.append("drawn")

    def fail():
        with one_message():
            draw_once(draw)
            draw_once(draw)
            raise ValueError("halfway")

    with pytest.raises(ValueError, match="halfway"):
        fail()
    assert drawn == ["drawn"]
