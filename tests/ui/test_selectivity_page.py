"""What a new person does on the selectivity page, with mouse and keyboard."""

import pytest

from explorer.pages.selectivity.streams import TIMED_SIZES
from solvers.methods.selective_ridge.chronometry import CONTENDERS

pytestmark = [
    pytest.mark.browser,
    # A solver that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
# Few methods for the frontier, which is looked at too.
LINK = (
    "?page=selectivity&data=breast_cancer&table=evoked&loss=logistic&methods=l1"
    "&open=details,figures,away"
)
# Of the slider of μ, in powers of ten.
STEP = 0.015


@pytest.fixture(scope="module")
def opened(open_module_page):
    """One page for all tests."""
    found = open_module_page(LINK)
    settle(found)
    return found.remember()


@pytest.fixture
def watched(opened):
    """The page as it opens, computed."""
    opened.restore()
    settle(opened)
    return opened


def state_of(watched):
    return watched.explorer._page_parts("selectivity").state


def page_of(watched):
    """The page of this session, which alone knows its jobs.

    Looking for it among all objects would hold one that a thread is making: in CPython
    a tuple fails to be made then.
    """
    return watched.explorer._page_parts("selectivity").start.__self__


def settle(watched):
    """Wait until everything that was asked is answered, and drawn."""
    page = page_of(watched)

    def is_settled():
        answer, state = page.state.answer, page.state
        return (
            answer is not None
            and (answer.bench.question, answer.share) == (state.question(), state.share)
            and answer.is_final
            and not any(job.busy for job in (page.answers, page.paths, page.gaps))
        )

    watched.until(is_settled)
    watched.until(lambda: f"μ = {page.state.answer.fit.mu:.3g}," in words(watched))


def words(watched):
    return watched.page.get_by_role("status").first.inner_text()


def drawn_map(watched):
    """Values of the map as the browser has them, flat."""
    image = watched.figure_data("map", ["image"])["image"][0]
    return list(image.values()) if isinstance(image, dict) else list(image)


def rows_of(watched, caption):
    return watched.page.get_by_role("region", name=caption).locator("tbody tr")


def test_opens_on_an_answer_with_its_proof_and_says_its_share(watched):
    heading = watched.page.get_by_role("heading", level=1).inner_text()
    assert heading.startswith("Selection: which of many features")
    assert "of 960 features used" in words(watched)
    watched.page.get_by_text("The answer is final.").wait_for()
    with watched.tuned():
        watched.slider("Ridge γ").wait_for()
    slider, state = watched.slider("Selectivity μ"), state_of(watched)
    share, largest = f"{state.share:.3g}", f"{state.answer.bench.largest:.3g}"
    watched.until(lambda: slider.get_attribute("aria-valuetext").startswith(share[:3]))
    assert f"{share} of μ₀ = {largest}: " in words(watched)


def test_quick_moves_of_mu_end_in_one_final_answer_that_is_drawn(watched):
    before, state = drawn_map(watched), state_of(watched)
    end = pytest.approx(state.share * 10 ** (5 * STEP), rel=0.02)
    for _ in range(5):
        watched.move("Selectivity μ", "ArrowRight")
        watched.page.wait_for_timeout(40)
    watched.until(lambda: state.share == end)
    settle(watched)
    assert state.answer.share == state.share
    coef = state.answer.fit.coef
    watched.until(lambda: drawn_map(watched) == pytest.approx(list(coef)))
    assert drawn_map(watched) != before
    watched.move("Selectivity μ", "End")
    watched.until(lambda: ": 0 of 960 features used" in words(watched))
    watched.move("Selectivity μ", "ArrowLeft", 10)
    end = pytest.approx(10 ** (-10 * STEP))
    watched.until(lambda: state.share == end)
    settle(watched)
    assert state.answer.counts["boundary"] > 0


def test_the_path_is_drawn_by_state_and_listed(watched):
    watched.unfold("The path as a table")
    path = state_of(watched).path
    columns = ["x", "boundary", "ridge"]
    mus = pytest.approx([answer.fit.mu for answer in path])
    watched.until(lambda: watched.figure_data("counts", columns)["x"] == mus)
    drawn = watched.figure_data("counts", columns)
    assert drawn["ridge"] == [answer.counts["ridge"] for answer in path]
    watched.until(lambda: watched.figure_data("path", ["x0", "y1", "name"])["x0"])
    rows = rows_of(watched, "Table of the path")
    watched.until(lambda: rows.count() == len(path))


def test_the_gap_of_both_algorithms_is_drawn_on_a_log_axis(watched):
    watched.unfold("Gap over iterations")
    gaps = state_of(watched).gaps
    ours = [p.iteration for p in gaps if p.algorithm == "interior_point"]

    def drawn():
        return watched.figure_data("gaps", ["x", "y"], "interior_point")

    watched.until(lambda: drawn() and drawn()["x"] == ours)
    assert drawn()["y"][-1] <= 1e-6
    watched.page.get_by_text("as published: relative gap").wait_for()


def test_gamma_and_loss_ask_anew_for_answer_and_path_and_are_in_the_link(watched):
    before = state_of(watched).bench
    watched.move("Ridge γ", "ArrowRight", 2)
    watched.until(lambda: state_of(watched).gamma > 1.0)
    watched.choose("Loss", "Squared")
    watched.until(lambda: state_of(watched).loss == "squared")
    settle(watched)
    state = state_of(watched)
    assert state.bench is not before
    assert {answer.bench for answer in state.path} == {state.bench}
    for said in (f"table={state.source}", "loss=squared", "gamma=", "share="):
        watched.until(lambda said=said: said in watched.page.url)


def test_the_map_can_show_states(watched):
    watched.choose("Map shows", "states")
    watched.until(lambda: set(drawn_map(watched)) <= {0.0, 1.0, 2.0})
    counts = state_of(watched).answer.counts
    assert drawn_map(watched).count(1.0) == counts["boundary"]
    watched.choose("Map shows", "coefficients")


def test_the_counterexample_is_one_click_away_and_computed(watched):
    watched.unfold("Where the published algorithm")
    watched.page.get_by_role("button", name="Compute the counterexample").click()
    watched.page.get_by_text("a = 0 and criterion 2").wait_for()
    shown = rows_of(watched, "Iterations on the counterexample")
    watched.until(lambda: shown.count() == len(state_of(watched).rows) > 2)


def test_timing_can_be_cancelled_and_started_again(watched):
    watched.unfold("Time against the number")
    start = watched.page.get_by_role("button", name="Time them on this machine")
    bar = watched.page.get_by_role("progressbar", name="Timing")
    start.click()
    watched.page.get_by_role("button", name="Cancel").last.click()
    bar.wait_for(state="hidden")
    watched.until(start.is_enabled)
    # How many of the small sizes were timed before the click is the machine's affair.
    assert len(state_of(watched).timings) < len(TIMED_SIZES) * len(CONTENDERS)
    start.click()
    watched.until(lambda: len(state_of(watched).timings) >= 3)
    watched.until(
        lambda: (watched.figure_data("timings", ["y"], "dual") or {}).get("y")
    )
    watched.page.get_by_text("Dual, one unknown a row: ").wait_for(timeout=90_000)


def test_the_session_s_table_is_drawn_as_bars(watched):
    watched.choose("Learn from", "The open data set")
    watched.until(lambda: state_of(watched).source == "session")
    settle(watched)
    names = state_of(watched).bench.data.names
    drawn = watched.figure_data("map", ["name", "coef", "state"])
    assert set(drawn["name"]) <= set(names)
    sizes = [abs(value) for value in drawn["coef"]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0


def test_it_stands_on_the_frontier_with_its_costs(watched):
    watched.page.get_by_text("Frontier", exact=True).click()
    watched.tune()
    watched.page.get_by_role("checkbox", name="Selective ridge").check()
    watched.until(lambda: "selective_ridge" in watched.state.methods)
    watched.until(watched.is_computed)
    points = watched.state.traces["selective_ridge"].points
    assert max(point.cost["mean"] for point in points) > 0
    watched.page.get_by_text("Selection", exact=True).click()
    watched.until(lambda: watched.explorer.session.page == "selectivity")
