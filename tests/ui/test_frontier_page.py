"""What a new person does on the frontier page, with mouse and keyboard."""

import itertools

import pytest

from tests.ui.wcag import broken_rules, show_theme

pytestmark = [
    pytest.mark.browser,
    # A solver that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
CONTROLS = ["Trade-off λ", "Quasi-norm p", "Runtime budget"]
QUICK_MOVES = 12


def picture(watched):
    """What is drawn in the browser: the frontier's marks, the bars and what is lit."""
    return {
        "ring": watched.figure_data("frontier", ["x", "f1"]),
        "bars": watched.figure_data("bars", ["title", "f1", "label"]),
        "lit": watched.figure_data("hypergraph", ["x", "name", "what", "colour"]),
        "words": watched.page.get_by_role("status").first.inner_text(),
    }


def still_picture(watched):
    """What is drawn, once all is there and has not changed for a second."""
    seen = [picture(watched)]

    def is_still():
        watched.page.wait_for_timeout(1000)
        seen.append(picture(watched))
        return seen[-1] == seen[-2] and None not in seen[-1].values()

    watched.until(is_still)
    return seen[-1]


def is_redrawn(watched, before):
    after = picture(watched)
    return (
        after["bars"] != before["bars"]
        and after["lit"]["colour"] != before["lit"]["colour"]
    )


P_STEP = 0.01


def is_traced_at(watched, p):
    trace = watched.state.traces.get("acafh")
    return trace and trace.is_complete and trace.points[0].params["p"] == p


def press(watched, name, key, times=1):
    slider = watched.slider(name)
    slider.focus()
    for _ in range(times):
        slider.press(key)


@pytest.fixture(scope="module")
def opened(open_module_page):
    return open_module_page()


@pytest.fixture
def watched(opened):
    """The page after whatever other tests did to it, at rest."""
    opened.until(opened.is_computed)
    return opened


def test_opens_on_a_computed_frontier(watched):
    assert watched.page.get_by_role("heading", level=1).inner_text().startswith("Fron")
    watched.until(lambda: "Best within the budget" in picture(watched)["words"])
    assert len(watched.state.traces) == len(watched.state.methods) >= 4


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_have_their_names(watched, name):
    watched.until(lambda: watched.slider(name).count() == 1)


def points(watched):
    """The rows of the table of points."""
    watched.page.get_by_role("button", name="All points in a table").wait_for()
    watched.unfold()
    table = watched.page.get_by_role("region", name="Table of points")
    table.scroll_into_view_if_needed()
    rows = table.locator("tbody tr")
    watched.until(rows.count)
    return rows


def test_scores_of_the_table_have_three_decimals_each(watched):
    rows = points(watched)
    # The second cell of a row, the first score; of many rows some end in a nought.
    scores = [row.locator("td").nth(1).inner_text() for row in rows.all()]
    assert all(len(score.partition(".")[2]) == 3 for score in scores), scores


def test_the_keyboard_stays_on_the_point_that_it_picks(watched):
    """Rows are made anew, and many are named by the same method."""
    name = points(watched).nth(2).get_by_role("button")
    name.press("Enter")
    watched.until(lambda: name.get_attribute("aria-pressed") == "true")
    assert name.evaluate("one => one.getRootNode().activeElement === one")


def test_budget_by_keyboard_changes_ring_bars_and_hypergraph(watched):
    before = picture(watched)
    press(watched, "Runtime budget", "Home")
    press(watched, "Runtime budget", "ArrowRight", 8)
    watched.until(lambda: picture(watched)["words"] != before["words"])
    watched.until(lambda: is_redrawn(watched, before))


def test_budget_by_mouse_picks_another_point(watched):
    press(watched, "Runtime budget", "Home")
    watched.until(lambda: watched.state.budget == 0)
    box = watched.slider("Runtime budget").locator("xpath=../..").bounding_box()
    watched.page.mouse.click(
        box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2
    )
    full_cost = watched.state.dataset.hypergraph.total_cost
    watched.until(lambda: watched.state.budget > 0.7 * full_cost)
    watched.until(lambda: "Best within the budget" in picture(watched)["words"])


def test_trade_off_lights_the_model_solved_at_exactly_that_value(watched):
    before = picture(watched)
    press(watched, "Trade-off λ", "ArrowRight", 10)
    watched.until(lambda: "exactly λ" in picture(watched)["words"])
    watched.until(
        lambda: (
            watched.state.marks
            and abs(
                watched.state.marks["acafh"].params["alpha"] / watched.state.alpha - 1
            )
            < 1e-9
        )
    )
    watched.until(lambda: is_redrawn(watched, before))


def test_quasi_norm_recomputes_the_path_of_acafh_alone(watched):
    before, start = dict(watched.state.traces), watched.state.p
    press(watched, "Quasi-norm p", "ArrowRight", 15)
    watched.until(lambda: watched.state.p == pytest.approx(start + 15 * P_STEP))
    watched.until(lambda: is_traced_at(watched, watched.state.p))
    assert watched.is_computed()
    assert {point.params["p"] for point in watched.state.traces["acafh"].points} == {
        watched.state.p
    }
    assert watched.state.traces["l1"] is before["l1"]


def test_twelve_quick_moves_end_in_one_complete_result(watched):
    start = watched.state.p
    for _ in range(QUICK_MOVES):
        press(watched, "Quasi-norm p", "ArrowLeft")
        watched.page.wait_for_timeout(40)
    end = pytest.approx(start - QUICK_MOVES * P_STEP)
    watched.until(lambda: watched.state.p == end)
    watched.until(lambda: is_traced_at(watched, watched.state.p))
    watched.page.wait_for_timeout(500)
    trace = watched.state.traces["acafh"]
    assert trace.is_complete
    assert {point.params["p"] for point in trace.points} == {watched.state.p}
    titles = ["ACAFH"] * len(trace.points)
    columns = ["validation", "title"]
    watched.until(lambda: watched.figure_data("frontier", columns)["title"] == titles)


def test_several_splits_draw_a_band_and_say_what_is_noise(watched):
    watched.choose("Splits", "three: mean and spread")
    watched.until(lambda: watched.state.n_runs == 3)
    watched.until(lambda: len(watched.state.bands()) == len(watched.state.methods))
    watched.until(lambda: "over 3 runs" in picture(watched)["words"])
    watched.until(lambda: watched.figure_data("frontier", ["low", "high"])["low"])
    watched.choose("Splits", "one", exact=True)
    watched.until(lambda: "over 3 runs" not in picture(watched)["words"])


def test_the_whole_frontier_is_verified_on_this_machine(watched):
    watched.page.get_by_role("button", name="Verify on this machine").click()
    words = watched.page.get_by_text("9 of 9 repeats")
    words.wait_for(timeout=90_000)
    assert "Chosen point: predicted" in words.inner_text()
    drawn = watched.figure_data("verification", ["predicted", "measured"])
    frontier = watched.state.frontier().undominated()
    names = {(p.method, p.cost["mean"]) for p in frontier if p.features.any()}
    assert len(drawn["predicted"]) == 1 + len(names)


def test_two_sessions_do_not_disturb_each_other(open_page):
    first, second = open_page(), open_page()
    before = still_picture(second)
    press(first, "Runtime budget", "Home")
    first.until(lambda: first.state.budget == 0)
    first.page.wait_for_timeout(500)
    assert picture(second) == before
    assert second.state.budget > 0


def test_accounting_is_named_on_the_axis(watched):
    watched.choose("Accounting", "worst row")
    watched.until(lambda: watched.state.accounting == "max")


PLACES = """costs => {
  for (const document of Bokeh.documents)
    for (const model of document._all_models.values())
      if (model.type === "Figure" && model.name === "frontier")
        return costs.map(c => Bokeh.index.find_one(model).frame.x_scale.compute(c))
}"""


def test_costs_that_double_stand_equally_far_apart_on_the_logarithmic_axis(watched):
    def steps():
        at = watched.page.evaluate(PLACES, [5, 10, 20, 40])
        return [right - left for left, right in itertools.pairwise(at)]

    switch = watched.page.get_by_role("switch", name="Logarithmic cost")
    assert steps()[2] == pytest.approx(4 * steps()[0])
    switch.press("Space")
    watched.until(lambda: steps() == pytest.approx([steps()[0]] * 3))
    switch.press("Space")
    watched.until(lambda: steps()[2] == pytest.approx(4 * steps()[0]))


def test_a_link_restores_the_choices(open_page):
    watched = open_page("?page=frontier&p=0.3&penalty=mcp&accounting=p95&lambda=0.01")
    assert watched.state.p == pytest.approx(0.3)
    assert watched.state.alpha == pytest.approx(0.01)
    assert (watched.state.penalty, watched.state.accounting) == ("mcp", "p95")


def test_a_hostile_link_is_left_out(open_page):
    watched = open_page("?p=7&lambda=nan&methods=<b>x</b>&data=../../etc&budget=-1")
    assert watched.state.p == 0.5
    assert len(watched.state.methods) >= 4


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_rule_of_wcag_is_broken(watched, theme):
    show_theme(watched, theme)
    broken = broken_rules(watched)
    assert not broken, broken


def test_nothing_runs_over_on_a_narrow_window(open_page):
    watched = open_page(viewport={"width": 390, "height": 844})
    watched.until(watched.fits)
    watched.until(lambda: not watched.explorer.page.sidebar_open)
