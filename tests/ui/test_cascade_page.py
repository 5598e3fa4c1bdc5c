"""The cascade page in a real browser: both ways to exit, and what each shows."""

import pytest

from explorer.pages.cascade.queries import RIVALS
from explorer.pages.cascade.stages import CascadeStages
from tests.ui.conftest import USUAL
from tests.ui.wcag import rules_broken_in_a_theme

pytestmark = [
    pytest.mark.browser,
    # A page that closes in the middle of a message leaves the message unsent.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

LINK = (
    "?page=cascade&C=10&order=value&confidence=gap&exit=0.25&cap=0.5"
    "&share=0.1&buys=block&objective=f1&open=details,words,figures,away"
)
ASKED = {
    "C": 10.0,
    "order": "value",
    "confidence": "gap",
    "share": 0.25,
    "cap": 0.5,
    "budget": 0.1,
    "buying": "block",
    "objective": "f1",
}
START = {
    "source": "breast_cancer",
    "C": 1.0,
    "order": "alone",
    "confidence": "distance",
    "cap": 1.0,
    "share": 0.5,
    "buying": "both",
    "model": "logistic",
    "routing": 0,
    "objective": "accuracy",
    "budget": 0.3,
    "row": 0,
    "step": 100_000,
}

# What the browser says waits until `letGo`; rows that are put anew are counted.
HOLD = """() => {
  const { send } = WebSocket.prototype, held = []
  WebSocket.prototype.send = function (...said) { held.push([this, said]) }
  window.letGo = () => {
    WebSocket.prototype.send = send
    for (const [socket, said] of held) socket.send(...said)
  }
  window.puts = 0
  for (const { _all_models } of Bokeh.documents)
    for (const model of _all_models.values())
      if (model.type === "Figure" && model.name === "stages")
        for (const one of model.renderers) one.data_source.change.connect(() => puts++)
}"""

# Whether the browser has all exits, and has said so.
HAS_EXITS = """() => Bokeh.documents.some(({ _all_models }) =>
  [..._all_models.values()].some(one => {
    const { data, tags } = one.redraw ? one : {}
    const number = data?.get ? data.get("number") : data?.number
    return number && number[0] === tags[0]
  }))"""


class Cascade:
    """The page, and what its link has asked for when it opened."""

    def __init__(self, watched):
        self.watched, self.page = watched, watched.page
        self.state = watched.explorer._page_parts("cascade").state
        self.until = watched.until
        self.computed()
        self.asked = {name: getattr(self.state, name) for name in ASKED}

    def begin(self, way):
        """Begin with the first data set's cascade, trained and at rest."""
        self.watched.do(lambda: self.state.param.update(way=way, **START))
        self.computed()
        slider = self.slider()
        start = START["share" if way == "tefe" else "budget"]
        self.until(lambda: float(slider.get_attribute("aria-valuenow")) == start)
        return self

    def slider(self):
        """What moves the way that is shown."""
        is_tefe = self.state.way == "tefe"
        return self.watched.slider("Exit threshold" if is_tefe else "Runtime budget")

    def is_trained(self):
        asked, hyper = self.state, self.state.hyper
        if asked.cascade is None or (asked.way == "hypergraph" and hyper is None):
            return False
        known = asked.cascade.request
        if (known.source, known.C, known.order) != (asked.source, asked.C, asked.order):
            return False
        if asked.way == "tefe":
            return known.is_calibrated or asked.confidence != "calibrated"
        found = hyper.request
        return (
            *(found.source, found.order, found.model),
            *(found.routing, found.objective),
        ) == (
            *(asked.source, asked.buying, asked.model),
            *(asked.routing, asked.objective),
        )

    def computed(self):
        """Wait until the cascade that is asked for is there, and its rivals."""
        self.until(self.is_trained)
        self.until(lambda: not RIVALS.missing(self.state))

    def drawn(self, figure, column):
        return self.watched.figure_data(figure, [column])[column]

    def dots(self):
        """Rows that leave right, wrong, and the one that is followed."""
        columns = {"right": ["x", "y", "row"], "wrong": ["x", "row"], "here": ["x"]}
        data = self.watched.figure_data
        return {name: data("stages", told, name) for name, told in columns.items()}

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def rows(self, region):
        found = self.page.get_by_role("region", name=region, exact=True)
        return found.locator("tbody tr")


@pytest.fixture(scope="module")
def opened(open_module_page):
    return Cascade(open_module_page(LINK))


def test_a_link_restores_the_choices(opened):
    assert opened.asked == ASKED


class TestOneThreshold:
    @pytest.fixture
    def cascade(self, opened):
        return opened.begin("tefe")

    def test_the_page_opens_already_computed(self, cascade):
        cascade.until(lambda: len(cascade.drawn("stages", "leave_right")) == 30)
        cascade.page.locator(".summary").get_by_text("test rows right").wait_for()
        heading = cascade.page.locator("h1").first.inner_text()
        assert "when is a prediction sure enough to stop?" in heading

    def test_the_threshold_moves_bars_and_trains_nothing(self, cascade):
        before, trained = cascade.drawn("stages", "leave_right"), cascade.state.cascade
        cascade.watched.move("Exit threshold", "ArrowLeft", 6)
        cascade.until(lambda: cascade.state.share == pytest.approx(0.47))
        cascade.until(lambda: cascade.drawn("stages", "leave_right") != before)
        # At the lowest every row leaves at once.
        cascade.watched.move("Exit threshold", "Home")
        cascade.until(lambda: cascade.state.share == 0.0)
        cascade.until(lambda: cascade.drawn("stages", "go_on")[0] == 0.0)
        assert cascade.state.cascade is trained

    def test_dragging_the_threshold_stays_in_the_browser(self, cascade):
        page, state = cascade.page, cascade.state
        cascade.watched.until_idle()
        cascade.until(lambda: page.evaluate(HAS_EXITS))
        before, summary = cascade.dots(), page.locator(".summary")
        ring = cascade.watched.figure_data("tradeoff", ["x", "y"], "here")
        words = summary.filter(visible=True).inner_text()
        page.evaluate(HOLD)
        try:
            cascade.watched.move("Exit threshold", "ArrowLeft", 10)
            cascade.until(lambda: page.evaluate("puts") >= 10)
            moved, said = cascade.dots(), summary.filter(visible=True).inner_text()
            ringed = cascade.watched.figure_data("tradeoff", ["x", "y"], "here")
            assert (moved != before, said != words, ringed != ring) == (True,) * 3
            assert state.share == START["share"]
            puts = page.evaluate("puts")
        finally:
            page.evaluate("letGo()")
        cascade.until(lambda: state.share == pytest.approx(0.45))
        cascade.watched.until_idle()
        page.wait_for_timeout(300)
        # The server draws the same, and has sent none of it.
        drawn = {one.name: one for one in CascadeStages(state=state).scene().layers}
        for name, columns in moved.items():
            for key, column in columns.items():
                assert [*drawn[name].columns[key]] == column, (name, key)
        assert cascade.dots() == moved
        assert page.evaluate("puts") == puts
        assert state.here() == (ringed["x"][0], ringed["y"][0])

    def test_what_machines_learn_by_trains_again_and_nothing_else(self, cascade):
        """That each knob does is told of the state, without a browser."""
        state, watched = cascade.state, cascade.watched
        before = state.cascade
        watched.choose("Confidence", "gap to the second")
        cascade.until(lambda: state.picture.kind == "gap")
        assert state.cascade is before
        watched.choose("Feature order", "by Relief value per cost")
        watched.move("Regularisation C", "ArrowRight", 2)
        asked = pytest.approx(10**0.06)
        cascade.until(lambda: (state.order, state.C) == ("value", asked))
        cascade.computed()
        assert state.cascade is not before

    def test_a_time_cap_ends_the_cascade_earlier(self, cascade):
        cascade.watched.move("Time cap", "Home")
        cascade.until(lambda: cascade.state.cap == 0.0)
        cascade.until(lambda: len(cascade.drawn("stages", "leave_right")) < 30)

    def test_a_row_is_followed_step_by_step(self, cascade):
        rows = cascade.rows("Stops of one row")
        cascade.button("First stage").click()
        cascade.until(lambda: rows.count() == 1)
        cascade.button("Step").click()
        cascade.until(lambda: rows.count() == 2)
        cascade.button("To the exit").click()
        shown = len(cascade.state.journey("tefe").stops)
        cascade.until(lambda: rows.count() == shown)

    def test_a_prediction_runs_or_the_button_says_what_to_choose(self, cascade):
        state, page = cascade.state, cascade.page
        run = cascade.button("Run one prediction")
        page.get_by_text("choose scenes").filter(visible=True).first.wait_for()
        assert run.is_disabled()
        # As before anything is trained: it cannot be pressed, and says why.
        cascade.watched.until_idle()
        trained = state.cascade
        cascade.watched.do(lambda: state.param.update(cascade=None))
        page.get_by_text("then run it").filter(visible=True).first.wait_for()
        assert run.is_disabled()
        cascade.watched.do(lambda: state.param.update(cascade=trained))
        cascade.watched.choose("Data", "Scenes, ten classes, costs measured")
        cascade.until(lambda: state.source == "scenes")
        cascade.computed()
        cascade.until(lambda: page.locator(".gallery img").count() > 6)
        cascade.until(run.is_enabled)
        run.click()
        cascade.until(lambda: len(state.runs) == 1)
        cascade.until(lambda: page.get_by_text("of the whole way").count() > 0)


class TestHypergraph:
    @pytest.fixture
    def cascade(self, opened):
        return opened.begin("hypergraph")

    def test_it_opens_with_bands_bars_and_a_curve(self, cascade):
        stages = cascade.state.policy_result().n_stages
        cascade.until(lambda: len(cascade.drawn("exits", "leave_right")) == stages)
        cascade.until(lambda: len(cascade.drawn("bands", "count")) > 0)
        summary = cascade.page.locator(".summary")
        cascade.until(summary.filter(has_text="test rows are right").is_visible)
        assert cascade.watched.slider("Exit threshold").count() == 0

    def test_the_budget_moves_everything_and_trains_nothing(self, cascade):
        hyper = cascade.state.hyper
        figures = {"exits": "leave_right", "bands": "bottom"}
        before = {name: cascade.drawn(name, figures[name]) for name in figures}
        summary = cascade.page.locator(".summary").filter(has_text="Policy")
        words = summary.inner_text()
        # With none every row leaves at the free answer.
        cascade.watched.unfold("Stages")
        cascade.watched.move("Runtime budget", "Home")
        cascade.until(lambda: cascade.state.budget == 0.0)
        cascade.until(lambda: cascade.drawn("exits", "go_on")[0] == 0.0)
        rows = cascade.rows("Stages of the hypergraph cascade")
        cascade.until(lambda: rows.count() == 1)
        cascade.watched.move("Runtime budget", "ArrowRight", 15)
        cascade.until(lambda: cascade.state.budget == pytest.approx(0.075))
        cascade.until(lambda: rows.count() > 1)
        for name, column in figures.items():
            cascade.until(lambda n=name, c=column: cascade.drawn(n, c) != before[n])
        cascade.until(lambda: summary.inner_text() != words)
        assert cascade.state.hyper is hyper

    def test_knobs_train_again(self, cascade):
        """That each does is told of the state, without a browser."""
        state = cascade.state
        before = state.hyper
        for label, option, name, value in (
            ("Feature order", "blocks that share work", "buying", "block"),
            ("Objective", "F1", "objective", "f1"),
        ):
            cascade.watched.choose(label, option, exact=True)
            cascade.until(lambda n=name, v=value: getattr(state, n) == v)
        cascade.computed()
        assert state.hyper is not before

    def test_training_shows_progress_and_can_be_cancelled(self, cascade):
        before = cascade.state.hyper
        cascade.watched.choose("Data", "Digits, ten classes")
        bar = cascade.page.get_by_label("Training the hypergraph cascade")
        bar.wait_for(timeout=60_000)
        cascade.button("Cancel").last.click()
        cascade.until(lambda: bar.count() == 0)
        assert cascade.state.hyper is before
        assert cascade.state.source == "digits"

    def test_a_row_is_followed_step_by_step(self, cascade):
        cascade.button("Next wrong row").click()
        cascade.until(lambda: (cascade.state.row or 0) > 0)
        cascade.button("First stage").click()
        rows = cascade.rows("Stops of one row in the hypergraph cascade")
        cascade.until(lambda: rows.count() == 1)
        cascade.button("To the exit").click()
        shown = len(cascade.state.journey("hypergraph").stops)
        cascade.until(lambda: rows.count() == shown)

    def test_the_way_to_exit_is_chosen_and_written_into_the_link(self, cascade):
        watched = cascade.watched
        watched.choose("Exit rule", "Threshold")
        cascade.until(watched.slider("Exit threshold").is_visible)
        cascade.until(lambda: watched.slider("Runtime budget").count() == 0)
        cascade.until(lambda: "way=tefe" in watched.page.url)
        watched.choose("Exit rule", "Hypergraph")
        cascade.until(watched.slider("Runtime budget").is_visible)
        is_wide = "figure => figure.inner_width > 300"
        cascade.until(lambda: watched.of_figure("bands", is_wide))

    def test_it_can_be_read_and_runs_over_no_narrow_window(self, cascade):
        assert rules_broken_in_a_theme(cascade.watched) == {}
        cascade.page.set_viewport_size({"width": 390, "height": 844})
        cascade.until(cascade.watched.fits)
        cascade.page.set_viewport_size(USUAL)
