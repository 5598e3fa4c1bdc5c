"""What a new person does on the proof page, with mouse and keyboard."""

import io
import zipfile

import pytest

pytestmark = [
    pytest.mark.browser,
    # A method's path that stops early says so by a warning: no reason to stop the page.
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
LINK = (
    "?page=proof&data=heart&share=0.5&without=treadmill&ridge=0.1&tol=0.02"
    "&open=details,words,away"
)
USUAL = ("share", "without", "ridge", "tol", "within")


@pytest.fixture(scope="module")
def linked(open_module_page):
    """One page for all tests, as its link has asked for it."""
    found = open_module_page(LINK)
    settle(found)
    return found.remember()


@pytest.fixture
def watched(linked):
    """The page as it opens without a link, answered."""
    state = state_of(linked)
    usual = {name: state.param[name].default for name in USUAL}
    linked.restore()
    linked.do(lambda: state.param.update(**usual))
    settle(linked)
    return linked


def state_of(watched):
    return watched.explorer._page_parts("proof").state


def settle(watched):
    """Wait until the budget is answered as it stands now, and said."""
    state = state_of(watched)

    def is_settled():
        answer, run = state.answer, state.floors
        return (
            answer is not None
            and answer.is_final
            and answer.question == state.budget_question()
            and run.question == state.question()
        )

    watched.until(is_settled)
    upper = f"{state.known().upper:.4f}"
    watched.until(lambda: f"an objective of {upper}" in words(watched))


def words(watched):
    return watched.page.get_by_role("status").first.inner_text()


def drawn(watched, glyph_columns=("left", "right", "top", "lower")):
    return watched.figure_data("floor", glyph_columns, "band")


def test_the_address_brings_the_page_back_with_what_was_ruled_out(linked):
    linked.restore()
    settle(linked)
    state = state_of(linked)
    assert (state.share, state.without, state.ridge) == (0.5, ["treadmill"], 0.1)
    assert "and without treadmill" in words(linked)
    linked.page.get_by_text("With nothing ruled out the best").wait_for()


def test_opens_computed_on_heart_with_the_floor_drawn(watched):
    heading = watched.page.get_by_role("heading", level=1).inner_text()
    assert heading == "Proof: could anything do better for this money?"
    assert "no linear model has an objective below" in words(watched)
    run = state_of(watched).floors
    watched.until(lambda: drawn(watched)["left"][0] == 0)
    assert max(drawn(watched)["right"]) == pytest.approx(run.data.hypergraph.total_cost)
    watched.page.get_by_text("In all of them: treadmill").first.wait_for()
    watched.tune()
    watched.unfold("How the search runs")
    for name in ("Budget", "Ridge", "Nearly as good", "Tolerance", "Seconds"):
        watched.slider(name).wait_for()


def test_the_budget_is_dragged_by_its_knob(watched):
    state, before = state_of(watched), state_of(watched).share
    watched.page.evaluate("scrollTo(0, 0)")
    watched.drag_budget("floor", 100)
    watched.until(lambda: state.share > before + 0.05)
    settle(watched)


def test_the_budget_by_keyboard_moves_the_answer(watched):
    state, before = state_of(watched), words(watched)
    # A busy browser may still show the budget of the test before.
    handle = watched.slider("Budget")
    watched.until(lambda: float(handle.get_attribute("aria-valuenow")) == state.share)
    watched.move("Budget", "ArrowLeft", 12)
    watched.until(lambda: state.share == pytest.approx(0.29))
    settle(watched)
    assert words(watched) != before
    must = state.answer.nearly.found.in_all
    names = state.data.hypergraph.component_names
    wanted = {name for name, is_must in zip(names, must, strict=True) if is_must}

    def cells():
        return watched.figure_data("nearly", ["left", "name", "above"], "must")["name"]

    watched.until(lambda: {*cells()} == wanted)


def test_ruling_out_raises_the_floor_and_once_more_allows_it(watched):
    state = state_of(watched)
    before = state.answer.certified.upper
    watched.unfold("Rule something out")
    search = watched.page.get_by_label("Search components")
    search.fill("tread")
    rows = watched.page.get_by_role("region", name="Components").locator("tbody tr")
    watched.until(lambda: rows.count() == 1)
    name = rows.first.get_by_role("button")
    name.press("Enter")
    watched.until(lambda: state.without == ["treadmill"])
    settle(watched)
    assert "and without treadmill" in words(watched)
    assert state.answer.certified.lower > before
    watched.until(lambda: "ruled out" in rows.first.inner_text())
    # Its rows were made anew, and the keyboard stands where it stood.
    assert name.evaluate("one => one.getRootNode().activeElement === one")
    rows.first.click()
    watched.until(lambda: state.without == [])
    settle(watched)
    search.fill("")


def test_the_certificate_is_downloaded_with_its_checker(watched):
    with watched.page.expect_download() as waiting:
        watched.page.get_by_role("button", name="Certificate (zip)").click()
    content = waiting.value.path().read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == ["check_certificate.py", "floor.json"]


def test_a_list_that_was_cut_short_searches_on(watched):
    state = state_of(watched)
    watched.do(lambda: state.param.update(share=0.9, within=0.2))
    settle(watched)
    before = state.answer.nearly.found
    assert not before.complete
    watched.page.get_by_text(f"At least {before.count} selections come").wait_for()
    watched.page.get_by_role("button", name="List on").click()
    watched.until(lambda: state.answer.nearly.found.count > before.count)
    settle(watched)
    later = state.answer.nearly.found
    told = "Exactly" if later.complete else "At least"
    watched.page.get_by_text(f"{told} {later.count} selections come").wait_for()
