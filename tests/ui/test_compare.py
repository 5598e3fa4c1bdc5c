"""Pin a frontier, change something, and see both."""

import pytest

from tests.ui.test_sessions import QUICK, button

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
GHOSTS = """() => {
  const found = []
  for (const document of Bokeh.documents)
    for (const model of document._all_models.values())
      if (model.type === "GlyphRenderer" && /^pin \\d$/.test(model.name ?? ""))
        found.push([model.name, model.visible && model.data_source.get_length() > 0])
  return found
}"""
MODELS = "() => Bokeh.documents.reduce((n, d) => n + d._all_models.size, 0)"


@pytest.fixture(scope="module")
def opened(open_module_page):
    return open_module_page(QUICK)


@pytest.fixture
def watched(opened):
    """The page with a single pin, called "before"."""
    opened.until(opened.is_computed)
    pins = opened.state.pins
    if [pin.name for pin in pins] != ["before"]:
        opened.explorer.context.post(lambda: setattr(opened.state, "pins", []))
        opened.page.get_by_role("button", name="Unpin").first.wait_for(state="hidden")
        pin_as(opened, "before")
    return opened


def pin_as(watched, name):
    watched.page.get_by_role("textbox", name="Name of the pin").fill(name)
    watched.page.keyboard.press("Tab")
    button(watched, "Pin this frontier").click()
    button(watched, f"Unpin {name}", exact=True).wait_for()


def drawn(watched):
    """Which pins the browser shows."""
    return watched.page.evaluate(GHOSTS)


def words(watched):
    return " ".join(watched.page.get_by_role("status").all_inner_texts())


def test_a_pin_is_drawn_and_told_without_new_models(watched):
    watched.until(lambda: ["pin 1", True] in drawn(watched))
    watched.until(lambda: "no difference" in words(watched))
    n_models = watched.page.evaluate(MODELS)
    watched.slider("Runtime budget").press("ArrowRight")
    pin_as(watched, "other")
    watched.until(lambda: ["pin 2", True] in drawn(watched))
    assert ["pin 3", False] in drawn(watched)
    assert watched.page.evaluate(MODELS) == n_models


def test_a_change_is_told_beside_the_pin(watched):
    problem = watched.explorer.context.problem
    costs = {name: 9.0 for name in problem.editor.drawing.hypergraph.components[:40]}
    before = watched.state.dataset
    watched.explorer.context.post(
        lambda: problem.set_costs(costs, "ms", "Dearer components")
    )
    watched.until(lambda: watched.state.dataset is not before)
    watched.until(watched.is_computed)
    watched.until(lambda: "on “before”" in words(watched))
    watched.page.get_by_role("cell", name="before").first.wait_for()


def test_another_accounting_is_told_and_not_drawn(watched):
    watched.choose("Accounting", "worst row")
    watched.until(lambda: "not drawn on one axis" in words(watched))
    watched.until(lambda: ["pin 1", False] in drawn(watched))
    watched.choose("Accounting", "mean over rows")
    watched.until(lambda: ["pin 1", True] in drawn(watched))


def test_pinning_is_undone(watched):
    pin_as(watched, "another")
    watched.until(lambda: len(watched.state.pins) == 2)
    # The point that is lit may have moved since, which is a step of its own.
    for _ in range(3):
        if len(watched.state.pins) == 2:
            watched.page.keyboard.press("Control+z")
            watched.page.wait_for_timeout(1000)
    watched.until(lambda: [pin.name for pin in watched.state.pins] == ["before"])


def test_a_fourth_pin_is_refused_with_a_sentence(watched):
    for name in ("two", "three"):
        pin_as(watched, name)
    button(watched, "Pin this frontier").click()
    watched.page.get_by_text("unpin one first").wait_for()


def test_the_bundle_is_downloaded(watched, tmp_path):
    with watched.page.expect_download(timeout=90_000) as download:
        button(watched, "Everything (bundle)").click()
    assert download.value.suggested_filename == "thriftscope.zip"
    download.value.save_as(tmp_path / "found.zip")
    assert (tmp_path / "found.zip").read_bytes().startswith(b"PK")


def test_nothing_runs_over_on_a_narrow_window(watched):
    watched.page.set_viewport_size({"width": 390, "height": 844})
    watched.page.wait_for_timeout(500)
    watched.until(watched.fits)
