"""What a person edits, loads, measures and undoes on the problem page."""

import json

import pytest
import xgi

from explorer.session.state import bundled
from solvers import read_hypergraph
from solvers.costs.interchange.sources import sample_data
from tests.ui.wcag import broken_rules

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

FORMS = {
    "costs with groups": "heart_costs.csv",
    "an incidence matrix": "heart_incidence.csv",
}
HOSTILE = '<img src=x onerror="window.hacked=1">'


class TestMatrix:
    def test_cost_is_edited_in_step_with_the_drawing_and_the_session(self, tiny):
        before = tiny.graph
        tiny.watched.unfold("Incidence matrix")
        cell = tiny.page.get_by_role("textbox", name="Cost of fft")
        cell.fill("7")
        cell.press("Enter")
        tiny.node("Component fft, 7.00 µs").wait_for()
        assert tiny.problem.session.dataset.hypergraph.cost("peak") == 7
        tiny.undo_gives_back(before)
        tiny.until(lambda: cell.input_value() == "3")
        # What is none is refused, and put back.
        cell.fill("-4")
        cell.press("Enter")
        tiny.page.locator(".refused").get_by_text("'-4'").wait_for()
        tiny.until(lambda: cell.input_value() == "3")

    def test_a_further_price_is_added_typed_and_undone(self, tiny):
        before, page = tiny.graph, tiny.page
        tiny.watched.unfold("Further prices")
        page.get_by_label("Name of a price").fill("energy")
        page.get_by_label("Its unit").fill("mJ")
        tiny.button("Add this price").click()
        tiny.until(lambda: tiny.graph.prices)
        table = page.get_by_role("region", name="Prices", exact=True)
        table.get_by_role("button", name="fft", exact=True).click()
        cell = page.get_by_label("energy (mJ) of fft")
        cell.fill("1.5")
        cell.press("Enter")
        tiny.until(lambda: tiny.graph.price("energy").values[0] == 1.5)
        assert (tiny.graph.price("energy").unit, tiny.graph.cost("peak")) == ("mJ", 3)
        tiny.button("Undo").click()
        tiny.until(lambda: tiny.graph.price("energy").values[0] == 0)
        tiny.undo_gives_back(before)

    def test_toggle_by_mouse_and_by_keyboard(self, tiny):
        before = tiny.graph
        tiny.watched.unfold("Incidence matrix")
        tiny.button("mean needs fft").click()
        tiny.until(lambda: tiny.graph.incidence[0, 2])
        tiny.press("ArrowDown", "ArrowLeft", "Enter")
        tiny.until(lambda: tiny.graph.incidence[1, 1])
        tiny.button("Undo").click()
        tiny.button("Undo").click()
        tiny.until(lambda: tiny.graph.equals(before))


