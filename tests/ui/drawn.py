"""The problem page on the tiny world, for the tests that draw."""

__all__ = ["Drawn"]


class Drawn:
    """The problem page on the tiny world, and what its model says."""

    def __init__(self, watched):
        self.watched, self.page = watched, watched.page
        self.problem = watched.explorer.context.problem
        self.editor = self.problem.editor
        self.page.keyboard.press("Escape")
        with watched.tuned():
            self.button("Clear").click()
            self.until(lambda: self.graph.n_features == 0)
            self.button("Tiny world").click()
        self.until(lambda: self.graph.features == ("peak", "centroid", "mean"))
        # What stands above an empty drawing moves this one when it goes.
        self.button("Add columns at zero cost").wait_for(state="hidden")
        self.until(self.is_drawn)

    @property
    def graph(self):
        return self.editor.drawing.hypergraph

    def until(self, condition, seconds=60):
        self.watched.until(condition, seconds)

    def until_done(self, said, seconds=60):
        """Wait until this was done: it can be undone once the drawing has changed."""
        self.until(lambda: self.editor.undoes.startswith(said), seconds)

    def is_drawn(self):
        """Whether the browser shows this drawing, no older one, and has come to rest.

        Drawings that look the same differ in the numbers of their nodes.
        """
        drawing = self.editor.drawing
        shown = self.page.locator("svg.drawing [data-id]").evaluate_all(
            "nodes => nodes.map(node => Number(node.dataset.id))"
        )
        if {*shown} != {*drawing.component_ids, *drawing.feature_ids}:
            return False
        before = self.box("Feature mean")
        self.page.wait_for_timeout(100)
        return before and self.box("Feature mean") == before

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
