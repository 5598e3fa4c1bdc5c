"""What a person draws, edits and undoes on the problem page, by mouse and keyboard."""

import json

import pytest
import xgi
from axe_playwright_python.sync_playwright import Axe

from solvers import read_hypergraph

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hacked=1">'


class Drawn:
    """The problem page on the tiny world, and what its model says."""

    def __init__(self, watched):
        self.watched, self.page = watched, watched.page
        self.problem = watched.explorer._page_parts("problem").state
        self.editor = self.problem.editor
        self.page.keyboard.press("Escape")
        self.button("Clear").click()
        self.until(lambda: self.graph.n_features == 0)
        self.button("Tiny world").click()
        self.until(lambda: self.graph.features == ("peak", "centroid", "mean"))
        self.node("Feature peak").wait_for()
        self.until(lambda: self.box("Feature mean"))

    @property
    def graph(self):
        return self.editor.drawing.hypergraph

    def until(self, condition, seconds=20):
        self.watched.until(condition, seconds)

    def node(self, label):
        return self.page.get_by_role("option", name=label)

    def box(self, label):
        return self.node(label).locator(".body").bounding_box()

    def middle(self, label):
        box = self.box(label)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, start, end):
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self.page.mouse.move(*end, steps=4)
        self.page.mouse.up()

    def rim(self, label):
        box = self.node(label).locator(".ring").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + 3

    def undo_gives_back(self, before):
        """Press Undo, and see the model and the browser as they were."""
        self.button("Undo").click()
        self.until(lambda: self.graph.equals(before))
        names = {*before.features, *before.components}
        shown = self.page.locator("[data-id] .name")
        self.until(lambda: set(shown.all_text_contents()) == names)


@pytest.fixture(scope="module")
def opened(open_module_page):
    return open_module_page("?page=problem")


@pytest.fixture
def tiny(opened):
    """The tiny world, as a new person would open it."""
    drawn = Drawn(opened)
    drawn.button("Show everything").click()
    return drawn


class TestByMouse:
    def test_add_feature_and_undo(self, tiny):
        before = tiny.graph
        tiny.button("Add a feature").click()
        tiny.until(lambda: "x1" in tiny.graph.features)
        tiny.undo_gives_back(before)

    def test_double_click_adds_a_component_with_shift(self, tiny):
        stage = tiny.page.locator(".stage").bounding_box()
        at = stage["x"] + 60, stage["y"] + stage["height"] - 60
        tiny.page.keyboard.down("Shift")
        tiny.page.mouse.dblclick(*at)
        tiny.page.keyboard.up("Shift")
        tiny.until(lambda: "c1" in tiny.graph.components)

    def test_double_click_on_a_cost_edits_it_in_place(self, tiny):
        before = tiny.graph
        box = tiny.node("Component fft").locator(".cost").bounding_box()
        tiny.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + 5)
        tiny.page.keyboard.type("8")
        tiny.press("Enter")
        tiny.until(lambda: tiny.graph.cost("peak") == 8)
        tiny.undo_gives_back(before)

    def test_drag_moves_and_undo_moves_back(self, tiny):
        places = tiny.editor.drawing.feature_places
        x, y = tiny.middle("Feature mean")
        tiny.drag((x, y), (x + 40, y + 60))
        tiny.until(lambda: tiny.editor.undoes == "Moved mean")
        moved = tiny.editor.drawing.feature_places
        assert moved[2, 1] > places[2, 1] + 20
        tiny.button("Undo").click()
        tiny.until(lambda: (tiny.editor.drawing.feature_places == places).all())

    def test_drag_from_the_rim_connects_and_the_same_again_disconnects(self, tiny):
        before = tiny.graph
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component fft"))
        tiny.until(lambda: tiny.graph.incidence[0, 2])
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component fft"))
        tiny.until(lambda: not tiny.graph.incidence[0, 2])
        assert tiny.graph.equals(before)

    def test_double_click_on_a_line_disconnects_and_undo_connects(self, tiny):
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component fft"))
        tiny.until(lambda: tiny.graph.incidence[0, 2])
        before = tiny.graph
        (x0, y0), (x1, y1) = tiny.middle("Component fft"), tiny.middle("Feature mean")
        tiny.page.mouse.dblclick(x0 + 0.45 * (x1 - x0), y0 + 0.45 * (y1 - y0))
        tiny.until(lambda: not tiny.graph.incidence[0, 2])
        tiny.undo_gives_back(before)

    def test_last_connection_is_refused_with_a_sentence(self, tiny):
        before = tiny.graph
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component sum"))
        alert = tiny.page.locator(".refused")
        alert.wait_for()
        assert "'mean' needs at least one component" in alert.inner_text()
        assert tiny.graph.equals(before)

    def test_box_chooses_and_says_what_sharing_saves(self, tiny):
        x0, y0 = tiny.middle("Feature peak")
        x1, y1 = tiny.middle("Feature centroid")
        tiny.page.keyboard.down("Shift")
        tiny.drag((x0 - 90, y0 - 40), (x1 + 70, y1 + 40))
        tiny.page.keyboard.up("Shift")
        words = tiny.page.locator(".sum")
        tiny.until(lambda: "sharing saves 3.00" in words.inner_text())
        assert "3.00 µs = 3.00 fft" in words.inner_text()

    def test_hover_lights_components_and_column(self, tiny):
        tiny.node("Feature peak").hover()
        tiny.until(lambda: "lit" in tiny.node("Component fft").get_attribute("class"))
        assert "lit" not in tiny.node("Component sum").get_attribute("class").split()
        column = str(tiny.editor.drawing.feature_ids[0])
        cell = tiny.page.locator(f'th[data-column="{column}"]')
        tiny.until(lambda: "lit" in (cell.get_attribute("class") or ""))
        assert "3.00 µs = 3.00 fft" in tiny.page.locator(".sum").inner_text()

    def test_zoom_pan_and_fit_bring_back_the_view(self, tiny):
        start = tiny.middle("Feature peak")
        tiny.page.mouse.move(*start)
        tiny.page.keyboard.down("Control")
        tiny.page.mouse.wheel(0, -200)
        tiny.page.keyboard.up("Control")
        tiny.until(lambda: tiny.box("Feature peak")["width"] > 120)
        tiny.drag((start[0], start[1] + 120), (start[0] + 50, start[1] + 150))
        tiny.button("Show everything").click()
        tiny.until(lambda: abs(tiny.middle("Feature peak")[0] - start[0]) < 2)


