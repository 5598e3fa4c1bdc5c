"""The structured-costs page, asked for a scene."""

from explorer.pages.structured.queries import COMPARED
from explorer.pages.structured.scenes import own_graph
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
    COMPARED.answer(state)
    return state


def is_compared(state):
    """Whether all methods are compared at the setting."""
    run = state.run
    return (
        run is not None
        and run.is_complete
        and (run.setting, run.methods) == (state.setting(), state.computed)
    )


def is_traced(state):
    """Whether the curve is whole, or there is none."""
    plan = state.curve_plan()
    if plan is None:
        return True
    points = state.curve.points if state.is_curve_of_this else {}
    return points.keys() >= plan.points(state.computed).keys()
