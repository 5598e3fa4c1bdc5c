"""What is set beside the frontier of now: earlier ones, and a model that one has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from solvers import FrontierPoint, ThriftscopeError, adopt, evaluate
from solvers.adopted.reading import read_model
from solvers.datasets.splits import Split
from solvers.frontier import cheapest_as_good
from solvers.values.rounding import fixed

from ...compute.sandbox import sandboxed
from ...export import load_estimator
from ...session.context import Context
from ...session.pins import MAX_NAME, MAX_PINS
from ...widgets.controls import SELECT_HEIGHT, button
from ...widgets.markup import Message, markup
from ...widgets.page_layout import progress_row
from ...widgets.parts import wide_column
from ...widgets.tables import DataTable
from ...widgets.text import cost_text, counted, plain
from ...widgets.ui import pmui
from ...widgets.upload_dialog import file_input
from .comparison import COMPARED, PinComparison, with_pin
from .frontier_plot import FrontierPlot
from .state import FrontierState

ABOUT_PINS = (
    "Pin the frontier, then change something: λ, methods, costs in the drawing, the "
    "accounting, the data. The pinned one stays in the plot, muted and dashed, while "
    "both are charged alike and in units that convert."
)
COLUMNS = ["Frontier", "F1 (test) within budget", "Difference now", "Data", "Priced by"]
ROW_HEIGHT = 34


class ComparePart(Viewer):
    """Up to three pins: their row of buttons, their table, the difference in words.

    `plot`: has them behind the frontier of now.
    """

    def __init__(
        self,
        context: Context,
        state: FrontierState,
        plot: FrontierPlot,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state, self._plot = state, plot
        # All that a click changes is drawn in one message.
        self._post = context.post
        self._message = Message()
        self._name = pmui.TextInput(
            label="Name of the pin",
            placeholder="its data set",
            max_length=MAX_NAME,
            size="small",
            width=220,
            margin=6,
        )
        pin = partial(context.post, self._put_aside)
        self._pin = button("Pin this frontier", pin, icon="push_pin")
        self._unpins = [self._unpin_button(k) for k in range(MAX_PINS)]
        self._table = DataTable(
            caption="Pinned frontiers beside the frontier shown",
            columns=COLUMNS,
            numbers=[False, True, True, False, False],
            dark=context.session.param.dark,
            sizing_mode="stretch_width",
            visible=False,
        )
        self._text = markup("", margin=(0, 10))
        # The plot has compared them by then: it was there before.
        state.param.watch(lambda *_: self._draw(), [*COMPARED])
        self._draw()

    def __panel__(self) -> Any:
        return wide_column(
            markup("<h2>Compare</h2>", margin=(2, 10)),
            markup(f"<p>{ABOUT_PINS}</p>", margin=(0, 10)),
            pn.FlexBox(self._name, self._pin, *self._unpins, align_items="center"),
            self._message,
            self._table,
            self._text,
        )

    def _unpin_button(self, k: int) -> Any:
        unpin = partial(self._post, partial(self._let_go, k))
        look = {"size": "small", "variant": "text", "visible": False}
        return button("Unpin", unpin, **look)

    # ------------------------------------------------------------------------ reacting

    def _put_aside(self) -> None:
        try:
            pins = with_pin(self._state, self._name.value or "")
        except ThriftscopeError as error:
            self._message.text = str(error)
            return
        self._message.text, self._name.value = "", ""
        self._state.pins = pins

    def _let_go(self, k: int) -> None:
        self._message.text = ""
        self._state.pins = [pin for i, pin in enumerate(self._state.pins) if i != k]

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        found = self._plot.pinned
        for k, unpin in enumerate(self._unpins):
            unpin.visible = k < len(found)
            if k < len(found):
                unpin.label = f"Unpin {found[k].pin.name}"
        self._table.visible = bool(found)
        if found:
            self._table.param.update(
                rows=self._rows(found), height=ROW_HEIGHT * (len(found) + 2)
            )
        items = "".join(f"<li>{plain(one.words)}</li>" for one in found)
        self._text.object = f'<ul role="status">{items}</ul>' if found else ""

    def _rows(self, found: list[PinComparison]) -> list[list[Any]]:
        state, data = self._state, self._state.dataset
        now = state.frontier().best_within(state.budget)
        priced = cost_text(data.hypergraph.total_cost, data.unit)
        first = [
            "now",
            "nothing" if now is None else fixed(now.scores["test"]["f1"], 3),
            "",
            f"{data.name}, {data.n_samples} rows",
            f"{counted(data.hypergraph.n_components, 'component')}, {priced} for all; "
            f"{state.accounting}",
        ]
        return [first, *(self._row(one) for one in found)]

    @staticmethod
    def _row(one: PinComparison) -> list[Any]:
        pin = one.pin
        score = "nothing" if one.then is None else fixed(one.then, 3)
        return [
            pin.name,
            score if one.factor is not None else "not on this axis",
            "not comparable" if one.gained is None else f"{one.gained:+.3f}",
            f"{pin.data}, {pin.rows} rows",
            f"{pin.hypergraph}; {pin.accounting}",
        ]


BROUGHT = "A model that you have"
ABOUT_BROUGHT = (
    "LightGBM's text, XGBoost's JSON, or a .skops file of a linear model, of columns "
    "that this table has by name, and trained on other rows than these. It stands on "
    "the frontier as it is and pays for what a row needs. It is not kept with the "
    "session. Trees of scikit-learn, which a file may forge, are adopted by "
    "<code>thriftscope adopt</code> and <code>solvers.adopt</code>, which export, too."
)
MOST_BYTES = 16 * 2**20
# What a cheaper model may lose of its accuracy.
ALLOWED = {"half a point": 0.005, "1 point": 0.01, "2 points": 0.02, "5 points": 0.05}
_NAMED = {share: name for name, share in ALLOWED.items()}
CONFIDENCE = 0.95


def model_of(name: str, content: bytes) -> Any:
    """Return what `adopt` takes of a file: its content, or the estimator in it."""
    return load_estimator(content) if name.endswith(".skops") else content


def readable(name: str, content: bytes) -> Iterator[str]:
    """Read a model, to be done where it can do no harm; yield what it is."""
    yield read_model(model_of(name, content)).name


def brought(name: str, content: bytes, split: Split) -> Iterator[FrontierPoint]:
    """Adopt a file at the prices of a split's table, and yield where it stands."""
    for told in sandboxed(readable, name, content):
        if not isinstance(told, str):  # It is still read
            yield told
    model, classes = model_of(name, content), None
    if model is content:  # a file that knows none: those of the table, rising
        classes = sorted(split.dataset.classes.tolist())
    adopted = adopt(model, split.dataset.hypergraph, classes=classes)
    yield evaluate(adopted, split, name=name, threshold="default")


