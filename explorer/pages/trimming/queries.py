"""What the trimming page asks: the search, and what the next step up would bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from solvers.bayes import Trimming, trim
from solvers.costs.budgets import room_of

from ...compute.query import Query
from .log import SearchLog, SearchUpdate, TrimmingQuestion, follow_search

if TYPE_CHECKING:
    from .state import TrimmingState

ASKED = (
    *("opened", "target", "positive", "features", "threshold", "budget"),
    *("charging", "costs"),
)
Further = tuple[SearchLog, Trimming]
# A search that took more evaluations is not done a second time for one sentence.
MAX_EVALUATIONS = 20_000


def _search(state: TrimmingState) -> Iterator[tuple[SearchLog, SearchUpdate]]:
    question = state.question()
    log = SearchLog(question)
    return ((log, news) for news in follow_search(question))


def _extended(_: SearchLog | None, item: tuple[SearchLog, SearchUpdate]) -> SearchLog:
    log, news = item
    log.extend(news)
    return log


def _show_log(state: TrimmingState, logs: Mapping[Any, SearchLog]) -> None:
    """Show a log from its beginning, or what has come of the one that is shown."""
    (log,) = logs.values()
    told, state.told = state.told, (log, len(log.events))
    if state.log is not log:
        state.param.update(
            log=log, position=None, is_playing=False, arrived=state.arrived + 1
        )
    elif told != state.told:
        state.arrived += 1


def _look_further(state: TrimmingState) -> Iterator[Further]:
    log = state.log
    return ((log, found) for found in next_step(log.question, log.best))


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


SEARCH = Query(
    "log",
    asks=lambda state: state.asked(),
    work=_search,
    follows=ASKED,
    trails=("threshold", "budget"),
    joins=_extended,
    shows=_show_log,
    share=lambda log: log.share,
    keeps=8,
)
# Once the best is known.
FURTHER = Query(
    "following",
    asks=lambda state: state.log if state.log and state.log.is_complete else None,
    work=_look_further,
    follows=("log", "arrived"),
)