class TestByTouch:
    @pytest.fixture
    def fingers(self, tiny):
        """Touch the page with any number of fingers."""
        session = tiny.page.context.new_cdp_session(tiny.page)

        def touch(kind, *places):
            points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
            session.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
            )

        yield touch
        session.detach()

    def test_two_fingers_zoom_around_what_lies_between_them(self, tiny, fingers):
        width = tiny.box("Feature peak")["width"]
        x, y = tiny.middle("Feature centroid")
        fingers("touchStart", (x - 60, y - 120), (x + 60, y - 120))
        for step in range(1, 6):
            reach = 60 + 10 * step
            fingers("touchMove", (x - reach, y - 120), (x + reach, y - 120))
        fingers("touchEnd")
        tiny.until(lambda: tiny.box("Feature peak")["width"] > 1.4 * width)
        tiny.button("Show everything").click()

    def test_one_finger_moves_a_node(self, tiny, fingers):
        places = tiny.editor.drawing.feature_places
        x, y = tiny.middle("Feature mean")
        fingers("touchStart", (x, y))
        for step in range(1, 6):
            fingers("touchMove", (x, y + 10 * step))
        fingers("touchEnd")
        tiny.until(lambda: tiny.editor.undoes == "Moved mean")
        assert tiny.editor.drawing.feature_places[2, 1] > places[2, 1] + 20


