"""The best trimming in words: the answer in a line, and all of it to be said aloud."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import param

from solvers.bayes import InstanceTable, LearnedClassifier, Trimming
from solvers.costs.budgets import room_of
from solvers.values.rounding import number

from ...export.plain_answer import PlainAnswer, exchange_text
from ...session.answer_view import StateAnswer
from ...widgets.figure_view import TextView
from ...widgets.lights import FEATURE, things, together
from ...widgets.markup import summary_markup
from ...widgets.text import charge_text, counted, list_text, percent_text, right_text
from .log import SearchLog, TrimmingQuestion
from .state import EMPTY, UNSEARCHED, TrimmingState

MAX_NAMES = 6
BEFORE = "This answers what was set before: the search for what is set now was stopped."
# Lines of more joint states than these are not said aloud.
MAX_ALOUD = 16


# -------------------------------------------------------------------------- the answer


class TrimmingSummary(TextView):
    """The best trimming in one sentence or two, as a live region."""

    state = param.ClassSelector(class_=TrimmingState)
    busy = param.Boolean(default=False, allow_refs=True, doc="Whether it is searched.")
    follows = ("arrived", "position", "log", "opened")
    margin, min_height = (4, 10), 48

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(lambda *_: self._write(), "busy")

    def _markup(self) -> str:
        state = self.state
        lead, rest = _answer(state, self.busy)
        names = state.log.question.original.features if state.log else ()
        best = state.best()
        lights = {}
        if best is not None and best.features:
            lights[_count(state.log, best)] = together(things(FEATURE, best.features))
        # A search that goes on will soon say what is true; one that was stopped not.
        is_true = self.busy or best is None or state.is_answered
        if not is_true:
            rest = f"{BEFORE} {rest}"
        return summary_markup(rest, names, lead, lights, is_true)


def summary_text(state: TrimmingState, busy: bool = False) -> str:
    """Return what was found, in words."""
    return " ".join(filter(None, _answer(state, busy)))


def _answer(state: TrimmingState, busy: bool) -> tuple[str, str]:
    """Return how often the best decides alike, and what is to be known of it."""
    log, best = state.log, state.best()
    if log is None or best is None:
        return "", EMPTY if state.opened is None else UNSEARCHED
    names = list(best.features[:MAX_NAMES])
    if len(best.features) > MAX_NAMES:
        names.append(f"{len(best.features) - MAX_NAMES} more")
    kept = ", ".join(names) or "no feature at all"
    is_whole = state.position is None and log.is_complete
    error = "" if best.exact else f" ± {number(200 * best.standard_error)}"
    verb = "reach" if len(best.features) > 1 else "reaches"
    proved = f"; {_others(log, best)} (proved)" if is_whole and best.exact else ""
    lead = (
        f"{'' if is_whole else 'So far: '}{_count(log, best)} {verb} the same decision "
        f"in {_share(best.agreement, error)} of cases{proved}."
    )
    cost = charge_text(best.cost, log.question.unit)
    parts = [
        f"Kept: {kept}, for {cost}; new threshold: any in {best.threshold_interval}.",
        accuracy_text(state.accuracies()),
        _standing(state, busy),
    ]
    return lead, " ".join(filter(None, parts))


def _share(share: float, error: str) -> str:
    return f"{percent_text(share).removesuffix(' %')}{error} %"


def _count(log: SearchLog, best: Trimming) -> str:
    n_kept, n_all = len(best.features), len(log.question.original.features)
    if not n_kept:
        return f"Who looks at none of {counted(n_all, 'feature')}"
    these = "This" if n_kept == 1 else "These"
    return f"{these} {n_kept} of {counted(n_all, 'feature')}"


def _others(log: SearchLog, best: Trimming) -> str:
    """Return whom the best beats: all that the budget pays for."""
    alone = log.question.costs is None
    n_kept = len(best.features)
    if alone and n_kept and n_kept + 1 > room_of(log.question.budget):
        others = {1: "no other one does", 2: "no other pair does"}
        return f"{others.get(n_kept, f'no other {n_kept} do')} better"
    return "nothing else within the budget does better"


def accuracy_text(accuracies: tuple[float, float] | None) -> str:
    """Return how often decisions are right, which is not how often they agree."""
    if accuracies is None:
        return ""
    kept, everything = (percent_text(share) for share in accuracies)
    return f"Of the test rows {kept} are then right, {everything} untrimmed."


def _standing(state: TrimmingState, busy: bool) -> str:
    """Return what is proved of the best, and at what effort."""
    log, best = state.log, state.best()
    effort = counted(best.evaluations, "evaluation")
    if not best.exact:
        return f"Estimated from samples, not exact: nothing is proved; {effort}."
    if log.is_complete and state.position is None:
        return f"{effort}, {number(1000 * log.seconds)} ms."
    points = number(100 * best.gap)
    gap = f"another set may agree in up to {points} points more"
    if state.position is not None:
        return f"Up to this event {gap}; {effort}."
    return f"{'Searching' if busy else 'Stopped'}: {gap}; {effort}."


# --------------------------------------------------------------------- in plain words


class TrimmingText(StateAnswer):
    """What the best trimming looks at and says, and what more money would bring."""

    state = param.ClassSelector(class_=TrimmingState)
    follows = ("log", "arrived", "following")

    def _answer(self) -> PlainAnswer | None:
        state, log = self.state, self.state.log
        if log is None or not log.is_complete:
            return None
        best, following = log.best, state.following
        # What would follow was searched for by itself, for an older question maybe.
        further = following[1] if following and following[0] is log else None
        opened = state.opened
        return trimming_answer(
            log.question,
            best,
            log.tables.get(best.features),
            None if opened is None else opened.learned,
            further,
            state.accuracies(),
        )


def trimming_answer(
    question: TrimmingQuestion,
    best: Trimming,
    table: InstanceTable | None,
    learned: LearnedClassifier | None = None,
    following: Trimming | None = None,
    accuracies: tuple[float, float] | None = None,
) -> PlainAnswer:
    """Return what a trimming does, in words.

    `table`: its joint states, where they can be listed.
    `learned`: the rows that the original was learned from and is tested on.
    `following`: the best that the next step up would bring.
    `accuracies`: on test rows, of what is kept and of all features.
    """
    original, unit = question.original, question.unit
    everything = float(question.prices.component_costs.sum())
    alone = _alone_costs(question, best)
    opening = (
        f"Of {counted(len(original.features), 'feature')}, which cost "
        f"{charge_text(everything, unit)} together, {len(alone)} decide: they "
        f"cost {charge_text(best.cost, unit)}.{_alone(question, best, alone)}",
    )
    closing = (_worth(best, accuracies), _beyond(question, best, following))
    steps = _steps(question, best, table, learned)
    names = (*original.features, original.target)
    return PlainAnswer(opening, steps, closing, names)


def _alone_costs(question: TrimmingQuestion, best: Trimming) -> dict[str, float]:
    """Return what each kept feature costs by itself."""
    alone = question.prices.alone().tolist()
    costs = dict(zip(question.original.features, alone, strict=True))
    return {name: costs[name] for name in best.features}


def _alone(question: TrimmingQuestion, best: Trimming, alone: dict[str, float]) -> str:
    apart = sum(alone.values())
    if np.isclose(apart, best.cost):
        return ""
    return f" Alone they would cost {charge_text(apart, question.unit)} in sum."


def _steps(
    question: TrimmingQuestion,
    best: Trimming,
    table: InstanceTable | None,
    learned: LearnedClassifier | None,
) -> tuple[str, ...]:
    original = question.original
    alone = _alone_costs(question, best)
    priced = [f"{name} ({charge_text(c, question.unit)})" for name, c in alone.items()]
    looked = f"Look at {list_text(priced)}."
    yes = original.positive_state
    states = original.network.states[original.target]
    no = next(s for s in states if s != yes) if len(states) == 2 else f"not {yes}"
    if table is None or len(table.states) > MAX_ALOUD:
        return (
            *([looked] if best.features else []),
            f"Say {yes} where its probability, given these, is "
            f"{number(best.threshold)} or more; else say {no}.",
        )
    says = [posterior >= best.threshold for posterior in table.posteriors]
    if len(set(says)) == 1:
        return (f"Look at nothing: always say {yes if says[0] else no}.",)
    groups = []
    for label, wanted in ((yes, True), (no, False)):
        where = [
            _condition(table.features, shown) + _became(table, i, wanted, learned)
            for i, shown in enumerate(table.states)
            if says[i] == wanted
        ]
        groups.append(f"Say {label} where {'; or '.join(where)}.")
    return (looked, *groups)


def _condition(features: Sequence[str], states: Sequence[str]) -> str:
    return " and ".join(
        f"{name} {_state(state)}" for name, state in zip(features, states, strict=True)
    )


def _state(state: str) -> str:
    """Return the state of a learned column as it is said aloud."""
    for sign, said in (("<= ", "is at most "), ("> ", "is above ")):
        if state.startswith(sign):
            return state.replace(sign, said, 1)
    return f"is {state}"


def _became(
    table: InstanceTable, i: int, wanted: bool, learned: LearnedClassifier | None
) -> str:
    """Return how many test rows have a joint state, and of how many it is right."""
    if learned is None:
        return ""
    network, features = learned.classifier.network, learned.classifier.features
    if not set(table.features) <= set(features):
        return ""
    here = np.ones(len(learned.test_labels), dtype=bool)
    for name, state in zip(table.features, table.states[i], strict=True):
        code = network.states[name].index(state)
        here &= learned.test_codes[:, features.index(name)] == code
    right = int((learned.test_labels[here] == wanted).sum())
    return f" ({right_text(int(here.sum()), right)})"


def _worth(best: Trimming, accuracies: tuple[float, float] | None) -> str:
    error = "" if best.exact else f" ± {number(200 * best.standard_error)}"
    said = (
        f"How often alike: {_share(best.agreement, error)} of cases are decided as all "
        "features decide them."
    )
    return " ".join(filter(None, (said, accuracy_text(accuracies))))


def _beyond(
    question: TrimmingQuestion, best: Trimming, following: Trimming | None
) -> str:
    if set(best.features) == set(question.original.features):
        return "Everything is bought: there is nothing left to buy."
    if following is None:
        return "What the next step up would bring has not been searched."
    more = charge_text(following.cost - best.cost, question.unit)
    total = charge_text(following.cost, question.unit)
    if following.agreement <= best.agreement + 1e-9:
        return (
            "Not bought: a budget that pays for one feature more decides no more cases "
            "alike."
        )
    return (
        f"Not bought: for {more} more ({total}), "
        f"{exchange_text(best.features, following.features)}, "
        f"{percent_text(following.agreement)} of cases are decided alike."
    )
