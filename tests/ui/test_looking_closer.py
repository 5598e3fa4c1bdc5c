"""Beside the frontier: pins, a budget in numbers, a row by hand and measured costs."""

import itertools

import numpy as np
import pytest

pytestmark = [
    pytest.mark.browser,
    # The frontier's longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
ASKED = {"p": 0.3, "penalty": "mcp", "accounting": "p95", "alpha": 0.01, "budget": 40.0}
USUAL = {"p": 0.5, "penalty": "lp", "accounting": "mean", "alpha": 0.003}
# Quickly computed, and with feature functions to run.
LINK = (
    "?data=published&methods=l1&budget=40&open=inside,words,compare,details"
    "&p=0.3&penalty=mcp&accounting=p95&lambda=0.01"
)
INSIDE = "Inside the chosen model"
GHOSTS = """() => {
  const found = []
  for (const document of Bokeh.documents)
    for (const model of document._all_models.values())
      if (model.type === "GlyphRenderer" && /^pin \\d$/.test(model.name ?? ""))
        found.push([model.name, model.visible && model.data_source.get_length() > 0])
  return found
}"""
MODELS = "() => Bokeh.documents.reduce((n, d) => n + d._all_models.size, 0)"
LABELS = """plot =>
  [...plot.below, ...plot.left].map(axis => axis.axis_label).filter(label => label)"""


@pytest.fixture(scope="module")
def opened(open_module_page):
    """The page, and what its link has asked for when it opened."""
    watched = open_module_page(LINK)
    watched.asked = {name: getattr(watched.state, name) for name in ASKED}
    watched.until(lambda: inner_width(watched, "threshold") > 600)
    watched.linked_width = inner_width(watched, "threshold")
    watched.do(lambda: watched.state.param.update(**USUAL))
    return watched.remember()


@pytest.fixture
def watched(opened):
    """The page with its panel open, at rest."""
    opened.restore()
    opened.until(opened.is_computed)
    opened.page.get_by_role("heading", name="One row by hand").wait_for()
    return opened


def button(watched, name, *, exact=False):
    return watched.page.get_by_role("button", name=name, exact=exact)


def inner_width(watched, figure):
    """What a figure has for its frame in the browser; 0 while it is not laid out."""
    script = """figure => {
      try { return figure.inner_width }
      catch { return 0 }  // it is unset before a figure is first laid out
    }"""
    return watched.of_figure(figure, script) or 0


def test_a_link_restores_choices_and_a_panel_with_a_figure_as_wide_as_by_hand(watched):
    assert watched.asked == ASKED
    for _ in range(2):
        button(watched, INSIDE).press("Enter")
    watched.until(lambda: inner_width(watched, "threshold") == watched.linked_width)


def test_a_budget_that_is_typed_moves_the_slider_and_what_is_bought(watched):
    field = watched.page.get_by_label("Budget (µs)")
    slider, bought = watched.slider("Runtime budget"), []
    field.focus()

    def enter(typed):
        watched.page.keyboard.press("Control+a")
        watched.page.keyboard.type(typed)
        watched.page.keyboard.press("Enter")

    # It keeps the focus: it takes another number, and another.
    for typed in ("35", "12", "35"):
        enter(typed)
        watched.until(lambda held=float(typed): watched.state.budget == held)
        bought.append(watched.state.chosen().point.cost["mean"])
        watched.until(
            lambda held=float(typed): (
                float(slider.get_attribute("aria-valuenow")) == held
            )
        )
    # What is no number stays, with a sentence: the number that follows takes its place.
    watched.page.keyboard.type("abc")
    watched.page.keyboard.press("Enter")
    watched.page.get_by_text("'abc' is no number of 0 or more").wait_for()
    assert (field.input_value(), field.get_attribute("aria-invalid")) == ("abc", "true")
    assert watched.state.budget == 35
    assert bought[1] <= 12 < bought[2] == bought[0] <= 35
    # The last of what is typed holds, however soon it comes.
    for typed in ("14", "25", "abc", "1.2e1"):
        enter(typed)
    watched.until(lambda: watched.state.budget == 12)
    enter("2000000")
    total = watched.state.dataset.hypergraph.total_cost
    watched.until(lambda: watched.state.budget == total)
    watched.until(lambda: abs(float(field.input_value()) - total) < 1e-3 * total)
    watched.page.get_by_text("'2000000' was typed").wait_for()
    # As people write numbers, with another unit or none.
    for typed, held in (("0,035 ms", 35.0), ("12,5", 12.5)):
        enter(typed)
        watched.until(
            lambda held=held: (
                (watched.state.budget, field.input_value()) == (held, f"{held:g}")
            )
        )
    field.focus()
    watched.page.keyboard.press("Control+a")
    watched.page.keyboard.type("1.2e+1")
    watched.page.keyboard.press("Tab")
    watched.until(lambda: (watched.state.budget, field.input_value()) == (12, "12"))
    # The click that turns the page takes the field away as it is left.
    field.focus()
    watched.page.keyboard.press("Control+a")
    watched.page.keyboard.type("23")
    button(watched, "Prices", exact=True).click()
    watched.until(lambda: watched.state.budget == 23)
    button(watched, "Frontier", exact=True).click()
    watched.until(lambda: field.is_visible() and field.input_value() == "23")


def test_one_row_is_tried_by_hand_and_tab_marks_a_number_to_be_replaced(watched):
    called = watched.page.get_by_role("status").filter(has_text="Called")
    before = called.inner_text()
    data, mask = watched.state.dataset, watched.state.chosen().point.features
    names = [data.feature_names[int(j)] for j in np.flatnonzero(mask)]
    field, *others = (watched.page.get_by_label(one, exact=True) for one in names)
    field.fill("1000000")
    field.press("Enter")
    watched.until(lambda: called.inner_text() != before)
    watched.page.wait_for_timeout(600)  # nobody types before all of it has come back
    field.focus()
    watched.page.keyboard.press("Tab")
    watched.page.keyboard.type("7")
    assert others[0].input_value() == "7"


def test_another_score_is_on_the_axis_and_chooses_the_best(watched):
    def stands(words):
        watched.until(
            lambda: any(
                words in label for label in watched.of_figure("frontier", LABELS) or ()
            )
        )

    watched.choose("Score", "Balanced accuracy", exact=True)
    stands("Balanced accuracy")
    watched.page.get_by_text("best within the budget").first.wait_for()
    watched.choose("Score", "F1", exact=True)
    stands("F1")


def test_a_threshold_moves_rows_between_the_cells_of_the_confusion_matrix(watched):
    cells = watched.page.get_by_role("region", name="Confusion matrix, test rows")
    before = cells.inner_text()
    watched.move("Threshold", "Home")
    watched.until(lambda: cells.inner_text() != before)
    # Everything is called positive: the column of the other class is empty.
    counts = [row.split() for row in cells.locator("tbody tr").all_inner_texts()]
    assert any(all(row[k] == "0" for row in counts) for k in (1, 2))


def test_the_frontier_is_verified_here_and_measured_costs_are_used_and_taken_back(
    watched,
):
    session = watched.explorer.session
    before = session.dataset.hypergraph.component_costs
    button(watched, "Verify on this machine").press("Enter")
    words = watched.page.get_by_text("9 of 9 repeats")
    words.wait_for(timeout=90_000)
    assert "Chosen point: predicted" in words.inner_text()
    drawn = watched.figure_data("verification", ["x", "y", "name"])
    frontier = watched.state.frontier().undominated()
    points = {(p.method, p.cost["mean"]) for p in frontier if p.features.any()}
    assert len(drawn["x"]) == 1 + len(points)
    button(watched, "Use these costs").press("Enter")
    watched.until(lambda: session.dataset.hypergraph.component_costs is not before)
    assert not np.allclose(session.dataset.hypergraph.component_costs, before)
    watched.until(watched.is_computed)
    watched.page.locator("body").press("Control+z")
    watched.until(
        lambda: np.allclose(session.dataset.hypergraph.component_costs, before)
    )


def pin_as(watched, name):
    field = watched.page.get_by_role("textbox", name="Name of the pin")
    field.fill(name)
    watched.page.keyboard.press("Tab")
    button(watched, "Pin this frontier").click()
    button(watched, f"Unpin {name}", exact=True).wait_for()
    watched.until(lambda: field.input_value() == "")  # for the next name


def words(watched):
    return " ".join(watched.page.get_by_role("status").all_inner_texts())


class TestPins:
    @pytest.fixture
    def pinned(self, watched):
        """The page with a single pin, called "before"."""
        button(watched, "Unpin").first.wait_for(state="hidden")
        pin_as(watched, "before")
        return watched

    def test_one_is_drawn_and_told_without_new_models(self, pinned):
        # What is inside a model is another table for each: closed, it counts nothing.
        button(pinned, INSIDE).press("Enter")
        pinned.page.get_by_role("heading", name="One row by hand").wait_for(
            state="hidden"
        )
        pinned.until(lambda: ["pin 1", True] in pinned.page.evaluate(GHOSTS))
        pinned.until(lambda: "no difference" in words(pinned))
        n_models = pinned.page.evaluate(MODELS)
        pinned.move("Runtime budget", "ArrowRight")
        pin_as(pinned, "other")
        pinned.until(lambda: ["pin 2", True] in pinned.page.evaluate(GHOSTS))
        assert ["pin 3", False] in pinned.page.evaluate(GHOSTS)
        assert pinned.page.evaluate(MODELS) == n_models
        button(pinned, INSIDE).press("Enter")

    def test_a_change_is_told_beside_it(self, pinned):
        problem, before = pinned.explorer.context.problem, pinned.state.dataset
        names = itertools.islice(before.hypergraph.components, 4)
        costs = dict.fromkeys(names, 9.0)
        pinned.do(lambda: problem.set_costs(costs, "ms", "Dearer components"))
        pinned.until(lambda: pinned.state.dataset is not before)
        pinned.until(pinned.is_computed)
        pinned.until(lambda: "on “before”" in words(pinned))
        pinned.page.get_by_role("cell", name="before").first.wait_for()

    def test_another_accounting_is_told_and_not_drawn(self, pinned):
        pinned.choose("Accounting", "worst row")
        pinned.until(lambda: "not drawn on one axis" in words(pinned))
        pinned.until(lambda: ["pin 1", False] in pinned.page.evaluate(GHOSTS))
        pinned.choose("Accounting", "mean over rows")
        pinned.until(lambda: ["pin 1", True] in pinned.page.evaluate(GHOSTS))

    def test_pinning_is_undone_and_a_fourth_is_refused_with_a_sentence(self, pinned):
        state = pinned.state
        pin_as(pinned, "another")
        pinned.until(lambda: len(state.pins) == 2)
        # The point that is lit may have moved since, which is a step of its own. Keys
        # undo as well, but on a busy machine one more would be on its way.
        for _ in range(10):
            if len(state.pins) == 2:
                pinned.do(pinned.explorer.context.undo_stack.undo)
        pinned.until(lambda: [pin.name for pin in state.pins] == ["before"])
        for name in ("two", "three"):
            pin_as(pinned, name)
        button(pinned, "Pin this frontier").click()
        pinned.page.get_by_text("unpin one first").wait_for()
