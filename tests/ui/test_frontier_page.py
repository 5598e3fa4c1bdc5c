"""What a new person does on the frontier page, with mouse and keyboard."""

import itertools
import json
import re
from pathlib import Path

import pytest

from explorer.session.state import bundled
from tests.ui.conftest import FEW, IDLE
from tests.ui.kept import kept
from tests.ui.wcag import broken_rules

pytestmark = [
    pytest.mark.browser,
    # A solver that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# Few rows, and the methods that are ticked by themselves.
HOSTILE = (
    "?p=7&lambda=nan&methods=<b>x</b>&budget=-1&data=breast_cancer"
    f"&open=details,figures,away{FEW}"
)
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial_1.md"
QUICK_MOVES = 6
P_STEP = 0.01


@pytest.fixture(scope="module")
def opened(open_module_page):
    """The page, by a link of which little can be used."""
    return open_module_page(HOSTILE).remember()


@pytest.fixture
def watched(opened):
    """The page as it opens, at rest."""
    opened.restore()
    opened.until(opened.is_computed)
    return opened


def picture(watched):
    """What is drawn in the browser: the ring, what is lit, and the words."""
    return {
        "ring": watched.figure_data("frontier", ["x", "y"], "chosen"),
        "lit": watched.figure_data("hypergraph", ["x", "name", "fill"], "features"),
        "words": watched.page.get_by_role("status").first.inner_text(),
    }


def still_picture(watched):
    """What is drawn, once nothing is computed or told, and it does not change."""
    watched.until_idle()
    watched.page.wait_for_function(IDLE)
    seen = [picture(watched)]

    def is_still():
        watched.page.wait_for_timeout(400)
        seen.append(picture(watched))
        return seen[-1] == seen[-2] and None not in seen[-1].values()

    watched.until(is_still)
    return seen[-1]


def is_redrawn(watched, before):
    after = picture(watched)
    return (
        after["ring"] != before["ring"]
        and after["lit"]["fill"] != before["lit"]["fill"]
    )


def says(watched, words):
    watched.until(lambda: words in picture(watched)["words"])


def test_a_hostile_link_is_left_out_and_the_page_opens_computed(watched):
    heading = watched.page.get_by_role("heading", level=1).inner_text()
    assert heading.startswith("Frontier")
    says(watched, "best within the budget")
    state = watched.state
    assert (state.p, state.alpha) == (0.5, 0.003)
    assert state.budget > 0
    assert len(state.traces) == len(state.methods) >= 4
    for name in ("Trade-off λ", "Quasi-norm p", "Runtime budget"):
        assert watched.slider(name).count() == 1, name


def test_points_are_listed_with_three_decimals_and_picked_by_keyboard(watched):
    """Rows are made anew, and many are named by the same method."""
    watched.unfold("All points in a table")
    table = watched.page.get_by_role("region", name="Table of points")
    table.scroll_into_view_if_needed()
    rows = table.locator("tbody tr")
    watched.until(rows.count)
    # The second cell of a row, the first score; of many rows some end in a nought.
    scores = [row.locator("td").nth(1).inner_text() for row in rows.all()]
    assert all(len(score.partition(".")[2]) == 3 for score in scores), scores
    name = rows.nth(2).get_by_role("button")
    name.press("Enter")
    watched.until(lambda: name.get_attribute("aria-pressed") == "true")
    assert name.evaluate("one => one.getRootNode().activeElement === one")


def test_the_budget_moves_ring_and_hypergraph_by_keyboard_and_mouse(watched):
    # What is drawn may be that of another test, until the browser has come to rest.
    before = still_picture(watched)
    watched.move("Runtime budget", "Home")
    watched.until(lambda: watched.state.budget == 0)
    watched.move("Runtime budget", "ArrowRight", 8)
    watched.until(lambda: picture(watched)["words"] != before["words"])
    watched.until(lambda: is_redrawn(watched, before))
    box = watched.slider("Runtime budget").locator("xpath=../..").bounding_box()
    watched.page.mouse.click(
        box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2
    )
    full_cost = watched.state.dataset.hypergraph.total_cost
    watched.until(lambda: watched.state.budget > 0.7 * full_cost)
    says(watched, "best within the budget")


def test_the_budget_is_dragged_by_its_knob_and_the_picture_stays(watched):
    still_picture(watched)
    watched.page.evaluate("scrollTo(0, 0)")
    before, ends = watched.state.budget, "f => [f.x_range.start, f.x_range.end]"
    axis = watched.of_figure("frontier", ends)
    watched.drag_budget("frontier", -60)
    watched.until(lambda: watched.state.budget < 0.9 * before)
    still_picture(watched)  # of the moves of a drag the last has come
    low = watched.state.budget
    watched.drag_budget("frontier", 30)
    watched.until(lambda: low < watched.state.budget < before)
    assert watched.of_figure("frontier", ends) == axis


def test_trade_off_lights_the_model_solved_at_exactly_that_value(watched):
    before = picture(watched)
    watched.move("Trade-off λ", "ArrowRight", 10)
    says(watched, "exactly λ")
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


def test_quick_moves_of_the_quasi_norm_end_in_one_new_path_of_acafh_alone(watched):
    state, before = watched.state, dict(watched.state.traces)
    for _ in range(QUICK_MOVES):
        watched.move("Quasi-norm p", "ArrowLeft")
        watched.page.wait_for_timeout(40)
    end = 0.5 - QUICK_MOVES * P_STEP
    watched.until(lambda: state.p == pytest.approx(end))

    def has_ended():
        points = state.traces["acafh"].points
        return watched.is_computed() and {p.params["p"] for p in points} == {state.p}

    # Where a machine is busy, what was asked for last begins a while later.
    watched.until(has_ended)
    points = state.traces["acafh"].points
    assert state.traces["l1"] is before["l1"]
    marks, columns = [f"model:acafh:{k}" for k in range(len(points))], ["x", "thing"]

    def drawn():
        return watched.figure_data("frontier", columns, "acafh")["thing"]

    watched.until(lambda: drawn() == marks)


def test_several_splits_draw_a_band_and_say_what_is_noise(watched):
    watched.do(lambda: watched.state.param.update(methods=["forward_selection", "l1"]))
    watched.choose("Splits", "three: mean and spread")
    watched.until(lambda: watched.state.n_runs == 3)
    watched.until(lambda: len(watched.state.bands()) == len(watched.state.methods))
    says(watched, "over 3 runs")
    watched.until(
        lambda: watched.figure_data("frontier", ["y1", "y2"], "band l1")["y1"]
    )
    watched.choose("Splits", "one", exact=True)
    watched.until(lambda: "over 3 runs" not in picture(watched)["words"])


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

    watched.tune()
    switch = watched.page.get_by_role("switch", name="Logarithmic cost")
    watched.until(lambda: steps() == pytest.approx([steps()[0]] * 3))
    switch.press("Space")
    watched.until(lambda: steps()[2] == pytest.approx(4 * steps()[0]))
    switch.press("Space")
    watched.until(lambda: steps() == pytest.approx([steps()[0]] * 3))


def test_the_walk_of_the_tutorial(watched):
    """Step by step, with the labels that it names, on the data that it names."""
    problem, signals = watched.explorer.context.problem, bundled("signals")
    watched.do(lambda: watched.state.param.update(methods=["l1"]))
    watched.do(lambda: problem.open_dataset(signals))
    watched.until(watched.is_computed)
    page, text = watched.page, TUTORIAL.read_text("utf-8")
    status = page.get_by_role("status").filter(has_text="best within the budget")
    assert {
        "Runtime budget",
        "DAG",
        "Stop DAG",
        "Accounting",
        "Selection (JSON)",
        "Script (Python)",
    } <= set(re.findall(r"\*\*(.+?)\*\*", text))
    # 2: the budget.
    before = status.inner_text()
    watched.move("Runtime budget", "ArrowLeft")
    watched.move("Runtime budget", "Home")
    watched.until(lambda: watched.state.budget == 0)
    watched.move("Runtime budget", "End")
    watched.until(lambda: status.count() and status.inner_text() != before)
    # 4: another method, stopped early.
    watched.tune()
    page.get_by_role("checkbox", name="DAG", exact=True).check()
    stop = page.get_by_role("button", name=re.compile("Stop DAG"))
    watched.until(lambda: "dag" in watched.state.traces)
    stop.click()
    watched.until(lambda: stop.count() == 0)
    assert not watched.state.traces["dag"].is_complete
    watched.tune(is_open=False)
    # 5: another account.
    (account,) = re.findall(r"\*\*Accounting\*\* to \*(.+?)\*", text)
    watched.choose("Accounting", account)
    watched.until(lambda: watched.state.accounting == "max")
    watched.until(lambda: "accounting=max" in page.url)
    # 7: what is taken away.
    with page.expect_download() as download:
        page.get_by_role("button", name="Script (Python)").click()
    assert "max" in Path(download.value.path()).read_text("utf-8")
    with page.expect_download() as download:
        page.get_by_role("button", name="Selection (JSON)").click()
    told = json.loads(Path(download.value.path()).read_text("utf-8"))
    bought = watched.state.chosen().point.features
    names = watched.state.dataset.hypergraph.features
    assert told["features"] == list(itertools.compress(names, bought))


def test_two_people_do_not_disturb_each_other(watched, open_page):
    watched.move("Trade-off λ", "ArrowRight")
    watched.until(lambda: watched.state.alpha != 0.003)
    kept(watched, '"alpha":' + json.dumps(watched.state.alpha))
    other = open_page(f"?data=breast_cancer&methods=acafh&open=details{FEW}")
    before = still_picture(other)
    assert (other.state.alpha, other.state.p) == (0.003, 0.5)
    assert other.explorer.context.undo_stack.undoes == ""
    watched.move("Runtime budget", "Home")
    watched.until(lambda: watched.state.budget == 0)
    watched.page.wait_for_timeout(500)
    assert picture(other) == before
    assert other.state.budget > 0


class TestFiguresOfThePaper:
    def drawn(self, watched):
        return watched.figure_data("paper", ["x", "y", "name"]) or {}

    def compute(self, watched, figure):
        watched.choose("Figure", figure)
        watched.page.get_by_role("button", name="Compute it here").click()

    def test_one_is_drawn_tabled_and_told_once_it_is_asked_for(self, watched):
        page = watched.page
        figure = "Fig. 9: memory against features, traffic repeated"
        start = page.get_by_role("button", name="Compute it here")
        start.scroll_into_view_if_needed()
        watched.choose("Figure", figure)
        page.get_by_text("Not computed here yet.").wait_for()
        page.get_by_text("grows quadratically").wait_for()
        assert not self.drawn(watched)
        self.compute(watched, figure)
        page.get_by_text("m = 1,080 to 5,400").wait_for(timeout=90_000)
        sizes = [1080, 2160, 3240, 4320, 5400]
        watched.until(lambda: self.drawn(watched).get("x") == sizes)
        table = page.get_by_role("region", name="Rows of the figure")
        watched.until(lambda: table.get_by_role("row").count() == 1 + 5 * 5)
        assert broken_rules(watched) == {}

    def test_another_picture_of_one_is_drawn_when_chosen(self, watched):
        self.compute(watched, "Blocks against sharing and features")
        watched.page.get_by_text("m = 10,000: ").wait_for(timeout=90_000)

        def drawn():
            # The figure of another study is in the document for a while.
            columns = ["x", "y", "name"]
            return watched.figure_data("paper", columns, "m = 10000") or {"y": []}

        watched.until(lambda: len(drawn()["y"]) == 7)
        before = drawn()["y"]
        watched.choose("Picture", "Largest block (features)")
        watched.until(lambda: drawn()["y"] != before)
        assert len(drawn()["x"]) == 7

    def test_a_long_one_is_cancelled(self, watched):
        page, words = watched.page, "rows so far; not complete."
        self.compute(watched, "Fig. 2: best F1 within a budget, generated data")
        page.get_by_text(words).wait_for(timeout=90_000)
        page.get_by_role("button", name="Cancel").last.click()
        watched.until(page.get_by_role("button", name="Compute it here").is_enabled)
        page.wait_for_timeout(500)
        assert page.get_by_text(words).is_visible()
