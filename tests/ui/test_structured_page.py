"""What a new person does on the structured-costs page, with mouse and keyboard."""

import pytest

from solvers.markov import write_graph
from solvers.markov.growth import grow_graph
from tests.ui.wcag import broken_rules, show_theme

pytestmark = [
    pytest.mark.browser,
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# Of the sliders of a grown graph.
STEP = 0.005
# Small enough that a comparison is done before anybody looks.
QUERY = "?page=structured&nodes=100&seeds=1"
DRAWN = ("x", "y", "fill", "ring_colour", "size", "cost")


@pytest.fixture(scope="module")
def module_page(open_module_page):
    watched = open_module_page(QUERY)
    watched.until(lambda: is_done(watched))
    return watched


def page_of(watched):
    return watched.explorer._page_parts("structured")


def state(watched):
    return page_of(watched).state


def is_done(watched):
    """Whether all that is asked for is computed, and drawn in the browser."""
    if not state(watched).is_up_to_date:
        return False
    drawn = picture(watched)
    sketch = state(watched).run.sketch(state(watched).shown)
    return drawn and len(drawn["x"]) == len(sketch.nodes)


def picture(watched):
    return watched.figure_data("structured", DRAWN)


def words(watched):
    return watched.page.get_by_role("status").first.inner_text()


def press(watched, name, key, times=1):
    slider = watched.slider(name)
    slider.focus()
    for _ in range(times):
        slider.press(key)


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


def test_opens_computed_with_a_question_and_an_answer(module_page):
    heading = module_page.page.get_by_role("heading", level=1).inner_text()
    assert heading.startswith("Structured costs: what do mistakes")
    module_page.until(lambda: "CSMN pays" in words(module_page))
    names = ["Label agreement ρ", "Extra links α", "Attribute strength δ"]
    for name in names:
        module_page.slider(name).wait_for()
    module_page.until(lambda: state(module_page).curve is not None)
    module_page.until(lambda: state(module_page).curve_request() is None)
    module_page.until(
        lambda: module_page.figure_data("curve", ["x", "low", "high"]) is not None
    )


def test_agreement_by_keyboard_pays_anew_and_moves_no_node(module_page):
    before, start = picture(module_page), state(module_page).label_agreement
    press(module_page, "Label agreement ρ", "ArrowLeft", 10)
    end = pytest.approx(start - 10 * STEP)
    module_page.until(lambda: state(module_page).label_agreement == end)
    wait_for_change(module_page, before)
    after = picture(module_page)
    assert (after["x"], after["y"]) == (before["x"], before["y"])
    assert state(module_page).run.request.growth["label_agreement"] < 0.85


def n_models(watched):
    """How many models the browser holds."""
    return watched.page.evaluate("Bokeh.documents[0]._all_models.size")


def test_keys_and_a_hundred_themes_while_the_curve_is_traced(module_page):
    def change_theme():
        session = module_page.explorer.session
        session.dark = not session.dark

    def at_rest():
        is_traced = state(module_page).curve_request() is None
        return is_done(module_page) and is_traced

    module_page.until(at_rest)
    before = n_models(module_page)
    for _ in range(20):
        press(module_page, "Label agreement ρ", "ArrowLeft")
        for _ in range(5):
            module_page.explorer.context.post(change_theme)
    # The last of a hundred may still come: until then a click is on what was.
    passed = []
    module_page.explorer.context.post(lambda: passed.append(True))
    press(module_page, "Label agreement ρ", "ArrowRight", 20)
    module_page.until(lambda: passed)
    module_page.until(at_rest)
    module_page.until(lambda: n_models(module_page) == before)


def test_another_method_is_drawn_at_once_and_compared(module_page):
    before = picture(module_page)
    module_page.choose("Drawn method", "LOGREG", exact=True)
    wait_for_change(module_page, before)
    module_page.until(lambda: words(module_page).startswith("LOGREG pays"))
    module_page.choose("Difference to", "CSMN", exact=True)
    module_page.until(lambda: "than CSMN" in words(module_page))
    assert "CSMN pays" not in words(module_page)
    module_page.choose("Difference to", "no other method", exact=True)
    module_page.until(lambda: "than CSMN" not in words(module_page))


def test_a_node_is_looked_at_by_mouse(module_page):
    sketch = state(module_page).run.sketch(0)
    module_page.page.locator("canvas").first.scroll_into_view_if_needed()

    def is_picked():
        # What arrives meanwhile may move the page under the mouse.
        click_at(module_page, *sketch.places[5])
        module_page.page.wait_for_timeout(400)
        return state(module_page).picked == ("node", 5)

    module_page.until(is_picked)
    lens = module_page.page.get_by_text("Cost of calling it a row", exact=False)
    lens.wait_for()
    module_page.page.get_by_text("Node 5: called", exact=False).wait_for()


def test_a_costly_link_is_looked_at_without_a_mouse(module_page):
    table = module_page.page.get_by_role("region", name="Costliest mistakes")
    row = table.get_by_role("button", name="link").first
    row.focus()
    row.press("Enter")
    module_page.until(lambda: (state(module_page).picked or ("",))[0] == "edge")
    module_page.page.get_by_text("Link ", exact=False).first.wait_for()


def test_a_ticked_method_joins_table_and_health(module_page):
    box = module_page.page.get_by_role("checkbox", name="MN (tree-reweighted)")
    box.check()
    module_page.until(lambda: "MN (tree-reweighted)" in state(module_page).methods)
    module_page.until(lambda: is_done(module_page))
    table = module_page.page.get_by_role("region", name="Costs of all methods")
    table.get_by_role("button", name="MN (tree-reweighted)").wait_for()
    module_page.page.get_by_text("MN (tree-reweighted): converged").wait_for()
    box.uncheck()
    module_page.until(lambda: is_done(module_page))


def test_twelve_quick_moves_end_in_one_complete_result(module_page):
    start = state(module_page).attribute_strength
    for _ in range(12):
        press(module_page, "Attribute strength δ", "ArrowLeft")
        module_page.page.wait_for_timeout(40)
    end = pytest.approx(start - 12 * STEP)
    module_page.until(lambda: state(module_page).attribute_strength == end)
    module_page.until(lambda: is_done(module_page))
    module_page.page.wait_for_timeout(300)
    strength = state(module_page).attribute_strength
    assert state(module_page).run.request.growth["attribute_strength"] == strength


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_rule_of_wcag_is_broken(module_page, theme):
    show_theme(module_page, theme)
    broken = broken_rules(module_page)
    assert not broken, broken


def test_sensors_have_lamps_snapshots_and_an_occupant_cost(module_page):
    module_page.choose("Scene", "Sensors on a floor plan", exact=True)
    module_page.until(lambda: state(module_page).scene == "sensors")
    module_page.until(lambda: is_done(module_page))
    assert len(picture(module_page)["x"]) >= 50
    module_page.until(lambda: module_page.figure_data("structured", ["left"])["left"])
    before = picture(module_page)
    press(module_page, "Snapshot", "Home")
    module_page.until(lambda: "00:30" in words(module_page))
    press(module_page, "Snapshot", "End")
    module_page.until(lambda: state(module_page).shown == 11)
    press(module_page, "Occupant cost γ", "Home")
    module_page.until(lambda: state(module_page).occupant_cost == 0)
    module_page.until(lambda: is_done(module_page))
    module_page.until(lambda: picture(module_page) != before)


def test_a_small_graph_is_solved_exactly(module_page):
    module_page.choose("Scene", "Small graph, exact inference", exact=True)
    module_page.until(lambda: state(module_page).scene == "small")
    module_page.until(lambda: is_done(module_page))
    module_page.until(lambda: "CSMN (exact) pays" in words(module_page))
    assert len(picture(module_page)["x"]) == 40


def test_own_tables_are_classified_and_bad_ones_refused(module_page, tmp_path):
    page = module_page.page
    files = write_graph(grow_graph(60, random_state=0), tmp_path)
    bad = tmp_path / "bad.csv"
    bad.write_text("source,target\n0,nobody\n")
    page.get_by_role("button", name="Own data").click()
    dialog = page.get_by_role("dialog")

    def attach(place, path):
        dialog.locator("input[type=file]").nth(place).set_input_files(path)
        dialog.get_by_text(f"Uploaded {path.name}").first.wait_for()

    attach(0, files[0])
    attach(1, bad)
    parts = page_of(module_page)
    run = state(module_page).run
    dialog.get_by_role("button", name="Use this graph").click()
    dialog.get_by_text("names the node 'nobody', which does not exist").wait_for()
    assert state(module_page).run is run
    for place, path in enumerate(files):
        attach(place, path)
    dialog.get_by_role("button", name="Use this graph").click()
    module_page.until(lambda: state(module_page).scene == "own")
    module_page.until(lambda: is_done(module_page))
    page.get_by_text("nodes.csv, three parts").wait_for()
    assert parts.state.run.request.own.name == "nodes.csv"
    page.get_by_text("There is no curve").wait_for()
    page.get_by_role("button", name="Trace the curve").wait_for(state="hidden")
    page.get_by_role("button", name="The curve in numbers").click()
    page.get_by_role("region", name="Costs over the knob").wait_for()
    rows = page.get_by_role("region", name="Costs over the knob").locator("tbody tr")
    module_page.until(lambda: rows.count() == 0)


def test_claims_of_the_paper_are_one_click_away(module_page):
    page = module_page.page
    module_page.unfold("What of the paper reproduces")
    page.get_by_role("button", name="Measure the paper's claims").click()
    bar = page.get_by_role("progressbar", name="Measuring claims")
    bar.wait_for()
    module_page.until(lambda: float(bar.get_attribute("value") or 0) > 0)
    page.get_by_role("button", name="Cancel").last.click()
    bar.wait_for(state="detached")


def test_nothing_runs_over_on_a_narrow_window(module_page):
    module_page.page.set_viewport_size({"width": 390, "height": 844})
    module_page.page.wait_for_timeout(1000)
    module_page.until(module_page.fits)