class TestByKeyboard:
    def test_draws_a_graph_from_nothing(self, tiny):
        tiny.button("Clear").click()
        tiny.until(lambda: tiny.graph.n_features == 0)
        tiny.page.locator("svg.drawing").focus()
        tiny.press("c")
        tiny.node("Component c1").wait_for()
        tiny.press("Enter")
        tiny.page.get_by_label("Name", exact=True).fill("fft")
        tiny.page.locator("form").get_by_label("Cost").fill("0.003 ms")
        tiny.press("Enter")
        tiny.until(lambda: tiny.graph.components == ("fft",))
        assert tiny.graph.component_costs.tolist() == [3.0]
        tiny.press("f")
        tiny.node("Feature x1").wait_for()
        assert tiny.graph.cost("x1") == 3.0
        tiny.press("f")
        tiny.node("Feature x2").wait_for()
        tiny.press("e", "ArrowUp", "Enter")
        tiny.until(lambda: tiny.graph.n_components in (1, 2))
        tiny.page.get_by_role("button", name="Make up rows").click()
        tiny.until(lambda: tiny.problem.session.dataset.n_features == 2)

    def test_rename_delete_undo_and_redo(self, tiny):
        before = tiny.graph
        tiny.node("Feature peak").click()
        tiny.press("F2")
        tiny.page.get_by_label("Name", exact=True).fill("top")
        tiny.press("Enter")
        tiny.until(lambda: tiny.graph.features[0] == "top")
        tiny.node("Feature top").wait_for()
        tiny.press("Delete")
        tiny.until(lambda: tiny.graph.n_features == 2)
        tiny.page.locator("svg.drawing").focus()
        tiny.press("Control+z")
        tiny.until(lambda: tiny.graph.n_features == 3)
        tiny.press("Control+z")
        tiny.until(lambda: tiny.graph.equals(before))
        tiny.press("Control+y")
        tiny.until(lambda: tiny.graph.features[0] == "top")

    def test_arrows_walk_and_connect(self, tiny):
        tiny.node("Feature mean").click()
        tiny.press("e", "ArrowLeft", "Enter")
        tiny.until(lambda: tiny.graph.incidence[0, 2])
        assert tiny.graph.incidence[1, 2]

    def test_alt_and_arrows_move_in_one_step_of_undo(self, tiny):
        places = tiny.editor.drawing.feature_places
        tiny.node("Feature peak").click()
        tiny.press("Alt+ArrowDown", "Alt+ArrowDown", "Alt+ArrowLeft")
        tiny.until(lambda: tiny.editor.undoes == "Moved peak")
        assert tiny.editor.drawing.feature_places[0, 1] == places[0, 1] + 24
        tiny.press("Control+z")
        tiny.until(lambda: (tiny.editor.drawing.feature_places == places).all())

    def test_space_and_control_a_choose(self, tiny):
        tiny.node("Feature peak").click()
        tiny.press("ArrowRight", " ")
        tiny.until(lambda: len(tiny.editor.lit) == 2)
        tiny.press("Control+a")
        tiny.until(lambda: len(tiny.editor.lit) == 5)
        tiny.press("Escape")
        tiny.until(lambda: not tiny.editor.lit)

    def test_help_opens_and_closes(self, tiny):
        tiny.node("Feature peak").click()
        tiny.press("?")
        tiny.page.get_by_role("dialog", name="How to draw").wait_for()
        tiny.press("Escape")
        tiny.page.get_by_role("dialog", name="How to draw").wait_for(state="hidden")


