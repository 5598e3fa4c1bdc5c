"""The structured-costs page, asked for a scene."""

from explorer.pages.structured.scenes import fit_methods, own_graph
from explorer.pages.structured.state import StructuredState
from solvers.markov.growth import grow_graph

QUICK = ["LOGREG", "CSMN", "CSMN w/o CSINF"]


def state_of(scene="growth", **choices):
    state = StructuredState()
    if scene == "own":
        graph = grow_graph(90, random_state=0)
        state.use_own_graph(own_graph(graph, "mine.csv"))
    else:
        state.scene = scene
    state.param.update(**{"n_nodes": 40, "methods": QUICK, "method": "CSMN", **choices})
    return state


def fitted(scene="growth", **choices):
    state = state_of(scene, **choices)
    request = state.fit_request()
    collect = state.collector(request)
    for arrival in fit_methods(request):
        collect([arrival])
    return state
