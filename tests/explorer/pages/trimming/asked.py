"""The trimming page, asked and searched."""

from explorer.pages.trimming.log import SearchLog, follow_search
from explorer.pages.trimming.queries import SEARCH
from explorer.pages.trimming.sources import open_network
from explorer.pages.trimming.state import TrimmingState
from explorer.session.state import bundled


def opened(source="quiz", **more):
    state = TrimmingState(dataset=bundled("breast_cancer"), source=source, **more)
    take(state, state.open_request())
    return state


def take(state, request):
    state.take(next(open_network(request)), request)


def search(state, **options):
    if options:
        log = SearchLog(state.question())
        for news in follow_search(log.question, **options):
            log.extend(news)
        state.param.update(log=log, position=None, arrived=state.arrived + 1)
    else:
        SEARCH.answer(state)
    return state
