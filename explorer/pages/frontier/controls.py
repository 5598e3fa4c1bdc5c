"""What the frontier page is played with, and what stands in its drawer."""

from __future__ import annotations

from typing import Any

import panel as pn

from solvers import Switch, all_methods
from solvers.costs.units import is_time
from solvers.methods.acafh import PENALTIES, ACAFHClassifier

from ...compute.jobs import Job
from ...widgets.controls import (
    bind,
    box_group,
    choice,
    group_height,
    knob_widget,
    slider,
)
from ...widgets.markup import markup
from ...widgets.page_layout import progress_row
from ...widgets.parts import wide_column
from ...widgets.text import SCORES, list_text, plain
from .mistakes_part import MistakesPart
from .offering import is_of_many, left_out, menu_of
from .prices_part import PricesPart
from .settings_part import SettingsPart
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
        for box, offered in (
            (score, _scores(state)),
            (charge, _charges(state.dataset)),
        ):
            if box.value not in offered.values():
                box.value = next(iter(offered.values()))
            box.options = offered

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
