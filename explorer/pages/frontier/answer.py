"""The answer under the frontier: what is chosen, in words, and what is still traced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import param

from solvers import FrontierPoint, all_methods
from solvers.costs.budgets import room_of

from ...compute.query import Asker
from ...export.plain_answer import PlainAnswer, answer_of_point, beyond_budget
from ...figures.frontier import MOST_LIT
from ...session.answer_view import StateAnswer
from ...widgets.controls import button
from ...widgets.figure_view import TextView
from ...widgets.lights import COMPONENT, FEATURE, things, together
from ...widgets.markup import markup, summary_markup
from ...widgets.page_layout import from_first_shown
from ...widgets.parts import wide_row
from ...widgets.text import (
    bought_text,
    cost_text,
    counted,
    deciding_text,
    first_buy_text,
    free_text,
    held_text,
    score_said,
    score_text,
    unit_text,
)
from .choices import limits_text, prices_text
from .state import AXES, FrontierState

REASONS = {
    "budget": "best within the budget",
    "alpha": "solved at exactly λ",
    "picked": "picked",
}
# What an accounting means for the hypergraph cascade, where it is ticked.
ACCOUNTING_NOTES = {
    "max": (
        "Hypergraph cascade under max cost: a row that does not leave early pays for "
        "everything, so early exits save nothing, and it buys what forward selection "
        "buys. It is drawn to be compared under mean cost."
    ),
    "p95": (
        "Hypergraph cascade under p95 cost: early exits save only as far as at most "
        "one row in twenty goes on. It is drawn to be compared under mean cost; under "
        "max it equals forward selection."
    ),
}


class FrontierSummary(TextView):
    """The chosen point in one line, as a live region."""

    state = param.ClassSelector(class_=FrontierState)
    follows = (
        *("dataset", "traces", "marks", "budget", "reason", "picked", "methods"),
        *("n_runs", "n_arrived", *AXES),
    )
    margin = (4, 10)

    def _markup(self) -> str:
        lead, rest = _answer(self.state)
        return summary_markup(rest, lead=lead, lights=_lights(self.state))


def _lights(state: FrontierState) -> dict[str, str]:
    """Return what the words of the answer light: what is bought, and what is paid."""
    chosen, graph = state.chosen(), state.dataset.hypergraph
    if chosen is None or chosen.point.n_features > MOST_LIT:
        return {}
    features = chosen.point.features
    paid = np.array(graph.components)[graph.required_components(features)]
    bought = np.array(graph.features)[features]
    count = f"{len(bought)} of {counted(graph.n_features, 'feature')}"
    price = cost_text(state.axes().cost(chosen.point), state.dataset.unit)
    return {
        count: together(things(FEATURE, bought)),
        price: together(things(COMPONENT, paid)),
    }


def summary_text(state: FrontierState) -> str:
    """Return the chosen point of a state in words."""
    return " ".join(filter(None, _answer(state)))


def _answer(state: FrontierState) -> tuple[str, str]:
    """Return what the chosen point buys, and what is to be known of it."""
    chosen = state.chosen()
    if chosen is not None:
        axes, point = state.axes(), chosen.point
        lead = bought_text(point, state.dataset, axes, REASONS[chosen.reason])
        parts = [
            free_text(point, state.floor(), state.split(), axes.score),
            stops_text(state),
            prices_text(point, state.dataset, axes),
            *(_budget_told(state, point) if chosen.reason == "budget" else ()),
            deciding_text(point, axes),
            state.noise(),
        ]
        return lead, " ".join(filter(None, parts))
    if not state.methods:
        return "", "Tick a method to compare."
    frontier = state.frontier()
    if not frontier.points:  # those at hand may be of methods that were unticked
        return "", "No model is traced yet."
    budget = cost_text(state.budget, state.dataset.unit)
    limits = limits_text(state.dataset, state.axes())
    raised = " or a limit" if limits else ""
    least = min(frontier.held(point) for point in frontier.points)
    # Where nothing is over the budget a limit is what keeps everything out.
    costs = f", the least costs {cost_text(least, state.dataset.unit)}"
    told = costs if least > room_of(state.budget) else ""
    return "", (
        f"No method has a point within {budget}{limits}{told}; "
        f"raise the budget{raised}."
    )


def stops_text(state: FrontierState) -> str:
    """Return where testing stops paying; empty where mistakes have no price."""
    stops = state.stops()
    if stops is None:
        return ""
    unit = state.dataset.unit
    alone = (
        f"calling every row {stops.trivial.label} without a test costs "
        f"{cost_text(stops.trivial.test, unit)}"
    )
    if stops.point is None:
        return f"No test pays for itself: {alone}, {stops.why_none}."
    return (
        f"Testing stops paying at {cost_text(stops.tests, unit)} a row "
        f"({all_methods()[stops.point.method].title}), where tests and mistakes "
        f"together cost {cost_text(stops.total, unit)}; {alone}. "
        f"{replace(stops, unit=unit_text(unit)).verdict}"
    )


def traced_text(state: FrontierState, *, goes_on: bool = False) -> str:
    """Return how much has been traced of what is ticked; empty where nothing has.

    `goes_on`: whether it is traced still; else it is told what was cut short.
    """
    ticked = {name: state.traces.get(name) for name in state.methods}
    n_models = sum(len(trace.points) for trace in ticked.values() if trace)
    n_methods = sum(trace is not None for trace in ticked.values())
    models = "1 model" if n_models == 1 else f"{n_models:,} models"
    cut = [name for name, trace in ticked.items() if not (trace and trace.is_complete)]
    titles = ", ".join(all_methods()[name].title for name in cut)
    told = f" Not traced to the end: {titles}." if cut and not goes_on else ""
    of_methods = counted(n_methods, "method")
    return f"{models} traced, of {of_methods}.{told}" if n_models else ""


def _budget_told(state: FrontierState, point: FrontierPoint) -> Iterator[str]:
    """Say what the words "best" and "within" hold of, and of what they do not."""
    axes = state.axes()
    yield held_text(point, axes, state.budget)
    yield first_buy_text(point, state.frontier(), state.budget)
    yield _higher_bar(state, point)
    splits = state.splits_within()
    if splits is not None:
        within, n_splits = splits
        yield f"Test rows stay within the budget on {within} of {n_splits} splits."


def _higher_bar(state: FrontierState, point: FrontierPoint) -> str:
    """Say which bar is higher than the best's, and why that one is not the best."""
    score = state.axes().score

    def on_test(one: FrontierPoint) -> float:
        return one.scores["test"][score]

    top = max(state.best_within_budget().values(), key=on_test, default=point)
    if on_test(top) > on_test(point):
        title = all_methods()[top.method].title
        return (
            f"Validation rows chose it ({score_text(point, score, 'validation')} "
            f"there, {title} {score_said(top, score, 'validation')}); on "
            f"test rows {title} scores {score_said(top, score)}."
        )
    frontier = state.frontier()
    room = room_of(state.budget)
    marks = state.placed_marks().values()
    paid = [one for one in marks if frontier.held(one) <= room]
    mark = max(paid, key=on_test, default=point)
    if on_test(mark) <= on_test(point):
        return ""
    return (
        f"It is chosen from the lines; {all_methods()[mark.method].title} at exactly "
        f"λ scores {score_said(mark, score)} on test rows."
    )


