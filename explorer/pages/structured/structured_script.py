"""The Python script that compares the methods again, with nothing but public names."""

from __future__ import annotations

from typing import Any

from solvers.errors import DataError

from ...export.page_script import assignments
from .files import GRAPH, SENSORS, is_sensor_csv
from .methods import make_classifiers
from .runs import CurveRequest
from .scenes import MAX_SNAPSHOTS, N_DAYS, N_FOLDS, SENSORS_SPEAKING, FitRequest
from .state import NO_RIVAL, StructuredState

_HEAD = '''"""Compare classifiers of linked things as a view of Thriftscope does."""

from solvers.markov import (
    {imports},
)

{constants}
CLASSIFIERS = {{
{classifiers}
}}

'''
_GROWN = '''
def folds_at(seed, **growth):
    """Return graphs to learn from and graphs to test on."""
    return leave_one_out(
        grow_graphs(N_GRAPHS, **{**GROWTH, **growth}, random_state=seed)
    )


def costs_at(value, seed):
    """Return the folds at one value of what the curve is over."""
    return folds_at(seed, **{CURVE_OVER: value})


folds = folds_at(SEED)
graphs = [(fold, 0) for fold in range(N_GRAPHS)]
'''
_OWN_GRAPH = """
# The files that were opened: put them beside this script.
folds = leave_one_out(split_graph(read_graph(*FILES), N_FOLDS))
graphs = [(fold, 0) for fold in range(N_FOLDS)]
"""
_SENSORS = '''
def lab(seed):
    """Return readings, and the moments that are looked at."""
    {readings}
    return readings, snapshots


def costs_at(value, seed):
    """Return the folds at one cost of an occupant, lit or not."""
    return list(sensor_folds(*lab(seed), occupant_cost=value))


folds = costs_at(OCCUPANT_COST, SEED)
fold_of = deal_snapshots(lab(SEED)[1], N_FOLDS).tolist()
graphs = [(fold, fold_of[:k].count(fold)) for k, fold in enumerate(fold_of)]
'''
_MADE_UP = """readings = simulate_lab(N_DAYS, random_state=seed)
    snapshots = take_snapshots(readings, max_snapshots=MAX_SNAPSHOTS)"""
_READ = """# The files that were opened: put them beside this script.
    readings = {reader}(*FILES)
    wanted = max(2, int(SHARE_OF_SENSORS * readings.n_sensors))
    snapshots = take_snapshots(
        readings, min_sensors=wanted, max_snapshots=MAX_SNAPSHOTS
    )"""
_REPORT = """
# Each graph is tested on once, by what was learned from the others.
results = list(compare(folds, CLASSIFIERS, keep_decisions=True))
print("Mean cost of a test graph:")
for row in summarise(results):
    print(f"    {row.method}: {row.cost:.6g} +- {row.standard_error:.3g}, "
          f"{100 * row.accuracy:.1f} % of the nodes are right")

# What is drawn: one test graph, as one method labels it.
fold, place = graphs[min(SHOWN, len(graphs) - 1)]
graph = folds[fold][1][place]
paid = {}
for row in results:
    if row.fold == fold and row.method in (DRAWN, RIVAL):
        nodes, edges = paid_costs(graph, row.decisions[place].labels)
        paid[row.method] = float(nodes.sum() + edges.sum())
        print(f"{row.method} pays {paid[row.method]:.6g} on test graph {SHOWN + 1}: "
              f"{nodes.sum():.6g} on nodes, {edges.sum():.6g} on links")
"""
_CURVE = """
curve = {}
for value in VALUES:
    found = [
        row for seed in CURVE_SEEDS
        for row in compare(costs_at(value, seed), CLASSIFIERS)
    ]
    curve[value] = summarise(found)
    told = ", ".join(f"{row.method} {row.cost:.6g}" for row in curve[value])
    print(f"{CURVE_OVER} {value:g}: {told}")
"""


def structured_script(state: StructuredState) -> str:
    """Return a script that prints what the methods on screen pay, and the curve."""
    request = state.fit_request()
    if request is None or not request.methods:
        raise DataError("There is nothing to compare yet; open data and tick a method.")
    imports, constants, body = _scene(state, request)
    constants |= {
        "DRAWN": state.method,
        "RIVAL": None if state.rival == NO_RIVAL else state.rival,
        "SHOWN": state.shown,
    }
    curve = state.whole_curve()
    if curve is not None:
        constants |= _curve(curve)
        body += _REPORT + _CURVE
    else:
        body += _REPORT
    classifiers = make_classifiers(request.methods, averaged=request.averaged)
    used = {type(classifier).__name__ for classifier in classifiers.values()}
    names = sorted({*imports, *used, "compare", "paid_costs", "summarise"})
    head = _HEAD.format(
        imports=",\n    ".join(names),
        constants=assignments(constants),
        classifiers="\n".join(
            f"    {name!r}: {classifier!r}," for name, classifier in classifiers.items()
        ),
    )
    return head + body


def _scene(
    state: StructuredState, request: FitRequest
) -> tuple[list[str], dict[str, Any], str]:
    """Return what a scene imports, its constants, and how its graphs are made."""
    constants: dict[str, Any]
    if request.scene == "own":
        given = {file.role: file.name for file in state.files_of(GRAPH)}
        if not given:
            raise DataError(
                "The files of this graph were not kept; open them once more."
            )
        imports = ["leave_one_out", "read_graph", "split_graph"]
        constants = {"FILES": [given.get(role) for role in GRAPH], "N_FOLDS": N_FOLDS}
        return imports, constants, _OWN_GRAPH
    if request.scene != "sensors":
        constants = {"N_GRAPHS": N_FOLDS, "GROWTH": dict(request.growth)}
        imports = ["grow_graphs", "leave_one_out"]
        return imports, {**constants, "SEED": request.seed}, _GROWN
    constants = {
        "SEED": request.seed,
        "N_FOLDS": N_FOLDS,
        "OCCUPANT_COST": float(request.occupant_cost),
        "MAX_SNAPSHOTS": MAX_SNAPSHOTS,
    }
    imports = ["deal_snapshots", "sensor_folds", "take_snapshots"]
    files = {file.role: file for file in state.files_of(SENSORS)}
    if not files:
        made = _SENSORS.format(readings=_MADE_UP)
        return [*imports, "simulate_lab"], {**constants, "N_DAYS": N_DAYS}, made
    reader = "read_sensor_csv" if is_sensor_csv(files["readings"]) else "read_lab"
    constants["FILES"] = [files[role].name for role in SENSORS]
    constants["SHARE_OF_SENSORS"] = SENSORS_SPEAKING
    return (
        [*imports, reader],
        constants,
        _SENSORS.format(readings=_READ.format(reader=reader)),
    )


def _curve(curve: CurveRequest) -> dict[str, Any]:
    return {
        "CURVE_OVER": curve.knob,
        "VALUES": list(curve.values),
        "CURVE_SEEDS": list(curve.seeds),
    }
