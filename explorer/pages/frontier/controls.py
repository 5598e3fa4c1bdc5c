"""What the frontier page is played with, and what stands in its drawer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from solvers import Switch, all_methods
from solvers.costs.prices import ComponentPrices
from solvers.costs.units import is_time
from solvers.methods.acafh import PENALTIES, ACAFHClassifier

from ...compute.jobs import Job
from ...widgets.controls import (
    bind,
    box_group,
    button,
    choice,
    group_height,
    knob_widget,
    slider,
)
from ...widgets.folds import bind_folds
from ...widgets.markup import Message, markup
from ...widgets.number_field import NumberField
from ...widgets.page_layout import progress_row
from ...widgets.parts import wide_column
from ...widgets.text import SCORES, list_text, plain, price_label, unit_text
from ...widgets.ui import pmui
from .choices import (
    MOST_PAID,
    chargeable,
    defaults_of,
    is_of_many,
    left_out,
    menu_of,
    open_knobs,
    settings_of,
    with_values,
)
from .state import MISTAKES, FrontierState

PENALTY_TITLES = {penalty.title: name for name, penalty in PENALTIES.items()}
ACCOUNTINGS = {"mean over rows": "mean", "95th percentile": "p95", "worst row": "max"}
CHARGES = {
    "features": "features",
    "features and decision (a row alone)": "one_row",
    "features and decision (a row of many)": "batch_row",
}
MARGINS = {
    "none: validation rows decide": 0.0,
    "80 % of samples stay within": 0.8,
    "95 % of samples stay within": 0.95,
}
SPLITS = {"one": 1, "three: mean and spread": 3, "five: mean and spread": 5}
THRESHOLDS = {"best F1 on validation": "tuned", "the method's own": "default"}


def trade_off_sliders(state: FrontierState) -> list[Any]:
    """Return the sliders of λ and p; each rests where no ticked method has it."""
    knobs = ACAFHClassifier.knobs
    has_no_alpha = pn.bind(_solves_no_alpha, state.param.methods)
    has_no_p = pn.bind(_knows_no_p, state.param.methods, state.param.penalty)
    also = {"reason": "alpha"}
    return [
        slider(state, "alpha", knobs["alpha"], also=also, disabled=has_no_alpha),
        slider(state, "p", knobs["p"], disabled=has_no_p),
    ]


def frontier_controls(state: FrontierState, runs: Job) -> Any:
    """Return what stands in the drawer.

    `runs`: the job that traces on other splits, shown below their choice.
    """
    return wide_column(
        _menu(state),
        SettingsPart(state),
        PricesPart(state=state),
        MistakesPart(state=state),
        choice(state, "accounting", "Accounting", ACCOUNTINGS),
        *_axes(state),
        choice(state, "penalty", "Penalty", PENALTY_TITLES),
        choice(state, "threshold", "Decision threshold", THRESHOLDS),
        choice(state, "n_runs", "Splits", SPLITS),
        progress_row(runs, "Splits"),
        knob_widget(state, "refit", ACAFHClassifier.knobs["refit"]),
    )


def _menu(state: FrontierState) -> Any:
    group = box_group(
        "Methods",
        options=_titles(state.dataset),
        value=state.methods,
        min_height=group_height(len(menu_of(state.dataset))),
    )
    bind(group, state, "methods")
    note = markup(_menu_note(state.dataset), margin=(0, 12))

    def follow(event: Any) -> None:
        if menu_of(event.new) != list(group.options.values()):
            group.param.update(
                options=_titles(event.new),
                value=state.methods,
                min_height=group_height(len(menu_of(event.new))),
            )
        note.object = _menu_note(event.new)

    state.param.watch(follow, "dataset")
    return wide_column(group, note)


def _axes(state: FrontierState) -> list[Any]:
    """Return the controls of both axes, with what the data have."""
    score = choice(state, "score", "Score", _scores(state))
    charge = choice(state, "charge", "Charged", _charges(state.dataset))

    def follow(*_: Any) -> None:
        score.param.update(options=_scores(state), value=state.axes().score)
        charge.param.update(options=_charges(state.dataset), value=state.axes().charge)

    state.param.watch(follow, ["dataset", *MISTAKES])
    return [
        score,
        charge,
        choice(state, "confidence", "Margin", MARGINS),
        knob_widget(state, "log_cost", Switch("Logarithmic cost")),
    ]


def _solves_no_alpha(methods: list[str]) -> bool:
    return all(all_methods()[name].path_knob != "alpha" for name in methods)


def _knows_no_p(methods: list[str], penalty: str) -> bool:
    return penalty != "lp" or all(
        "p" not in all_methods()[name].knobs for name in methods
    )


def _scores(state: FrontierState) -> dict[str, str]:
    known = state.scores()
    return {title: name for name, title in SCORES.items() if name in known}


def _charges(data: Any) -> dict[str, str]:
    return CHARGES if is_time(data.unit) else dict([next(iter(CHARGES.items()))])


def _titles(data: Any) -> dict[str, str]:
    return {all_methods()[name].title: name for name in menu_of(data)}


def _menu_note(data: Any) -> str:
    """Return what is scored of more than two classes, and which methods are missing."""
    if not is_of_many(data):
        return ""
    missing = list_text(left_out(data))
    scored = "the mean over the classes"
    if data.positive is not None:
        scored = f"that of {data.positive} against the others"
    gone = f" {missing}: left out, as only two are told apart." if missing else ""
    return f"<p>{len(data.classes)} classes.{plain(gone)} F1 is {plain(scored)}.</p>"


LOOK = {"sizing_mode": "stretch_width", "margin": (4, 12)}


class SettingsPart(Viewer):
    """One expander for each ticked method; what is closed has no widgets."""

    def __init__(self, state: FrontierState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        self._boxes: dict[str, pn.Column] = {}
        self._release: dict[str, Callable[[], None]] = {}
        self._accordion = pmui.Accordion(title_variant="body2", **LOOK)
        self._offer()
        self._accordion.param.watch(lambda _: self._fill(), "active")
        bind_folds(self._accordion, state, lambda: list(self._boxes))
        state.param.watch(lambda _: self._offer(), "methods")
        state.param.watch(lambda _: self._redraw(), "dataset")

    def __panel__(self) -> Any:
        return self._accordion

    def _offer(self) -> None:
        """Offer an expander for each ticked method that can be set at all."""
        offered = [name for name in self._state.methods if open_knobs(name)]
        if offered == list(self._boxes):
            return
        unfolded = self._state.unfolded
        for name in set(self._release) - set(offered):
            self._close(name)
        self._boxes = {name: self._boxes.get(name) or _box(name) for name in offered}
        # Headings are the names of what stands below them.
        self._accordion.param.update(
            objects=list(self._boxes.values()),
            active=[at for at, name in enumerate(offered) if name in unfolded],
        )

    def _fill(self) -> None:
        names = list(self._boxes)
        is_open = {names[at] for at in self._accordion.active if at < len(names)}
        for name in names:
            if name in is_open and name not in self._release:
                self._open(name)
            elif name in self._release and name not in is_open:
                self._close(name)

    def _redraw(self) -> None:
        """Draw what is open anew: sliders may end at what other features cost."""
        for name in list(self._release):
            self._close(name)
        self._fill()

    def _open(self, method: str) -> None:
        state, data = self._state, self._state.dataset
        first, knobs = defaults_of(method), open_knobs(method)
        fields = {name: param.Parameter(value) for name, value in first.items()}
        values = type("Values", (param.Parameterized,), fields)(
            **settings_of(state.settings, method)
        )

        def to_state(*_: Any) -> None:
            turned = {name: getattr(values, name) for name in knobs}
            settings = with_values(state.settings, method, turned)
            if settings != state.settings:
                state.settings = settings

        def to_values(*_: Any) -> None:
            values.param.update(**{**first, **settings_of(state.settings, method)})

        cost = {"full_cost": data.hypergraph.total_cost or 1.0, "unit": data.unit}
        values.param.watch(to_state, list(knobs))
        watcher = state.param.watch(to_values, "settings")
        self._release[method] = lambda: state.param.unwatch(watcher)
        reset = button(
            f"Reset {all_methods()[method].title}",
            lambda: values.param.update(**first),
            variant="text",
            icon="restart_alt",
            size="small",
            margin=(5, 10),
        )
        drawn: list[Any] = []
        for name, knob in knobs.items():
            drawn.append(knob_widget(values, name, knob, **cost))
            # Not as a description: its icon has an ARIA label where none is allowed.
            if doc := getattr(knob, "doc", ""):
                drawn.append(markup(f"<small>{plain(doc)}</small>", margin=(0, 12)))
        self._boxes[method].objects = [*drawn, reset]

    def _close(self, method: str) -> None:
        self._release.pop(method)()
        self._boxes[method].objects = []


def _box(method: str) -> pn.Column:
    return wide_column(name=f"Settings of {all_methods()[method].title}")


ABOUT_LIMITS = (
    "<p>Limits hold on validation rows, beside the budget; leave one empty for none. "
    "What exceeds a limit by itself is not on offer.</p>"
)


class PricesPart(Viewer):
    """A choice of the price and a field for each limit; empty where there is one price.

    Built anew only where other prices are known: a field that is typed into stays.
    """

    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._column = wide_column()
        self._shown: Any = ()
        self._fields: dict[str, Any] = {}
        self.state.param.watch(lambda *_: self._offer(), "dataset")
        self.state.param.watch(lambda *_: self._follow(), "limits")
        self._offer()

    def __panel__(self) -> Any:
        return self._column

    def _offer(self) -> None:
        prices = self.state.dataset.hypergraph.prices
        charged = chargeable(self.state.dataset)
        shown = sorted(charged.items()), [(one.name, one.unit) for one in prices]
        if shown == self._shown:
            return
        self._shown = shown
        self._fields = {one.name: self._limit(one) for one in prices}
        if not prices:
            self._column.objects = []
            return
        self._column.objects = [
            *([self._price(charged)] if len(charged) > 1 else []),
            *self._fields.values(),
            markup(ABOUT_LIMITS, margin=(0, 12)),
            Message(text=self.state.param.refused),
        ]

    def _price(self, charged: dict[str, str]) -> Any:
        options = {f"{name} ({unit_text(u)})": name for name, u in charged.items()}
        default = next(iter(charged))
        widget = pmui.Select(label="Price", options=options, value=default, **LOOK)
        return bind(widget, self.state, "price", shown=lambda name: name or default)

    def _limit(self, price: ComponentPrices) -> Any:
        name = price.name
        widget = NumberField(
            label=f"Limit on {price_label(price)}",
            value=self.state.limits.get(name),
            unit=price.unit,
            looks=LOOK,
        )
        widget.param.watch(lambda event: self._limited(name, event.new), "value")
        return widget

    def _limited(self, name: str, limit: float | None) -> None:
        others = {k: v for k, v in self.state.limits.items() if k != name}
        limits = others if limit is None else {**others, name: float(limit)}
        if limits != self.state.limits:
            with pn.io.hold(policy="collect"):
                self.state.param.update(limits=limits, reason="budget")

    def _follow(self) -> None:
        for name, field in self._fields.items():
            field.value = self.state.limits.get(name)


ABOUT_MISTAKES = (
    "<p>With a price of mistakes every model is judged by what a row costs in all, "
    "its tests and on average its mistakes; with none, by a score.</p>"
)


class MistakesPart(Viewer):
    """A field for each kind of mistake, in the unit of prices or in money."""

    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._fields = {name: self._field(name) for name in ("miss", "false_alarm")}
        self._worth = self._field("worth")
        self.state.param.watch(lambda *_: self._name(), ["dataset", "worth"])
        self._name()

    def __panel__(self) -> Any:
        return wide_column(
            *self._fields.values(), self._worth, markup(ABOUT_MISTAKES, margin=(0, 12))
        )

    def _field(self, name: str) -> Any:
        widget = NumberField(start=0.0, end=MOST_PAID, looks=LOOK)
        return bind(
            widget,
            self.state,
            name,
            shown=lambda paid: paid or None,
            stored=lambda typed: float(typed or 0.0),
            also={"reason": "budget"},
        )

    def _name(self) -> None:
        """Call the fields by the classes and the unit of the data that are open."""
        data, labels = self.state.dataset, self.state.param
        takes_time, is_money = is_time(data.unit), self.state.worth > 0
        in_money = takes_time and is_money
        unit = "money" if in_money else unit_text(data.unit)
        miss, alarm = self._fields.values()
        miss.unit = alarm.unit = None if in_money else data.unit
        is_binary = len(data.classes) == 2
        miss.label = f"{labels.miss.label if is_binary else 'A mistake costs'} ({unit})"
        alarm.label = f"{labels.false_alarm.label} ({unit})"
        alarm.visible = is_binary
        self._worth.label = f"{labels.worth.label} (money)"
        self._worth.visible = takes_time