class AccountingNote(TextView):
    """A plain note; empty where there is nothing to say."""

    state = param.ClassSelector(class_=FrontierState)
    follows = ("accounting", "methods")
    margin = (0, 10)

    def _markup(self) -> str:
        text = accounting_note(self.state)
        return f'<p role="note">{text}</p>' if text else ""


def accounting_note(state: FrontierState) -> str:
    """Return what the accounting means for the hypergraph cascade.

    Empty under mean cost, or where the method is not ticked.
    """
    is_ticked = "hypergraph_cascade" in state.methods
    return ACCOUNTING_NOTES.get(state.accounting, "") if is_ticked else ""


class PlainText(StateAnswer):
    """What the chosen point computes, decides and costs, to be said aloud."""

    state = param.ClassSelector(class_=FrontierState)
    follows = (
        *("dataset", "traces", "marks", "rests", "reason", "picked", "methods"),
        *AXES,
    )
    _shown: tuple[Any, ...] = ()

    def _write(self) -> None:
        state, chosen = self.state, self.state.chosen()
        point = None if chosen is None else chosen.point
        axes = tuple(getattr(state, name) for name in AXES)
        shown = (point, state.budget, axes, id(state.traces))
        if shown != self._shown:
            self._shown = shown
            super()._write()

    def _answer(self) -> PlainAnswer | None:
        return plain_answer(self.state)


def plain_answer(state: FrontierState) -> PlainAnswer | None:
    """Return what the chosen point does, in words; None while none is chosen."""
    chosen = state.chosen()
    if chosen is None or chosen.point.model is None:
        return None
    # While others are still traced, nobody knows what the next step up would bring.
    traces = [state.traces.get(name) for name in state.methods]
    is_whole = all(trace is not None and trace.is_complete for trace in traces)
    frontier, budget = state.frontier(), state.budget
    if chosen.reason != "budget":
        budget = frontier.held(chosen.point)
    more = (
        beyond_budget(frontier, budget, chosen.point, state.dataset) if is_whole else ""
    )
    return answer_of_point(chosen.point, state.split(), state.threshold, more)


def tracing_row(traces: Asker, settled: Any = "") -> Any:
    """Return the row that says how far each method is, and stops one.

    How far all are stands beside the answer. `settled`: what is traced, as markup or a
    reference to it.
    """
    chips = wide_row(height=46, scroll="x-auto", visible=traces.is_slow)

    def stop(place: int) -> None:
        shown = list(traces.shares)
        if place < len(shown):  # or it ended while the click was under way
            traces.stop(shown[place])

    def draw(*_: Any) -> None:
        # A button is used again for another method: to put one in or take one out
        # makes Bokeh look through the whole page, which takes longer than the plot.
        shares = traces.shares if traces.is_slow else {}
        for n in range(len(chips), len(shares)):
            press = partial(stop, n)
            chips.append(button("", press, small=True, margin=(2, 3)))
        for chip in chips[len(shares) :]:
            chip.visible = False
        for chip, (name, share) in zip(chips, shares.items(), strict=False):
            title = all_methods()[name].title
            # Of its first points, which all methods have soon, nothing is counted.
            done = f", {100 * share:.0f} %" if share else ""
            chip.param.update(label=f"Stop {title}{done}", visible=True)

    traces.param.watch(draw, ["shares", "is_slow"])
    look = {"margin": (8, 10, 0, 10), "min_width": 200, "styles": {"font-size": "14px"}}
    told = markup(settled, **look)
    # Sent when something first takes a while: most pages open on what is there.
    stops = from_first_shown(chips)
    stops.styles = {"flex": "4 1 0"}

    def show(event: param.parameterized.Event) -> None:
        chips.visible = stops.visible = event.new  # else the words have all the room

    traces.param.watch(show, "is_slow")
    return wide_row(told, stops, min_height=48, scroll="x-auto")