class TestWholePage:
    def test_names_are_never_markup(self, tiny):
        tiny.node("Feature peak").click()
        tiny.press("Enter")
        tiny.page.get_by_label("Name", exact=True).fill(HOSTILE)
        tiny.press("Enter")
        tiny.until(lambda: tiny.graph.features[0] == HOSTILE)
        tiny.press("Delete")
        tiny.page.get_by_text("disagree").first.wait_for()
        assert tiny.page.evaluate("window.hacked") is None
        assert tiny.page.locator('img[src="x"]').count() == 0

    def test_disagreement_names_the_column_and_offers_a_remedy(self, tiny):
        tiny.node("Feature mean").click()
        tiny.press("Delete")
        tiny.page.get_by_text("no feature describes column 'mean'").wait_for()
        tiny.page.get_by_role("button", name="Add columns at zero cost").click()
        tiny.until(lambda: tiny.problem.session.dataset.hypergraph.cost("mean") == 0)

    def test_a_file_is_loaded_and_undone_and_a_hostile_one_refused(
        self, tiny, tmp_path
    ):
        before = tiny.graph
        file = tmp_path / "other.csv"
        file.write_text(
            "component,kind,cost_us,peak,centroid,mean\na,generation,2,1,1,1\n"
        )
        with tiny.watched.tuned() as drawer:
            drawer.locator("input[type=file]").last.set_input_files(str(file))
        tiny.until(lambda: tiny.graph.components == ("a",))
        session = tiny.problem.session
        tiny.until(lambda: session.dataset.hypergraph.total_cost == 2)
        tiny.undo_gives_back(before)
        before = tiny.graph
        file = tmp_path / "other.json"
        file.write_text("[" * 100_000)
        with tiny.watched.tuned() as drawer:
            drawer.locator("input[type=file]").last.set_input_files(str(file))
            drawer.locator("[role=alert]:not(:empty) .message").first.wait_for()
        assert tiny.graph is before

    def test_the_same_file_is_saved_as_often_as_one_asks(self, tiny):
        for _ in range(2):
            with tiny.watched.tuned(), tiny.page.expect_download() as download:
                tiny.page.get_by_role("button", name="Save as CSV").click()
            assert b"fft" in download.value.path().read_bytes()

    def test_a_saved_file_gives_back_the_graph_after_a_detour_through_xgi(
        self, tiny, tmp_path
    ):
        before = tiny.graph
        with tiny.watched.tuned(), tiny.page.expect_download() as download:
            tiny.page.get_by_role("button", name="Save as HIF").click()
        content = download.value.path().read_bytes()
        assert json.loads(content)["network-type"] == "undirected"
        assert read_hypergraph(content, "x.json").hypergraph.equals(before)
        file = tmp_path / "detour.json"
        xgi.write_hif(xgi.read_hif(download.value.path()), file)
        with tiny.watched.tuned():
            tiny.button("Clear").click()
        tiny.until(lambda: tiny.graph.n_features == 0)
        with tiny.watched.tuned() as drawer:
            drawer.locator("input[type=file]").last.set_input_files(str(file))
        tiny.until(lambda: tiny.graph.n_features == 3)
        assert tiny.graph.equals(before)

    def test_a_link_carries_the_drawing_to_a_narrow_window_and_fits(
        self, tiny, open_page
    ):
        with tiny.watched.tuned() as drawer:
            drawer.get_by_role("button", name="Link to this drawing").click()
            link = drawer.get_by_role("link", name="Open or copy this link")
            address = link.get_attribute("href")
        narrow = {"width": 390, "height": 844}
        other = open_page(address, viewport=narrow)
        state = other.explorer.context.problem
        other.until(lambda: state.editor.drawing.hypergraph.equals(tiny.graph))
        other.until(lambda: not other.explorer.page.sidebar_open)
        other.until(other.fits)
        assert other.page.locator("svg.drawing").bounding_box()["x"] >= 0

    def test_measured_costs_are_one_step_that_can_be_undone(self, tiny):
        with tiny.watched.tuned() as drawer:
            drawer.get_by_role("button", name="Table 1 of the paper").click()
        tiny.until(lambda: tiny.graph.n_features == 11)
        published = tiny.graph
        tiny.watched.unfold("Measured costs")
        tiny.page.get_by_role("button", name="Measure on this machine").click()
        tiny.until_done("Set costs", 60)
        assert not (tiny.graph.component_costs == published.component_costs).all()
        tiny.button("Undo").click()
        tiny.until(lambda: tiny.graph.equals(published))

    def test_verified_times_stand_beside_predicted_ones(self, tiny):
        with tiny.watched.tuned() as drawer:
            drawer.get_by_role("button", name="Table 1 of the paper").click()
        tiny.until(lambda: tiny.graph.n_features == 11)
        tiny.node("Feature skewness").click()
        tiny.until(lambda: tiny.editor.lit)
        tiny.watched.unfold("Predicted and measured times")
        tiny.page.get_by_role("button", name="Verify on this machine").click()
        words = tiny.page.get_by_text("9 of 9 repeats")
        words.wait_for(timeout=60_000)
        assert "Chosen in the drawing: predicted" in words.inner_text()

    def test_generator_by_slider_and_undo(self, tiny):
        before = tiny.graph
        tiny.watched.tune()
        tiny.watched.choose("Data set", "sources", exact=True)
        slider = tiny.page.get_by_role("slider", name="Sources")
        slider.focus()
        slider.press("Home")
        tiny.page.get_by_role("button", name="Open this data set").click()
        tiny.watched.tune(is_open=False)
        tiny.until(lambda: tiny.problem.session.dataset.name == "sources")
        assert tiny.graph.n_features == 2 * 5
        tiny.undo_gives_back(before)


