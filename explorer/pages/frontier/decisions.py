"""The chosen model looked into: its threshold, its mistakes, one row by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import panel as pn
import param
from numpy.typing import NDArray
from panel.viewable import Viewer
from sklearn.metrics import confusion_matrix

from solvers import Dataset, FrontierPoint, all_methods
from solvers.decisions.decision import scores_for
from solvers.decisions.scores import label_scores
from solvers.deploy import itemised, policy_from
from solvers.deploy.policy import DeployablePolicy
from solvers.errors import DeployError
from solvers.frontier.evaluation import Split
from solvers.values.rounding import number

from ...export.files import answering
from ...figures.live import SceneView
from ...figures.scene import Axis, Scene, line, upright
from ...widgets.folds import Fold
from ...widgets.markup import markup
from ...widgets.number_field import NumberField
from ...widgets.parts import wide_column, wide_row
from ...widgets.tables import DataTable, bill_markup, plain_table
from ...widgets.text import cost_text, plain
from ...widgets.theme import Role
from ...widgets.ui import pmui
from .state import AXES, FrontierState

WIDE = {"sizing_mode": "stretch_width"}
TITLE = "Inside the chosen model"
# What it is called among the open panels.
INSIDE = "inside"
CHOSEN_BY = ["traces", "marks", *AXES, "rests", "reason", "picked", "methods"]
EFFECTS = {"f1": "solid", "recall": "dashed", "precision": "dotted"}
PARTS_SHOWN: dict[str, Role] = {"validation": "quiet_text", "test": "lit"}
NAMES = {"f1": "F1", "recall": "sensitivity", "precision": "precision"}
ABOUT = (
    "A row is called positive where its score is at or above the threshold. Validation "
    "rows tuned it; what another one would do is read here and changes nothing else."
)
MANY_CLASSES = "It tells more than two classes apart, without a threshold."


class DecisionPart(Viewer):
    """An expander; while it is closed nothing is computed and nothing is drawn."""

    state = param.ClassSelector(class_=FrontierState)
    dark = param.Boolean(default=False, allow_refs=True)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._shown: FrontierPoint | None = None
        self._mistakes: Mistakes | None = None
        self._inside = wide_column()
        self._fold = Fold(TITLE, self._inside, self.state, INSIDE)
        self._fold.param.watch(lambda _: self._fill(), "is_open")
        self.state.param.watch(lambda *_: self._fill(), CHOSEN_BY)
        self.param.watch(lambda _: self._use_theme(), "dark")
        self._fill()

    def __panel__(self) -> Any:
        return self._fold

    def _use_theme(self) -> None:
        """Recolour what is shown: what was typed and moved there stays."""
        if self._mistakes is not None:
            self._mistakes.dark = self.dark

    def _fill(self) -> None:
        chosen = self.state.chosen()
        point = None if chosen is None or not self._fold.is_open else chosen.point
        if point is self._shown and self._inside.objects:
            return
        self._shown = point
        if point is None:
            self._inside.objects = []
            return
        title = all_methods()[point.method].title
        found = decided(point, self.state.split())
        about = ABOUT if found.beliefs else MANY_CLASSES
        self._mistakes = Mistakes(found, point.threshold, dark=self.dark)
        self._inside.objects = [
            markup(f"<p>{plain(title)}. {about}</p>", margin=(0, 10)),
            self._mistakes,
            *RowByHand(self.state, point).parts(),
        ]


class EffectPlot(SceneView):
    """What each threshold would do to validation and test rows."""

    threshold = param.Number(default=0.0)

    called = "threshold"
    has_words = False

    def __init__(self, found: Decided, threshold: float, **params: Any) -> None:
        at = found.thresholds()
        low, high = float(min(at[0], threshold)), float(max(at[-1], threshold))
        self.ends = low, high if high > low else low + 1.0
        self._lines = [
            line(
                name := f"{NAMES[score]}, {part}",
                at,
                found.effect(part, score),
                role,
                key=name,
                dash=dash,
            )
            for part, role in PARTS_SHOWN.items()
            for score, dash in EFFECTS.items()
        ]
        super().__init__(threshold=threshold, **params)
        self.param.watch(lambda _: self._draw(), "threshold")

    def scene(self) -> Scene:
        """Return lines that stay, and where the threshold is."""
        x, y = Axis("threshold", *self.ends), Axis("score", 0.0, 1.02)
        return Scene(x, y, [*self._lines, upright(self.threshold)])


class Mistakes(Viewer):
    """Confusion matrices at a threshold, and what each threshold would do."""

    threshold = param.Number(default=0.0)
    dark = param.Boolean(default=False, allow_refs=True)

    def __init__(self, found: Decided, threshold: float, **params: Any) -> None:
        super().__init__(threshold=threshold, **params)
        self._found = found
        self._tables = {
            part: DataTable(
                caption=f"Confusion matrix, {part} rows",
                height=34 * (len(found.classes) + 1),
                dark=self.param.dark,
                **WIDE,
            )
            for part in PARTS
        }
        # More classes than two have no threshold.
        self.effect: EffectPlot | None = None
        if found.beliefs:
            self.effect = EffectPlot(found, threshold, dark=self.param.dark)
        self.param.watch(lambda _: self._draw(), "threshold")
        self._draw()

    def __panel__(self) -> Any:
        tables = wide_row(
            *(
                wide_column(markup(f"<h3>{part} rows</h3>"), table)
                for part, table in self._tables.items()
            )
        )
        if self.effect is None:
            return tables
        low, high = self.effect.ends
        slider = pmui.FloatSlider.from_param(
            self.param.threshold,
            label=f"Threshold (chosen: {number(self.threshold)})",
            start=low,
            end=high,
            step=(high - low) / 200,
            margin=(4, 20),
            **WIDE,
        )
        return wide_column(slider, self.effect, tables)

    def _draw(self) -> None:
        if self.effect is not None:
            self.effect.threshold = self.threshold
        classes = [str(label) for label in self._found.classes]
        for part, table in self._tables.items():
            counts = self._found.confusion(part, self.threshold)
            table.param.update(
                columns=["is \\ is called", *classes],
                numbers=[False, *[True] * len(classes)],
                rows=[
                    [name, *row]
                    for name, row in zip(classes, counts.tolist(), strict=True)
                ],
            )


class RowByHand:
    """A form: type a row's values, see what is bought and what the model says."""

    def __init__(self, state: FrontierState, point: FrontierPoint) -> None:
        self._state, self._point = state, point
        data = state.dataset
        self._row = data.X[state.split().rows["test"][0]].copy()
        # A cascade may buy more for a row than any test row had it buy.
        self._fields = {
            int(j): _field(data, int(j), float(self._row[j]))
            for j in np.flatnonzero(point.features)
        }
        self._said = markup("", margin=(0, 10))
        self._bill = plain_table(None)
        self._policy = _policy_of(state, point)
        for field in self._fields.values():
            field.param.watch(lambda _: self._answer(), "value")
        self._answer()

    def parts(self) -> list[Any]:
        """Return the fields, which begin with the first test row, and the answer."""
        return [
            markup(
                "<h3>One row by hand</h3><p>The values are those of the first test "
                "row; features that no test row made the model compute keep theirs.</p>"
            ),
            pn.FlexBox(*self._fields.values()),
            self._said,
            self._bill,
        ]

    def _answer(self) -> None:
        for j, field in self._fields.items():
            if field.value is not None:
                # What is only shown rounded stays as it was.
                if field.value != _shown(self._row[j]):
                    self._row[j] = field.value
            elif self._state.dataset.schema is not None:
                self._row[j] = np.nan
        data, point = self._state.dataset, self._point
        said = answer(point, data, self._row, point.threshold)
        score = "" if said.score is None else f", score {number(said.score)}"
        against = (
            "" if said.score is None else f" (threshold {number(point.threshold)})"
        )
        bought = ", ".join(said.features) or "nothing"
        computed = ", ".join(said.components) or "nothing"
        text = (
            f"Called {said.label}{score}{against}; costs "
            f"{cost_text(said.cost, data.unit)}. Bought: {bought}. Computed: "
            f"{computed}."
        )
        self._said.object = f'<p role="status">{plain(text)}</p>'
        self._bill.object = self._itemised()

    def _itemised(self) -> str:
        """Return the bill: a line a purchase, and why it ended."""
        if self._policy is None:
            return ""
        bill = itemised(self._policy, self._row)
        return bill_markup(bill, self._state.dataset.unit, self._policy.classes)


