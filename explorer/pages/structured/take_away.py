"""What is on the structured-costs page as a script."""

from __future__ import annotations

from typing import Any

from solvers.errors import DataError
from solvers.markov import (
    OneGraphScene,
    compare_scene,
    read_graph,
    read_lab,
    read_sensor_csv,
)

from ...export.call import Call, script
from .runs import classifier_calls
from .scenes import (
    GRAPH,
    N_FOLDS,
    SENSORS,
    Setting,
    grown_scene,
    is_sensor_csv,
    sensor_scene,
)
from .state import NO_RIVAL, StructuredState

BESIDE = "The files that were opened: put them beside this script."


def structured_script(state: StructuredState) -> str:
    """Return a script that prints what the methods on screen pay, and the curve.

    It reads the files that were opened: they are to lie beside it.
    """
    setting = state.setting()
    if setting is None or not state.computed:
        raise DataError("There is nothing to compare yet; open data and tick a method.")
    curve = state.curve_plan()
    along: dict[str, Any] = {}
    if curve is not None:
        along = {
            "curve_over": curve.knob,
            "values": curve.values,
            "seeds": curve.seeds,
        }
    comparison = Call(
        compare_scene,
        _scene(state, setting),
        classifier_calls(state.computed, averaged=setting.averaged),
        drawn=[name for name in (state.method, state.rival) if name != NO_RIVAL],
        shown=state.shown,
        **along,
        progress=True,
    )
    about = "Compare classifiers of linked things as a view of Thriftscope does."
    return script(about, comparison=comparison)


def _scene(state: StructuredState, setting: Setting) -> Call:
    """Return what makes the graphs of a setting."""
    if setting.scene == "own":
        given = {file.role: file.name for file in state.files_of(GRAPH)}
        if not given:
            raise DataError(
                "The files of this graph were not kept; open them once more."
            )
        graph = Call(read_graph, *(given.get(role) for role in GRAPH)).noted(BESIDE)
        return Call(OneGraphScene, graph, n_parts=N_FOLDS)
    if setting.scene != "sensors":
        return grown_scene(setting)
    files = {file.role: file for file in state.files_of(SENSORS)}
    readings = None
    if files:
        reader = read_sensor_csv if is_sensor_csv(files["readings"]) else read_lab
        readings = Call(reader, *(files[role].name for role in SENSORS)).noted(BESIDE)
    return sensor_scene(readings, setting.occupant_cost, setting.seed)