def attach(watched, label, name):
    content = sample_data("heart", name).read_bytes()
    watched.page.get_by_label(label).first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def priced(watched, form):
    """Bring the costs in one of the two forms in which they are published."""
    dialog = watched.page.get_by_role("dialog")
    if form != "an incidence matrix":  # that is the drawing, which is offered first
        content = sample_data("heart", FORMS[form]).read_bytes()
        dialog.locator("input[type=file]").nth(1).set_input_files(
            {"name": FORMS[form], "mimeType": "text/csv", "buffer": content}
        )
    dialog.get_by_text("13 of 13 features have a price.").wait_for()


@pytest.mark.parametrize("form", FORMS)
def test_the_heart_table_offers_all_thirteen_tests(tiny, form):
    watched = tiny.watched
    page, session = watched.page, watched.explorer.session
    watched.tune()
    if form == "an incidence matrix":
        attach(watched, "Load a hypergraph", FORMS[form])
        graph = watched.explorer.context.problem.editor
        watched.until(lambda: graph.drawing.hypergraph.unit == "CAD")
    page.get_by_role("button", name="Upload a table").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").first.set_input_files(
        {
            "name": "heart.csv",
            "mimeType": "text/csv",
            "buffer": sample_data("heart", "heart.csv").read_bytes(),
        }
    )
    kind = dialog.get_by_label("Kind of column ca", exact=True)
    kind.wait_for()
    assert kind.input_value() == "number"
    assert dialog.get_by_label("Use of disease", exact=True).input_value() == "label"
    # By keyboard, as in any list of the browser's own.
    kind.focus()
    page.keyboard.type("ordered")
    page.keyboard.press("Tab")
    dialog.get_by_label("Order of the values of ca").wait_for()
    priced(watched, form)
    page.get_by_role("button", name="Open this table").click()
    watched.until(lambda: session.dataset.n_features == 13)
    watched.tune(is_open=False)
    kinds = {column.name: column.kind for column in session.dataset.schema}
    assert kinds["ca"] == "ordered"
    assert kinds["cp"] == "category"
    assert session.dataset.unit == "CAD"
    assert session.dataset.n_samples == 303
    watched.turn("frontier")
    watched.until(watched.is_computed)
    assert watched.state.dataset.n_features == 13
    assert len(watched.state.chosen().point.features) == 13


def test_columns_of_the_open_table_change_and_are_undone(tiny):
    watched = tiny.watched
    page, session = watched.page, watched.explorer.session
    opened = bundled("heart")
    watched.do(lambda: watched.explorer.context.problem.open_dataset(opened))
    watched.unfold("Columns", "Incidence matrix")
    page.get_by_role("button", name="Show the columns").click()
    # The matrix tells the kinds of nodes, under the same names.
    kind = page.get_by_label("Kind of column ca", exact=True).filter(
        has=page.locator("option[value=category]")
    )
    kind.select_option("category")
    watched.until(lambda: session.dataset is not opened)
    page.get_by_text("columns: ca=0, ca=1, ca=2, ca=3, ...").wait_for()
    assert not broken_rules(watched)
    page.get_by_role("button", name="Undo").first.click()
    watched.until(lambda: session.dataset is opened)
    watched.until(lambda: kind.input_value() == "number")