def _policy_of(state: FrontierState, point: FrontierPoint) -> DeployablePolicy | None:
    """Return how a point decides, step by step; None where that is not known."""
    try:
        return policy_from(answering(point, state.dataset))
    except DeployError:
        return None


def _shown(value: float) -> float | None:
    """Return a value with the digits that a person reads; None is not known."""
    return None if np.isnan(value) else float(f"{value:.6g}")


def _field(data: Dataset, j: int, value: float) -> Any:
    """Return what a value of a column is typed or picked in; None is not known."""
    column = None if data.schema is None else data.schema.columns[j]
    name, looks = data.feature_names[j], {"width": 190}
    if column is None or not column.is_listed or column.kind == "hashed":
        return NumberField(label=name, value=_shown(value), looks=looks)
    options: dict[str, float | None] = {
        word: float(k) for k, word in enumerate(column.values)
    }
    options |= {"another": float(len(column.values)), "not known": None}
    known = None if np.isnan(value) else value
    return pmui.Select(label=name, options=options, value=known, size="small", **looks)


PARTS = ("validation", "test")
# Thresholds that are drawn; more than this cannot be told apart.
N_THRESHOLDS = 101


@dataclass(frozen=True, eq=False)
class Decided:
    """What a model decided about the rows of both parts."""

    classes: NDArray  # The labels; of two, the positive one second
    truth: Mapping[str, NDArray]  # Labels of the rows, by part
    labels: Mapping[str, NDArray]  # What the model itself says, by part
    # How positive each row is, by part; empty for more classes than two
    beliefs: Mapping[str, NDArray[np.float64]]

    def confusion(self, part: str, threshold: float) -> NDArray[np.int_]:
        """Return how many rows of each class (rows) were called which (columns)."""
        called = self.labels[part]
        if self.beliefs:
            is_positive = self.beliefs[part] >= threshold
            called = np.where(is_positive, self.classes[1], self.classes[0])
        return confusion_matrix(self.truth[part], called, labels=self.classes)

    def thresholds(self) -> NDArray[np.float64]:
        """Return thresholds from none called positive to all, rising."""
        both = np.concatenate([self.beliefs[part] for part in PARTS])
        return np.unique(np.quantile(both, np.linspace(0.0, 1.0, N_THRESHOLDS)))

    def effect(self, part: str, score: str) -> NDArray[np.float64]:
        """Return a score of labels at each of the thresholds."""
        positive = self.truth[part] == self.classes[1]
        return np.array(
            [
                label_scores(positive, self.beliefs[part] >= threshold)[score]
                for threshold in self.thresholds()
            ]
        )


