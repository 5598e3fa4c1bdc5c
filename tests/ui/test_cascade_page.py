"""The cascade page in a real browser: what a person does, and what it shows."""

import pytest

from tests.ui.wcag import broken_rules, show_theme

pytestmark = [
    pytest.mark.browser,
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PAGE = "?page=cascade"


@pytest.fixture(scope="module")
def watched(open_module_page):
    return computed(open_module_page(PAGE))


@pytest.fixture(autouse=True)
def settled(watched):
    """Begin with the first data set's cascade, trained and at rest."""
    start = {
        "source": "breast_cancer",
        "C": 1.0,
        "order": "alone",
        "confidence": "distance",
        "cap": 1.0,
        "share": 0.5,
        "row": 0,
        "step": 100_000,
    }
    done = []

    def begin():
        state(watched).param.update(**start)
        done.append(True)

    # On the page's own thread: only there may the page change.
    watched.explorer.context.post(begin)
    watched.until(lambda: done)
    computed(watched)


def state(watched):
    return watched.explorer._page_parts("cascade").state


def is_computed(asked):
    if asked.cascade is None:
        return False
    known = asked.cascade.request
    return (known.source, known.C, known.order) == (
        asked.source,
        asked.C,
        asked.order,
    ) and (known.is_calibrated or asked.confidence != "calibrated")


def computed(watched):
    """Wait until the cascade that is asked for is there, and its rivals."""
    watched.until(lambda: is_computed(state(watched)))
    watched.until(lambda: not state(watched).wants_rivals())
    return watched


def tops(watched):
    return watched.figure_data("stages", ["right_top", "name"])["right_top"]


def press(watched, name, key, times=1):
    """Press keys; wait for the last one's value before anything is clicked."""
    slider = watched.slider(name)
    slider.focus()
    for _ in range(times):
        slider.press(key)


def test_the_page_opens_already_computed(watched):
    watched.until(lambda: len(tops(watched)) == 30)
    watched.page.locator(".summary").get_by_text("test rows right").wait_for()
    assert "when is a prediction sure enough to stop?" in watched.page.title() + (
        watched.page.locator("h1").first.inner_text()
    )


def test_moving_the_threshold_moves_bars_and_trains_nothing(watched):
    watched.until(lambda: len(tops(watched)) == 30)
    before, cascade = tops(watched), state(watched).cascade
    press(watched, "Exit threshold", "ArrowLeft", 30)
    watched.until(lambda: state(watched).share == pytest.approx(0.35))
    watched.until(lambda: tops(watched) != before)
    assert state(watched).cascade is cascade


def test_the_lowest_threshold_lets_every_row_leave_at_once(watched):
    press(watched, "Exit threshold", "Home")
    watched.until(lambda: state(watched).share == 0.0)
    watched.until(lambda: watched.figure_data("stages", ["on", "name"])["on"][0] == 0.0)


@pytest.mark.parametrize(
    ("label", "option", "name", "value"),
    [
        ("Feature order", "by Relief value per cost", "order", "value"),
        ("Confidence", "calibrated gap", "confidence", "calibrated"),
    ],
)
def test_order_and_calibration_train_again(watched, label, option, name, value):
    before = state(watched).cascade
    watched.choose(label, option)
    watched.until(lambda: getattr(state(watched), name) == value)
    computed(watched)
    assert state(watched).cascade is not before


def test_c_trains_again(watched):
    before = state(watched).cascade
    press(watched, "Regularisation C", "ArrowRight", 5)
    watched.until(lambda: state(watched).C == pytest.approx(10**0.15))
    computed(watched)
    assert state(watched).cascade is not before


def test_the_gap_of_the_same_machines_is_shown_at_once(watched):
    cascade = state(watched).cascade
    watched.choose("Confidence", "gap to the second")
    watched.until(lambda: state(watched).picture.kind == "gap")
    assert state(watched).cascade is cascade


def test_a_time_cap_ends_the_cascade_earlier(watched):
    watched.until(lambda: len(tops(watched)) == 30)
    press(watched, "Time cap", "ArrowLeft", 40)
    watched.until(lambda: state(watched).cap == pytest.approx(0.6))
    watched.until(lambda: len(tops(watched)) < 30)


def test_a_row_is_followed_step_by_step(watched):
    button = watched.page.get_by_role("button", name="First stage")
    button.click()
    watched.until(lambda: state(watched).step == 1)
    table = watched.page.get_by_role("region", name="Stops of one row")
    watched.until(lambda: table.locator("tbody tr").count() == 1)
    watched.page.get_by_role("button", name="Step", exact=True).click()
    watched.until(lambda: table.locator("tbody tr").count() == 2)
    watched.page.get_by_role("button", name="To the exit").click()
    shown = len(state(watched).journey("tefe").stops)
    watched.until(lambda: table.locator("tbody tr").count() == shown)


def test_scenes_show_images_and_a_prediction_that_stops_early(watched):
    watched.choose("Data", "Scenes, ten classes, costs measured")
    watched.until(lambda: state(watched).source == "scenes")
    computed(watched)
    watched.until(lambda: watched.page.locator(".gallery img").count() > 6)
    watched.page.get_by_role("button", name="Run one prediction").click()
    watched.until(lambda: len(state(watched).runs) == 1)
    watched.until(lambda: watched.page.get_by_text("of the whole way").count() > 0)


def test_a_figure_of_the_paper_is_one_click_away(watched):
    watched.unfold("The paper's figures")
    watched.page.get_by_role("button", name="Fig. 8", exact=True).click()
    watched.until(lambda: state(watched).figure and state(watched).figure.claims)
    claims = watched.page.get_by_role("region", name="Claims of the paper")
    watched.until(lambda: claims.locator("tbody tr").count() == 4)
    watched.until(lambda: watched.figure_data("paper", ["x", "y"]) is not None)


def test_a_link_restores_the_choices(open_page):
    query = PAGE + "&C=10&order=value&confidence=gap&exit=0.25&cap=0.5"
    asked = state(computed(open_page(query)))
    assert (asked.order, asked.confidence) == ("value", "gap")
    assert (asked.C, asked.share, asked.cap) == (10.0, 0.25, 0.5)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_rule_of_wcag_is_broken(watched, theme):
    show_theme(watched, theme)
    broken = broken_rules(watched)
    assert not broken, broken


def test_nothing_runs_over_on_a_narrow_window(open_page):
    watched = computed(open_page(PAGE, viewport={"width": 390, "height": 844}))
    watched.until(watched.fits)
