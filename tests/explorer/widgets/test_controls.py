"""Controls and the state they show are in step, both ways."""

import param
from bokeh.models import CustomJSTickFormatter

from explorer.widgets.controls import choice, download, share_slider


class State(param.Parameterized):
    share = param.Number(default=0.25, bounds=(0, 1))
    charged = param.Selector(default="ones", objects=["ones", "shared", "edited"])


FORM = CustomJSTickFormatter(code="return (100 * tick) + ' %'")


def test_a_slider_of_shares_follows_the_state_and_sets_it():
    state = State()
    slider = share_slider(state, "share", "Share", 0.01, FORM)
    assert (slider.start, slider.value, slider.end) == (0.0, 0.25, 1.0)
    state.share = 0.5
    assert slider.value == 0.5
    slider.value = 0.75
    assert state.share == 0.75


def test_sliders_that_say_the_same_share_no_formatter():
    """A model of bokeh belongs to one document."""
    one, other = (share_slider(State(), "share", "Share", 0.01, FORM) for _ in "ab")
    assert one.format is not other.format


def test_a_choice_that_is_not_offered_ends_at_one_that_is():
    state = State()
    menu = choice(state, "charged", "Costs", {"each": "ones", "own": "edited"})
    menu.get_root()  # what is shown falls back by itself, in the midst of the change
    state.charged = "shared"
    assert (state.charged, menu.value) == ("ones", "ones")


def test_where_there_is_nothing_to_write_no_file_comes_down():
    written = [None, "text", None]
    button = download("Save", "file.txt", lambda: written.pop())
    button._transfer()
    assert button.data is None
    button._transfer()
    assert button.data.startswith("data:text/plain")
    button._transfer()
    assert button.data is None
