"""What every method pays at this setting, and whether its inference can be trusted."""

from __future__ import annotations

from typing import Any

import numpy as np
import param

from solvers.markov import HealthReport, MethodSummary
from solvers.values.rounding import number

from ...widgets.figure_view import StateTable, TextView
from ...widgets.markup import summary_markup
from ...widgets.text import plain
from .runs import Run
from .state import NO_RIVAL, StructuredState

# What decides about each node without its links.
ALONE = "LOGREG"
COLUMNS = [
    "Method",
    "Cost",
    "± s.e.",
    "On nodes",
    "On links",
    "Accuracy (%)",
    "Fit (ms)",
    "Predict (ms)",
]
NUMBERS = [False, True, True, True, True, True, True, True]


class PaidSummary(TextView):
    """What is drawn, in one sentence that is read aloud when it changes."""

    state = param.ClassSelector(class_=StructuredState)
    follows = ("run", "method", "rival", "shown")
    min_height = 54

    def _markup(self) -> str | None:
        lead, rest = paid_answer(self.state)
        if lead or not self._pane.object:
            return summary_markup(rest, lead=lead)
        return None


def paid_answer(state: StructuredState) -> tuple[str, str]:
    """Return what methods pay, and what is to be known of it."""
    run: Run | None = state.run
    paid = None if run is None else run.paid(state.method, state.shown)
    if run is None or paid is None:
        return "", ""
    lead = f"{state.title(state.method)} pays {number(paid.total)}"
    alone = run.paid(ALONE, state.shown)
    if alone is not None and state.method != ALONE:
        told = f"deciding alone ({state.title(ALONE)}) pays {number(alone.total)}"
        lead = f"{lead}; {told}"
    graph = run.graph(state.shown)
    wrong = int((paid.labels != graph.truth).sum())
    title = run.world.titles[run.clipped(state.shown)]
    unit = " units of electricity" if run.setting.scene == "sensors" else ""
    lead = f"{lead}{unit} on test {title}."
    said = (
        f"{number(paid.nodes.sum())} for {wrong} wrong of {graph.n_nodes} nodes, "
        f"{number(paid.edges.sum())} on {graph.n_edges} links."
    )
    rival = None
    if state.rival != NO_RIVAL:
        rival = run.paid(state.rival, state.shown)
    if rival is not None:
        difference = paid.total - rival.total
        word = "more" if difference > 0 else "less"
        much = f"{number(abs(difference))} {word} than" if difference else "as much as"
        differing = int((paid.labels != rival.labels).sum())
        said += (
            f" That is {much} {state.title(state.rival)} ({number(rival.total)}); "
            f"{differing} nodes are called differently."
        )
    if run.is_complete:
        # A mean over few graphs: how sure it is stands beside it.
        least = min(run.summaries().values(), key=lambda found: found.cost)
        error = least.standard_error
        spread = f" ± {number(error)}" if np.isfinite(error) else ""
        said += (
            f" Over all test graphs {state.title(least.method)} pays least on average "
            f"({number(least.cost)}{spread})."
        )
    return lead, " ".join([said, run.sketch(state.shown).note]).strip()


class MethodTable(StateTable):
    """One row a method; a click draws it."""

    state = param.ClassSelector(class_=StructuredState)
    caption, columns, numbers = "Costs of all methods", COLUMNS, NUMBERS
    height = 290
    follows = ("run", "method")

    def __init__(self, **params: Any) -> None:
        self._names: list[str] = []
        super().__init__(**params)

    def _fill(self) -> None:
        run = self.state.run
        if run is None:
            return
        found = run.summaries()
        # The old rows stay until there is one for each method.
        if set(found) >= set(run.methods) or not self._names:
            self._names = [name for name in found if name in run.methods]
            self._table.param.update(
                rows=[self._row(run, found[name]) for name in self._names]
            )
        drawn = self.state.method
        self._table.picked = self._names.index(drawn) if drawn in self._names else -1

    def _row(self, run: Run, summary: MethodSummary) -> list[Any]:
        results = run.of_method(summary.method)
        n = len(results)
        error = summary.standard_error
        return [
            self.state.title(summary.method),
            round(summary.cost, 1),
            "" if n < 2 else round(error, 1),
            round(sum(result.node_cost for result in results) / n, 1),
            round(sum(result.edge_cost for result in results) / n, 1),
            round(100 * summary.accuracy, 1),
            round(1e3 * sum(result.fit_seconds for result in results) / n, 1),
            round(1e3 * sum(result.predict_seconds for result in results) / n, 1),
        ]

    def _pick(self, row: int) -> None:
        self.state.method = self._names[row]


class HealthBadges(TextView):
    """What is wrong with whose inference, as badges in words."""

    state = param.ClassSelector(class_=StructuredState)
    follows = ("run",)
    min_height = 104

    def _markup(self) -> str | None:
        run = self.state.run
        if run is None or (self._pane.object and not run.is_complete):
            return None
        badges = []
        for name in run.methods:
            reports = run.health(name)
            if reports:
                words = ", ".join(health_text(reports, run.labels))
                kind = "good" if all(report.is_healthy for report in reports) else "bad"
                text = plain(f"{self.state.title(name)}: {words}")
                badges.append(f'<span class="badge {kind}">{text}</span>')
        return f'<div class="badges">{" ".join(badges)}</div>'


def health_text(reports: list[HealthReport], labels: tuple[str, ...]) -> list[str]:
    """Return the health of a method over its folds in a few words.

    Empty for a method without inference.
    """
    if not reports:
        return []
    said = []
    untrained = sum(not report.trained for report in reports)
    if untrained:
        said.append(
            f"training did not converge in {untrained} of {len(reports)} folds and "
            "its weights are where it gave up"
        )
    resting = sum(report.converged for report in reports)
    if not any(report.iterations for report in reports):
        said.append("needs no messages")
    elif resting == len(reports):
        said.append("messages converged" if untrained else "converged")
    else:
        said.append(f"messages converged in {resting} of {len(reports)} folds")
    stuck = [report.stuck_at for report in reports if report.stuck_at is not None]
    if stuck:
        which = ", ".join(dict.fromkeys(labels[label] for label in stuck))
        said.append(
            f"stuck at one class ({which}) in {len(stuck)} of {len(reports)} folds"
        )
    above = max((report.nats_above_cold or 0.0 for report in reports), default=0.0)
    if above > 1.0:
        said.append(f"{above:.0f} nats above a cold restart")
    return said