def decided(point: FrontierPoint, split: Split) -> Decided:
    """Return what the model of a point decides about validation and test rows."""
    model, data = point.model, split.dataset
    found = {part: model.decide(split.X(part)) for part in PARTS}
    truth = {part: split.y(part) for part in PARTS}
    labels = {part: decision.labels for part, decision in found.items()}
    classes = model.classes_
    if data.positive is None or len(classes) > 2:
        return Decided(classes, truth, labels, {})
    beliefs = {
        part: scores_for(data.positive, classes, decision.scores)
        for part, decision in found.items()
    }
    return Decided(_positive_last(classes, data), truth, labels, beliefs)


def _positive_last(classes: NDArray, dataset: Dataset) -> NDArray:
    return classes if classes[1] == dataset.positive else classes[::-1]


@dataclass(frozen=True)
class RowAnswer:
    """What a model says about one row, and what it bought to know it."""

    label: str  # The class
    score: float | None  # How positive; None for more classes than two
    cost: float  # Of what was bought, in the unit of the costs
    features: tuple[str, ...]  # What was bought
    components: tuple[str, ...]  # What had to be computed for it


def answer(
    point: FrontierPoint, dataset: Dataset, row: NDArray[np.float64], threshold: float
) -> RowAnswer:
    """Return what the model of a point says about one row.

    Shapes: `row` (n_features,).
    """
    model, hypergraph, encoder = point.model, dataset.hypergraph, point.encoder
    rows = row[np.newaxis]
    decision = model.decide(rows if encoder is None else encoder.encode(rows))
    bought = np.asarray(decision.acquired[0])
    bought = bought if encoder is None else encoder.columns_of(bought)
    label, score = decision.labels[0], None
    if dataset.positive is not None and len(model.classes_) == 2:
        score = float(scores_for(dataset.positive, model.classes_, decision.scores)[0])
        first, second = _positive_last(model.classes_, dataset)
        label = second if score >= threshold else first
    needed = hypergraph.required_components(bought)
    return RowAnswer(
        str(label),
        score,
        float(hypergraph.cost(bought)),
        tuple(dataset.feature_names[j] for j in np.flatnonzero(bought)),
        tuple(hypergraph.components[i] for i in np.flatnonzero(needed)),
    )
