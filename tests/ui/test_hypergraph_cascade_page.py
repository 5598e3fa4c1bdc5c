"""The hypergraph cascade on the cascade page in a real browser."""

import pytest

from tests.ui.wcag import broken_rules, show_theme

pytestmark = [
    pytest.mark.browser,
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PAGE = "?page=cascade&way=hypergraph"


@pytest.fixture(scope="module")
def watched(open_module_page):
    return computed(open_module_page(PAGE))


@pytest.fixture(autouse=True)
def settled(watched):
    """Begin with the first data set's cascade, trained and at rest."""
    start = {
        "way": "hypergraph",
        "source": "breast_cancer",
        "buying": "both",
        "model": "logistic",
        "routing": 0,
        "objective": "accuracy",
        "budget": 0.3,
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
    slider = watched.slider("Runtime budget")
    watched.until(
        lambda: float(slider.get_attribute("aria-valuenow")) == start["budget"]
    )


def state(watched):
    return watched.explorer._page_parts("cascade").state


def computed(watched):
    """Wait until the cascade that is asked for is there, and its rivals."""
    asked = state(watched)

    def is_there():
        hyper = asked.hyper
        return hyper is not None and (
            hyper.request.source,
            hyper.request.order,
            hyper.request.model,
            hyper.request.routing,
            hyper.request.objective,
        ) == (asked.source, asked.buying, asked.model, asked.routing, asked.objective)

    watched.until(is_there)
    watched.until(lambda: asked.cascade is not None and not asked.wants_rivals())
    return watched


def drawn(watched, figure, column):
    return watched.figure_data(figure, [column])[column]


def press(watched, key, times=1):
    slider = watched.slider("Runtime budget")
    slider.focus()
    for _ in range(times):
        slider.press(key)


def test_the_page_opens_with_bands_bars_and_a_curve(watched):
    stages = state(watched).policy_result().n_stages
    watched.until(lambda: len(drawn(watched, "exits", "right_top")) == stages)
    watched.until(lambda: len(drawn(watched, "bands", "side")) > 0)
    summary = watched.page.locator(".summary").filter(has_text="test rows are right")
    watched.until(summary.is_visible)
    assert watched.slider("Exit threshold").count() == 0


def test_the_budget_moves_everything_and_trains_nothing(watched):
    hyper = state(watched).hyper
    figures = {"exits": "right_top", "bands": "bottom", "tradeoff": "cost"}
    before = {name: drawn(watched, name, column) for name, column in figures.items()}
    words = watched.page.locator(".summary").filter(has_text="Policy").inner_text()
    press(watched, "ArrowLeft", 45)
    watched.until(lambda: state(watched).budget == pytest.approx(0.075))
    for name in ("exits", "bands"):
        column = figures[name]
        watched.until(lambda n=name, c=column: drawn(watched, n, c) != before[n])
    summary = watched.page.locator(".summary").filter(has_text="Policy")
    watched.until(lambda: summary.inner_text() != words)
    assert state(watched).hyper is hyper


def test_no_budget_lets_every_row_leave_at_the_free_answer(watched):
    press(watched, "Home")
    watched.until(lambda: state(watched).budget == 0.0)
    watched.until(lambda: drawn(watched, "exits", "on")[0] == 0.0)


def test_the_table_follows_the_budget(watched):
    watched.unfold("Stages")
    table = watched.page.get_by_role("region", name="Stages of the hypergraph cascade")
    press(watched, "Home")
    watched.until(lambda: table.locator("tbody tr").count() == 1)


@pytest.mark.parametrize(
    ("label", "option", "name", "value"),
    [
        ("Feature order", "blocks that share work", "buying", "block"),
        ("Objective", "F1", "objective", "f1"),
        ("Routing before the first stage", "one split", "routing", 1),
    ],
)
def test_knobs_train_again(watched, label, option, name, value):
    before = state(watched).hyper
    watched.choose(label, option, exact=True)
    watched.until(lambda: getattr(state(watched), name) == value)
    computed(watched)
    assert state(watched).hyper is not before


def test_training_shows_progress_and_can_be_cancelled(watched):
    before = state(watched).hyper
    watched.choose("Data", "Digits, ten classes")
    bar = watched.page.get_by_label("Training the hypergraph cascade")
    bar.wait_for(timeout=60_000)
    part = watched.explorer._page_parts("cascade")
    cancel = watched.page.get_by_role("button", name="Cancel").last
    cancel.click()
    watched.until(lambda: bar.count() == 0)
    assert state(watched).hyper is before
    assert part.state.source == "digits"


def test_a_row_is_followed_step_by_step(watched):
    watched.page.get_by_role("button", name="Next wrong row").click()
    watched.until(lambda: (state(watched).row or 0) > 0)
    watched.page.get_by_role("button", name="First stage").click()
    table = watched.page.get_by_role(
        "region", name="Stops of one row in the hypergraph cascade"
    )
    watched.until(lambda: table.locator("tbody tr").count() == 1)
    watched.page.get_by_role("button", name="To the exit").click()
    shown = len(state(watched).journey("hypergraph").stops)
    watched.until(lambda: table.locator("tbody tr").count() == shown)


def test_the_way_to_exit_is_chosen_and_written_into_the_link(watched):
    watched.choose("Exit rule", "One threshold (TEFE)")
    watched.until(lambda: watched.slider("Exit threshold").is_visible())
    watched.until(lambda: watched.slider("Runtime budget").count() == 0)
    watched.until(lambda: "way=tefe" in watched.page.url)
    watched.choose("Exit rule", "Hypergraph cascade")
    watched.until(lambda: watched.slider("Runtime budget").is_visible())
    is_wide = """() => Bokeh.documents.flatMap(d => [...d._all_models.values()])
      .filter(m => m.type === 'Figure' && m.name === 'bands')[0].inner_width > 300"""
    watched.until(lambda: watched.page.evaluate(is_wide))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_rule_of_wcag_is_broken(watched, theme):
    show_theme(watched, theme)
    broken = broken_rules(watched)
    assert not broken, broken


def test_a_narrow_window_and_a_link(open_page):
    query = PAGE + "&share=0.1&buys=block&objective=f1"
    narrow = {"width": 390, "height": 844}
    watched = computed(open_page(query, viewport=narrow))
    asked = state(watched)
    assert (asked.budget, asked.buying, asked.objective) == (0.1, "block", "f1")
    watched.until(watched.fits)