class TestMatrix:
    def test_cost_is_edited_in_step_with_the_drawing_and_the_session(self, tiny):
        before = tiny.graph
        cell = tiny.page.get_by_label("Cost of fft")
        cell.fill("7")
        cell.press("Enter")
        tiny.node("Component fft, 7.00 µs").wait_for()
        assert tiny.problem.session.dataset.hypergraph.cost("peak") == 7
        tiny.undo_gives_back(before)
        tiny.until(lambda: cell.input_value() == "3")

    def test_toggle_by_mouse_and_by_keyboard(self, tiny):
        before = tiny.graph
        tiny.button("mean needs fft").click()
        tiny.until(lambda: tiny.graph.incidence[0, 2])
        tiny.press("ArrowDown", "ArrowLeft", "Enter")
        tiny.until(lambda: tiny.graph.incidence[1, 1])
        tiny.button("Undo").click()
        tiny.button("Undo").click()
        tiny.until(lambda: tiny.graph.equals(before))

    def test_refused_cost_is_said_and_put_back(self, tiny):
        cell = tiny.page.get_by_label("Cost of fft")
        cell.fill("-4")
        cell.press("Enter")
        tiny.page.locator(".refused").get_by_text("'-4'").wait_for()
        tiny.until(lambda: cell.input_value() == "3")


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

    def test_load_and_undo_the_load(self, tiny, tmp_path):
        before = tiny.graph
        file = tmp_path / "other.csv"
        file.write_text(
            "component,kind,cost_us,peak,centroid,mean\na,generation,2,1,1,1\n"
        )
        tiny.page.locator("input[type=file]").last.set_input_files(str(file))
        tiny.until(lambda: tiny.graph.components == ("a",))
        assert tiny.problem.session.dataset.hypergraph.total_cost == 2
        tiny.undo_gives_back(before)

    def test_hostile_file_is_refused_with_a_sentence(self, tiny, tmp_path):
        before = tiny.graph
        file = tmp_path / "other.json"
        file.write_text("[" * 100_000)
        tiny.page.locator("input[type=file]").last.set_input_files(str(file))
        tiny.page.locator("[role=alert]:not(:empty) .message").first.wait_for()
        assert tiny.graph is before

    def test_saved_file_gives_back_the_graph(self, tiny):
        with tiny.page.expect_download() as download:
            tiny.page.get_by_role("button", name="Save as HIF").click()
        content = download.value.path().read_bytes()
        assert json.loads(content)["network-type"] == "undirected"
        assert read_hypergraph(content, "x.json").hypergraph.equals(tiny.graph)

    def test_saved_file_survives_a_detour_through_xgi(self, tiny, tmp_path):
        before = tiny.graph
        with tiny.page.expect_download() as download:
            tiny.page.get_by_role("button", name="Save as HIF").click()
        file = tmp_path / "detour.json"
        xgi.write_hif(xgi.read_hif(download.value.path()), file)
        tiny.button("Clear").click()
        tiny.until(lambda: tiny.graph.n_features == 0)
        tiny.page.locator("input[type=file]").last.set_input_files(str(file))
        tiny.until(lambda: tiny.graph.n_features == 3)
        assert tiny.graph.equals(before)

    def test_link_carries_the_drawing(self, tiny, open_page):
        tiny.page.get_by_role("button", name="Link to this drawing").click()
        link = tiny.page.get_by_role("link", name="Open or copy this link")
        query = link.get_attribute("href")
        other = open_page(query)
        state = other.explorer._page_parts("problem").state
        other.until(lambda: state.editor.drawing.hypergraph.equals(tiny.graph))

    def test_measured_costs_are_one_step_that_can_be_undone(self, tiny):
        tiny.page.get_by_role("button", name="Table 1 of the paper").click()
        tiny.until(lambda: tiny.graph.n_features == 11)
        published = tiny.graph
        tiny.page.get_by_role("button", name="Measure on this machine").click()
        tiny.until(lambda: tiny.editor.undoes.startswith("Set costs"), 60)
        assert not (tiny.graph.component_costs == published.component_costs).all()
        tiny.button("Undo").click()
        tiny.until(lambda: tiny.graph.equals(published))

    def test_verified_times_stand_beside_predicted_ones(self, tiny):
        tiny.page.get_by_role("button", name="Table 1 of the paper").click()
        tiny.until(lambda: tiny.graph.n_features == 11)
        tiny.node("Feature skewness").click()
        tiny.until(lambda: tiny.editor.lit)
        tiny.page.get_by_role("button", name="Verify on this machine").click()
        words = tiny.page.get_by_text("9 of 9 repeats")
        words.wait_for(timeout=60_000)
        assert "Chosen in the drawing: predicted" in words.inner_text()

    def test_generator_by_slider_and_undo(self, tiny):
        before = tiny.graph
        tiny.page.get_by_role("combobox", name="Data set").click()
        tiny.page.get_by_text("sources", exact=True).last.click()
        slider = tiny.page.get_by_role("slider", name="Sources")
        slider.focus()
        slider.press("Home")
        tiny.page.get_by_role("button", name="Open this data set").click()
        tiny.until(lambda: tiny.problem.session.dataset.name == "sources")
        assert tiny.graph.n_features == 2 * 5
        tiny.undo_gives_back(before)

    def test_no_accessibility_rule_is_broken(self, tiny):
        results = Axe().run(
            tiny.page,
            options={
                "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
            },
        )
        broken = [
            (rule["id"], [node["html"][:120] for node in rule["nodes"]][:3])
            for rule in results.response["violations"]
        ]
        assert not broken, broken

    def test_narrow_window_shows_the_drawing_without_scrolling_sideways(
        self, open_page
    ):
        watched = open_page("?page=problem", viewport={"width": 390, "height": 844})
        drawn = (
            Drawn(watched)
            if watched.page.get_by_role("button", name="Tiny world").is_visible()
            else None
        )
        width = watched.page.evaluate("document.scrollingElement.scrollWidth")
        assert width <= 390
        assert drawn is None or drawn.box("Feature peak")["x"] >= 0