class BroughtPart(Viewer):
    """Where a model is brought, what it costs, and who does it for less.

    `plot`: shows it beside the frontier of now.
    """

    most = param.Selector(
        objects=ALLOWED, default=0.01, label="A cheaper model may lose at most"
    )

    def __init__(
        self, context: Context, state: FrontierState, plot: FrontierPlot, **params: Any
    ) -> None:
        super().__init__(**params)
        self._state, self._plot = state, plot
        self._reading, self._comparing = context.job(), context.job()
        self._point: FrontierPoint | None = None
        self._file = file_input("Open a model", MOST_BYTES, self._reading)
        self._file.param.watch(lambda _: self._load(), "value")
        self._most = pmui.Select.from_param(
            self.param.most, min_height=SELECT_HEIGHT, width=290, margin=8
        )
        self._bill, self._rival = markup("", margin=(0, 10)), markup("", margin=(0, 10))
        self.param.watch(lambda _: self._compare(), "most")
        state.param.watch(lambda _: self._forget(), "dataset")
        state.param.watch(lambda _: self._compare(), ["traces", "methods"])

    def __panel__(self) -> Any:
        return wide_column(
            markup(f"<h2>{BROUGHT}</h2>", margin=(2, 10)),
            markup(f"<p>{ABOUT_BROUGHT}</p>", margin=(0, 10)),
            self._file,
            progress_row(self._reading, "Adopting the model"),
            Message(text=self._reading.param.message),
            self._bill,
            self._most,
            progress_row(self._comparing, "Comparing row by row"),
            Message(text=self._comparing.param.message),
            self._rival,
        )

    # ------------------------------------------------------------------------ reacting

    def _load(self) -> None:
        if self._file.value is None:
            return
        name = str(self._file.filename or "the model")
        work = partial(brought, name, self._file.value, self._state.split())
        self._reading.submit(work, self._arrived)

    def _arrived(self, items: list[Any]) -> None:
        points = [one for one in items if isinstance(one, FrontierPoint)]
        if points:
            self._show(points[-1])

    def _forget(self) -> None:
        """Of another table nothing is known of the model."""
        if self._point is not None:
            self._show(None)

    def _show(self, point: FrontierPoint | None) -> None:
        self._point = self._plot.brought = point
        self._bill.object = "" if point is None else f"<p>{plain(self._told())}</p>"
        self._rival.object = ""
        self._compare()

    def _compare(self) -> None:
        """Ask who is as good for less, of all that has been traced."""
        reference, state = self._point, self._state
        points = state.frontier().points
        if reference is None or not points:
            return
        split, most = state.split(), self.most

        def work() -> Iterator[str]:
            found = cheapest_as_good(
                points, reference, split, most=most, confidence=CONFIDENCE
            )
            yield found.sentence if found else _nobody(len(points), most)

        self._comparing.submit(work, self._compared)

    def _compared(self, items: list[str]) -> None:
        if self._point is not None:
            self._rival.object = f'<p role="status">{plain(items[-1])}</p>'

    def _told(self) -> str:
        """Return what the model costs and is worth on test rows."""
        point, unit = self._point, self._state.dataset.unit
        if point is None:
            return ""
        paid = {name: cost_text(cost, unit) for name, cost in point.cost.items()}
        return (
            f"{point.method}: {paid['mean']} a row on average, {paid['max']} at most; "
            f"it looks at {point.n_features} of {self._state.dataset.n_features} "
            f"features. Right on {fixed(100 * point.scores['test']['accuracy'], 1)} % "
            "of the test rows."
        )


def _nobody(count: int, most: float) -> str:
    return (
        f"Of {count} traced models none that is cheaper is known to lose at most "
        f"{_NAMED[most]} of accuracy, with confidence {CONFIDENCE:g}: allow more, or "
        "tick other methods."
    )
