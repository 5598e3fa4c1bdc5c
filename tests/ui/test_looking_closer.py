"""A budget in numbers, one row by hand and measured costs, by keyboard."""

import numpy as np
import pytest

pytestmark = [
    pytest.mark.browser,
    # The frontier's longest path says that it was cut short.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# Quickly computed, and with feature functions to run.
QUERY = "?data=published&methods=l1&budget=60"
INSIDE = "Inside the chosen model"


@pytest.fixture(scope="module")
def opened(open_module_page):
    return open_module_page(QUERY)


@pytest.fixture
def watched(opened):
    """The page after whatever other tests did to it, at rest."""
    opened.until(opened.is_computed)
    return opened


def panel(watched):
    return watched.page.get_by_role("button", name=INSIDE)


def open_by_keyboard(watched):
    """Open the panel, unless it is open."""
    if panel(watched).get_attribute("aria-expanded") != "true":
        panel(watched).press("Enter")
    watched.page.get_by_role("heading", name="One row by hand").wait_for()


def called(watched):
    return watched.page.get_by_role("status").filter(has_text="Called")


def test_a_budget_that_is_typed_moves_the_slider_and_what_is_bought(watched):
    field = watched.page.get_by_label("Budget (µs)")
    field.fill("35")
    field.press("Enter")
    watched.until(lambda: watched.state.budget == 35)
    # The field still has the focus: it takes another number, and another.
    bought = []
    for typed in ("12", "35"):
        watched.page.wait_for_timeout(600)  # nobody types sooner after Enter
        watched.page.keyboard.press("Control+a")
        watched.page.keyboard.type(typed)
        watched.page.keyboard.press("Enter")
        watched.until(lambda held=float(typed): watched.state.budget == held)
        bought.append(watched.state.chosen().point.cost["mean"])
    # What is no number goes back to the budget at once, though the field has the focus.
    watched.page.keyboard.type("abc")
    watched.page.keyboard.press("Enter")
    watched.until(lambda: field.input_value() == "35")
    moved = watched.slider("Runtime budget")
    watched.until(lambda: float(moved.get_attribute("aria-valuenow")) == 35)
    assert bought[0] <= 12 < bought[1] <= 35


def test_one_row_is_tried_by_hand(watched):
    open_by_keyboard(watched)
    before = called(watched).inner_text()
    data, mask = watched.state.dataset, watched.state.chosen().point.features
    name = data.feature_names[int(np.flatnonzero(mask)[0])]
    field = watched.page.get_by_label(name, exact=True)
    field.fill("1000000")
    field.press("Enter")
    watched.until(lambda: called(watched).inner_text() != before)


def test_tab_marks_a_number_as_it_stands_so_that_typing_replaces_it(watched):
    open_by_keyboard(watched)
    fields = watched.page.get_by_role("textbox")
    fields.nth(fields.count() - 2).focus()
    watched.page.keyboard.press("Tab")
    watched.page.keyboard.type("7")
    assert fields.last.input_value() == "7"


def axis_labels(watched):
    """What stands beside the axes of the frontier in the browser."""
    script = """() => {
      const [plot] = Bokeh.documents
        .map(document => document.get_model_by_name('frontier')).filter(found => found)
      return [...plot.below, ...plot.left].map(axis => axis.axis_label).filter(l => l)
    }"""
    return watched.page.evaluate(script)


def test_another_score_is_on_the_axis_and_chooses_the_best(watched):
    watched.choose("Score", "Balanced accuracy", exact=True)
    watched.until(
        lambda: any("Balanced accuracy" in label for label in axis_labels(watched))
    )
    watched.page.get_by_text("Best within the budget").first.wait_for()
    watched.choose("Score", "F1", exact=True)
    watched.until(lambda: any(label.startswith("F1") for label in axis_labels(watched)))


def test_a_threshold_moves_rows_between_the_cells_of_the_confusion_matrix(watched):
    open_by_keyboard(watched)
    cells = watched.page.get_by_role("region", name="Confusion matrix, test rows")
    before = cells.inner_text()
    watched.slider("Threshold").press("Home")
    watched.until(lambda: cells.inner_text() != before)
    # Everything is called positive: the column of the other class is empty.
    counts = [row.split() for row in cells.locator("tbody tr").all_inner_texts()]
    assert any(all(row[k] == "0" for row in counts) for k in (1, 2))


def inner_width(watched, figure):
    """What a figure has for its frame in the browser; 0 while it is not laid out."""
    script = """name => {
      const figure = Bokeh.documents.flatMap(one => [...one._all_models.values()])
        .find(model => model.type === 'Figure' && model.name === name)
      try { return figure?.inner_width ?? 0 }
      catch { return 0 }  // it is unset before a figure is first laid out
    }"""
    return watched.page.evaluate(script, figure)


def test_a_link_opens_the_panel_with_a_figure_as_wide_as_by_hand(watched, open_page):
    open_by_keyboard(watched)
    watched.until(lambda: inner_width(watched, "threshold") > 600)
    linked = open_page(f"{QUERY}&open=inside")
    wanted = inner_width(watched, "threshold")
    linked.until(lambda: inner_width(linked, "threshold") == wanted)


def test_measured_costs_are_used_and_taken_back(watched):
    session = watched.explorer.session
    before = session.dataset.hypergraph.component_costs
    watched.page.get_by_role("button", name="Verify on this machine").press("Enter")
    watched.page.get_by_text("9 of 9 repeats").wait_for(timeout=90_000)
    use = watched.page.get_by_role("button", name="Use these costs")
    use.press("Enter")
    watched.until(lambda: session.dataset.hypergraph.component_costs is not before)
    assert not np.allclose(session.dataset.hypergraph.component_costs, before)
    watched.until(watched.is_computed)
    watched.page.locator("body").press("Control+z")
    watched.until(
        lambda: np.allclose(session.dataset.hypergraph.component_costs, before)
    )
