"""What a new person does on the structured-costs page, with mouse and keyboard."""

import pytest

from solvers.markov import write_graph
from solvers.markov.growth import grow_graph
from tests.explorer.pages.structured.asked import is_compared, is_traced

pytestmark = [
    pytest.mark.browser,
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# Of the sliders of a grown graph.
STEP = 0.005
# Small enough that a comparison is done before anybody looks.
QUERY = "?page=structured&nodes=100&seeds=1&open=details,figures,away"
DRAWN = ("x", "y", "fill", "rim", "size", "cost")


@pytest.fixture(scope="module")
def opened(open_module_page):
    """One page for all tests."""
    found = open_module_page(QUERY)
    found.until(lambda: is_done(found))
    return found.remember()


@pytest.fixture
def watched(opened):
    """The page as it opens, computed and drawn."""
    opened.restore()
    opened.until(lambda: is_done(opened))
    return opened


def page_of(watched):
    return watched.explorer._page_parts("structured")


def state(watched):
    return page_of(watched).state


def is_done(watched):
    """Whether all that is asked for is computed, and drawn in the browser."""
    if not is_compared(state(watched)):
        return False
    drawn = picture(watched)
    sketch = state(watched).run.sketch(state(watched).shown)
    return drawn and len(drawn["x"]) == len(sketch.nodes)


def picture(watched):
    return watched.figure_data("structured", DRAWN)


def words(watched):
    return watched.page.get_by_role("status").first.inner_text()


def click_at(watched, x, y):
    """Click a place of the graph, given in the coordinates of its plan."""
    at = watched.page.evaluate(
        """([x, y]) => {
          const [view] = Bokeh.index.query(v => v.model.name === "structured")
          const box = view.el.getBoundingClientRect()
          const {x_scale, y_scale} = view.frame
          return [box.left + x_scale.compute(x), box.top + y_scale.compute(y)]
        }""",
        [float(x), float(y)],
    )
    watched.page.mouse.click(*at)


def wait_for_change(watched, before):
    watched.until(lambda: is_done(watched) and picture(watched) != before)


def test_opens_computed_with_a_question_and_an_answer(watched):
    heading = watched.page.get_by_role("heading", level=1).inner_text()
    assert heading.startswith("Linked mistakes: what do mistakes")
    watched.until(lambda: "CSMN pays" in words(watched))
    names = ["Label agreement ρ", "Extra links α", "Attribute strength δ"]
    watched.tune()
    for name in names:
        watched.slider(name).wait_for()
    watched.until(lambda: state(watched).curve is not None)
    watched.until(lambda: is_traced(state(watched)))
    watched.until(
        lambda: watched.figure_data("curve", ["x", "low", "high"]) is not None
    )


def test_quick_moves_end_in_one_complete_result_and_no_node_moves(watched):
    before, start = picture(watched), state(watched).label_agreement
    for _ in range(5):
        watched.move("Label agreement ρ", "ArrowLeft")
        watched.page.wait_for_timeout(40)
    end = pytest.approx(start - 5 * STEP)
    watched.until(lambda: state(watched).label_agreement == end)
    wait_for_change(watched, before)
    watched.page.wait_for_timeout(300)
    after, agreement = picture(watched), state(watched).label_agreement
    assert (after["x"], after["y"]) == (before["x"], before["y"])
    assert dict(state(watched).run.setting.growth)["label_agreement"] == agreement


def n_models(watched):
    """How many models the browser holds."""
    return watched.page.evaluate("Bokeh.documents[0]._all_models.size")


def test_keys_and_many_themes_while_the_curve_is_traced_leave_no_models(watched):
    def change_theme():
        session = watched.explorer.session
        session.dark = not session.dark

    def at_rest():
        return is_done(watched) and is_traced(state(watched))

    watched.until(at_rest)
    before = n_models(watched)
    for _ in range(3):
        watched.move("Label agreement ρ", "ArrowLeft")
        for _ in range(2):
            watched.explorer.context.post(change_theme)
    watched.move("Label agreement ρ", "ArrowRight", 3)
    # The last may still come: until then a click is on what was.
    watched.do(lambda: None)
    watched.until(at_rest)
    watched.until(lambda: n_models(watched) == before)


def test_another_method_is_drawn_at_once_and_compared(watched):
    before = picture(watched)
    watched.choose("Drawn method", "LOGREG", exact=True)
    wait_for_change(watched, before)
    watched.until(lambda: words(watched).startswith("LOGREG pays"))
    watched.choose("Difference to", "CSMN", exact=True)
    watched.until(lambda: "than CSMN" in words(watched))
    assert "CSMN pays" not in words(watched)
    watched.choose("Difference to", "no other method", exact=True)
    watched.until(lambda: "than CSMN" not in words(watched))


def test_a_node_is_looked_at_until_escape_and_a_costly_link_without_a_mouse(watched):
    sketch = state(watched).run.sketch(0)
    watched.page.locator("canvas").first.scroll_into_view_if_needed()

    def is_picked():
        # What arrives meanwhile may move the page under the mouse.
        click_at(watched, *sketch.places[5])
        watched.page.wait_for_timeout(400)
        return state(watched).picked == ("node", 5)

    watched.until(is_picked)
    lens = watched.page.get_by_text("Cost of calling it a row", exact=False)
    lens.wait_for()
    watched.page.get_by_text("Node 5: called", exact=False).wait_for()
    watched.page.keyboard.press("Escape")
    watched.until(lambda: state(watched).picked is None)
    lens.wait_for(state="hidden")
    table = watched.page.get_by_role("region", name="Costliest mistakes")
    row = table.get_by_role("button", name="link").first
    row.focus()
    row.press("Enter")
    watched.until(lambda: (state(watched).picked or ("",))[0] == "edge")
    watched.page.get_by_text("Link ", exact=False).first.wait_for()


def test_a_ticked_method_joins_table_and_health(watched):
    watched.tune()
    box = watched.page.get_by_role("checkbox", name="MN (tree-reweighted)")
    box.check()
    watched.until(lambda: "MN (tree-reweighted)" in state(watched).methods)
    watched.until(lambda: is_done(watched))
    table = watched.page.get_by_role("region", name="Costs of all methods")
    table.get_by_role("button", name="MN (tree-reweighted)").wait_for()
    watched.page.get_by_text("MN (tree-reweighted): converged").wait_for()
    box.uncheck()
    watched.until(lambda: is_done(watched))


def test_sensors_have_lamps_snapshots_and_an_occupant_cost(watched):
    watched.choose("Scene", "Sensors on a floor plan", exact=True)
    watched.until(lambda: state(watched).scene == "sensors")
    watched.until(lambda: is_done(watched))
    assert len(picture(watched)["x"]) >= 50
    watched.until(lambda: watched.figure_data("structured", ["left"])["left"])
    before = picture(watched)
    watched.move("Snapshot", "Home")
    watched.until(lambda: "00:30" in words(watched))
    watched.move("Snapshot", "End")
    watched.until(lambda: state(watched).shown == 11)
    watched.move("Occupant cost γ", "Home")
    watched.until(lambda: state(watched).occupant_cost == 0)
    watched.until(lambda: is_done(watched))
    watched.until(lambda: picture(watched) != before)


def test_a_small_graph_is_solved_exactly(opened):
    watched = opened  # whatever was drawn before: it is not computed again
    watched.choose("Scene", "Small graph, exact inference", exact=True)
    watched.until(lambda: state(watched).scene == "small")
    watched.until(lambda: is_done(watched))
    watched.until(lambda: "CSMN (exact) pays" in words(watched))
    assert len(picture(watched)["x"]) == 40


def test_own_tables_are_classified_and_bad_ones_refused(opened, tmp_path):
    watched, page = opened, opened.page
    files = write_graph(grow_graph(60, random_state=0), tmp_path)
    bad = tmp_path / "bad.csv"
    bad.write_text("source,target\n0,nobody\n")
    page.get_by_role("button", name="Own data").click()
    dialog = page.get_by_role("dialog")

    def attach(place, path):
        dialog.locator("input[type=file]").nth(place).set_input_files(path)
        dialog.get_by_text(path.name).first.wait_for()

    attach(0, files[0])
    attach(1, bad)
    parts = page_of(watched)
    run = state(watched).run
    dialog.get_by_role("button", name="Use this graph").click()
    dialog.get_by_text("names the node 'nobody', which does not exist").wait_for()
    assert state(watched).run is run
    for place, path in enumerate(files):
        attach(place, path)
    dialog.get_by_role("button", name="Use this graph").click()
    watched.until(lambda: state(watched).scene == "own")
    watched.until(lambda: is_done(watched))
    page.get_by_text("nodes.csv, three parts").wait_for()
    assert parts.state.run.setting.own.name == "nodes.csv"
    page.get_by_text("There is no curve").wait_for()
    page.get_by_role("button", name="Trace the curve").wait_for(state="hidden")
    page.get_by_role("button", name="The curve in numbers").click()
    page.get_by_role("region", name="Costs over the knob").wait_for()
    rows = page.get_by_role("region", name="Costs over the knob").locator("tbody tr")
    watched.until(lambda: rows.count() == 0)


def test_claims_of_the_paper_are_one_click_away(watched):
    page = watched.page
    page.get_by_role("button", name="Compute it here").click()
    bar = page.get_by_role("progressbar", name="Measuring")
    bar.wait_for()
    watched.until(lambda: float(bar.get_attribute("value") or 0) > 0)
    page.get_by_role("button", name="Cancel").last.click()
    bar.wait_for(state="detached")
