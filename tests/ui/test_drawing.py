"""What a person draws and undoes by mouse, fingers and keyboard."""

import pytest

from tests.ui.conftest import USUAL

pytestmark = pytest.mark.browser


def has_focus(part):
    """Whether keys go to it: looked at in the shadow root that it is drawn in."""
    return part.evaluate("part => part.getRootNode().activeElement === part")


class TestByMouse:
    def test_nodes_are_added_by_button_and_by_double_click(self, tiny):
        before = tiny.graph
        tiny.button("Add a feature").click()
        tiny.until(lambda: "x1" in tiny.graph.features)
        tiny.undo_gives_back(before)
        # With Shift, a component.
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

    def test_what_was_typed_is_kept_where_another_node_is_added(self, tiny):
        before = tiny.graph
        box = tiny.node("Component fft").locator(".cost").bounding_box()
        tiny.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + 5)
        tiny.page.keyboard.type("7")
        tiny.button("Add a feature").click()
        tiny.page.locator("form.form").wait_for(state="hidden")
        tiny.until(lambda: "x1" in tiny.graph.features)
        tiny.until(lambda: tiny.graph.cost("peak") == 7)
        tiny.button("Undo").click()
        tiny.until(
            lambda: not ("x1" in tiny.graph.features and tiny.graph.cost("peak") == 7)
        )
        tiny.undo_gives_back(before)

    def test_drag_moves_and_undo_moves_back(self, tiny):
        places = tiny.editor.drawing.feature_places
        x, y = tiny.middle("Feature mean")
        tiny.drag((x, y), (x + 40, y + 60))
        tiny.until_done("Moved mean")
        moved = tiny.editor.drawing.feature_places
        assert moved[2, 1] > places[2, 1] + 20
        tiny.button("Undo").click()
        tiny.until(lambda: (tiny.editor.drawing.feature_places == places).all())

    def test_drag_from_the_rim_connects_and_again_disconnects_but_the_last(self, tiny):
        before = tiny.graph
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component fft"))
        tiny.until(lambda: tiny.graph.incidence[0, 2])
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component fft"))
        tiny.until(lambda: not tiny.graph.incidence[0, 2])
        assert tiny.graph.equals(before)
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component sum"))
        alert = tiny.page.locator(".refused")
        alert.wait_for()
        assert "'mean' needs at least one component" in alert.inner_text()
        assert tiny.graph.equals(before)

    def test_double_click_on_a_line_disconnects_and_undo_connects(self, tiny):
        lines = tiny.page.locator("[data-link]")
        drawn = lines.count()
        tiny.drag(tiny.rim("Feature mean"), tiny.middle("Component fft"))
        tiny.until(lambda: tiny.graph.incidence[0, 2] and lines.count() == drawn + 1)
        before = tiny.graph
        (x0, y0), (x1, y1) = tiny.middle("Component fft"), tiny.middle("Feature mean")
        tiny.page.mouse.dblclick(x0 + 0.45 * (x1 - x0), y0 + 0.45 * (y1 - y0))
        tiny.until(lambda: not tiny.graph.incidence[0, 2])
        tiny.undo_gives_back(before)

    def test_box_chooses_and_says_what_sharing_saves(self, tiny):
        x0, y0 = tiny.middle("Feature peak")
        x1, y1 = tiny.middle("Feature centroid")
        tiny.page.keyboard.down("Shift")
        tiny.drag((x0 - 90, y0 - 40), (x1 + 70, y1 + 40))
        tiny.page.keyboard.up("Shift")
        words = tiny.page.locator(".sum")
        tiny.until(lambda: "3.00 µs = 3.00 fft" in words.inner_text())
        assert "sharing saves 3.00" in words.inner_text()

    def test_a_node_at_the_edge_of_what_is_seen_is_chosen_and_nothing_moves(self, tiny):
        tiny.page.set_viewport_size({"width": 300, "height": 860})
        tiny.page.wait_for_timeout(400)
        tiny.button("Show everything").click()
        labels = ["Feature peak", "Component sum", "Feature mean"]
        places = [tiny.middle(label) for label in labels]
        for label in labels:
            tiny.page.mouse.click(*tiny.middle(label))
            chosen = tiny.page.get_by_role("option", name=label, selected=True)
            chosen.wait_for()
            now = [tiny.middle(one) for one in labels]
            assert now == [pytest.approx(place, abs=1) for place in places]
        tiny.page.set_viewport_size(USUAL)

    def test_hover_lights_components_and_column(self, tiny):
        tiny.watched.unfold("Incidence matrix")
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

    def test_one_finger_moves_a_node_and_two_zoom_between_them(self, tiny, fingers):
        places = tiny.editor.drawing.feature_places
        x, y = tiny.middle("Feature mean")
        fingers("touchStart", (x, y))
        for step in range(1, 6):
            fingers("touchMove", (x, y + 10 * step))
        fingers("touchEnd")
        tiny.until_done("Moved mean")
        assert tiny.editor.drawing.feature_places[2, 1] > places[2, 1] + 20
        width = tiny.box("Feature peak")["width"]
        x, y = tiny.middle("Feature centroid")
        fingers("touchStart", (x - 60, y - 120), (x + 60, y - 120))
        for step in range(1, 6):
            reach = 60 + 10 * step
            fingers("touchMove", (x - reach, y - 120), (x + reach, y - 120))
        fingers("touchEnd")
        tiny.until(lambda: tiny.box("Feature peak")["width"] > 1.4 * width)
        tiny.button("Show everything").click()


