"""The best trimming in plain words: what to look at, when to say what, how sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import param

from solvers.bayes import InstanceTable, LearnedClassifier, Trimming, trim
from solvers.costs.budgets import room_of
from solvers.values.rounding import rounded

from ...export.plain_answer import PlainAnswer, exchange_text
from ...session.answer_view import StateAnswer
from ...widgets.text import charge_text, list_text, right_text
from .log import TrimmingQuestion
from .state import TrimmingState

# Lines of more joint states than these are not said aloud.
MAX_ALOUD = 16
# A search that took more evaluations is not done a second time for one sentence.
MAX_EVALUATIONS = 20_000


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
        )


def next_step(question: TrimmingQuestion, best: Trimming) -> Iterator[Trimming]:
    """Yield the best trimming of the next budget that buys one feature more."""
    original = question.original
    others = [j for j, f in enumerate(original.features) if f not in best.features]
    if not others or not best.exact or best.evaluations > MAX_EVALUATIONS:
        return
    own = [j for j, f in enumerate(original.features) if f in best.features]
    prices = question.prices
    costlier = [prices.cost([*own, j]) for j in others]
    room = room_of(question.budget)
    budget = min((cost for cost in costlier if cost > room), default=None)
    if budget is not None:
        yield trim(question.classifier(), budget, question.costs)


def trimming_answer(
    question: TrimmingQuestion,
    best: Trimming,
    table: InstanceTable | None,
    learned: LearnedClassifier | None = None,
    following: Trimming | None = None,
) -> PlainAnswer:
    """Return what a trimming does, in words.

    `table`: its joint states, where they can be listed.
    `learned`: the rows that the original was learned from and is tested on.
    `following`: the best that the next step up would bring.
    """
    original, unit = question.original, question.unit
    everything = float(question.prices.component_costs.sum())
    alone = _alone_costs(question, best)
    count = len(original.features)
    opening = (
        f"Of {count} {'feature' if count == 1 else 'features'}, which cost "
        f"{charge_text(everything, unit)} together, {len(alone)} decide: they "
        f"cost {charge_text(best.cost, unit)}.{_alone(question, best, alone)}",
    )
    closing = (_worth(best), _beyond(question, best, following))
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
            f"{rounded(best.threshold, 4):g} or more; else say {no}.",
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


def _worth(best: Trimming) -> str:
    error = "" if best.exact else f" ± {2 * best.standard_error:.4f}"
    return (
        f"How sure: {100 * best.agreement:.1f} %{error} of cases are decided as all "
        "features decide them."
    )


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
        f"{100 * following.agreement:.1f} % of cases are decided alike."
    )
