"""The trimming page, asked and searched."""

from explorer.pages.trimming.log import follow_search
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
    question = state.question()
    state.collector(question)(follow_search(question, **options))
    return state