class TestByKeyboard:
    def test_draws_a_graph_from_nothing(self, tiny):
        with tiny.watched.tuned():
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

    def test_arrows_walk_and_connect_and_space_and_control_a_choose(self, tiny):
        tiny.node("Feature mean").click()
        tiny.press("e", "ArrowLeft", "Enter")
        tiny.until(lambda: tiny.graph.incidence[0, 2])
        assert tiny.graph.incidence[1, 2]
        tiny.node("Feature peak").click()
        tiny.press("ArrowRight", " ")
        tiny.until(lambda: len(tiny.editor.lit) == 2)
        tiny.press("Control+a")
        tiny.until(lambda: len(tiny.editor.lit) == 5)
        tiny.press("Escape")
        tiny.until(lambda: not tiny.editor.lit)

    def test_tab_goes_round_in_the_forms_and_escape_leaves_them(self, tiny):
        for kind in ("Component fft", "Feature peak"):
            self.goes_round(tiny, kind)

    def goes_round(self, tiny, kind):
        tiny.node(kind).click()
        tiny.press("Enter")
        name = tiny.page.get_by_label("Name", exact=True)
        cancel = tiny.page.locator("form").get_by_role("button", name="Cancel")
        tiny.until(lambda: has_focus(name))
        tiny.press("Shift+Tab")
        assert has_focus(cancel)
        tiny.press("Tab")
        assert has_focus(name)
        for _ in range(10):
            tiny.press("Tab")
            assert tiny.page.locator("form :focus").count() == 1
        tiny.press("Escape")
        assert has_focus(tiny.node(kind))

    def test_alt_and_arrows_move_in_one_step_of_undo(self, tiny):
        places = tiny.editor.drawing.feature_places
        tiny.node("Feature peak").click()
        # Held down: they follow each other as closely as the machine can.
        for key in ("Alt", "ArrowDown", "ArrowDown", "ArrowLeft"):
            tiny.page.keyboard.down(key)
        for key in ("ArrowLeft", "ArrowDown", "Alt"):
            tiny.page.keyboard.up(key)
        tiny.until_done("Moved peak")
        lower = pytest.approx(places[0, 1] + 24)
        assert tiny.editor.drawing.feature_places[0, 1] == lower
        tiny.press("Control+z")
        tiny.until(lambda: (tiny.editor.drawing.feature_places == places).all())

    def test_help_opens_and_closes(self, tiny):
        tiny.node("Feature peak").click()
        tiny.press("?")
        tiny.page.get_by_role("dialog", name="How to draw").wait_for()
        tiny.press("Escape")
        tiny.page.get_by_role("dialog", name="How to draw").wait_for(state="hidden")
