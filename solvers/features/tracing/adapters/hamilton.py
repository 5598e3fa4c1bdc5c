"""Hamilton: the graph of a driver is the hypergraph, a node is a component."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ....errors import PipelineError, listed, shown
from ...pipeline import FeaturePipeline
from ...steps import Step
from .extras import library


def hamilton_pipeline(
    driver: Any, features: Sequence[str], inputs: Sequence[str]
) -> FeaturePipeline:
    """Return the nodes that some nodes of a driver need as a pipeline.

    Parameters
    ----------
    driver : hamilton.driver.Driver
        Its configuration is part of it.
    features : sequence of str
        Names of the nodes that are features; each has to give one number.
    inputs : sequence of str
        Names of what a raw sample gives.

    Returns
    -------
    FeaturePipeline
        Its features are what ``driver.execute`` gives.

    Raises
    ------
    PipelineError
        If Hamilton is missing, a node is unknown, runs in parallel, or needs an input
        that is not among the inputs.
    """
    library("hamilton.driver", "hamilton")
    nodes = {node.name: node for node in driver.graph.get_nodes()}
    for name in features:
        if name not in nodes:
            raise PipelineError(
                f"The driver has no node {shown(name)}; its nodes are "
                f"{listed(sorted(nodes))}."
            )
    constants = {**driver.graph.config}
    wanted = _upstream(nodes, features, {*inputs, *constants})
    steps = [_step(nodes[name], inputs, nodes, constants) for name in wanted]
    return FeaturePipeline(steps, inputs=list(inputs), features=list(features))


def _upstream(
    nodes: dict[str, Any], features: Sequence[str], given: set[str]
) -> list[str]:
    """Return the names of all nodes that are computed for the features."""
    found: dict[str, None] = {}
    waiting = list(reversed(features))
    while waiting:
        name = waiting.pop()
        if name in found or name in given:
            continue
        node = nodes[name]
        if node.user_defined:
            continue  # an input that nobody gives: its reader says so if it must
        if node.node_role.name in ("EXPAND", "COLLECT"):
            raise PipelineError(
                f"Node {shown(name)} runs in parallel over many values; a feature is "
                "computed from one sample."
            )
        found[name] = None
        waiting += reversed(list(node.input_types))
    return list(found)


def _step(
    node: Any, inputs: Sequence[str], nodes: dict[str, Any], constants: dict[str, Any]
) -> Step:
    needs, fixed = [], {}
    for name, (_, kind) in node.input_types.items():
        is_given = name in inputs or (name in nodes and not nodes[name].user_defined)
        if name in constants and name not in inputs:
            fixed[name] = constants[name]
        elif is_given:
            needs.append(name)
        elif kind.name == "REQUIRED":
            raise PipelineError(
                f"Node {shown(node.name)} needs {shown(name)}, which is neither a "
                f"node nor an input; the inputs are {listed(list(inputs))}."
            )
    called = partial(_by_name, node.callable, tuple(needs), fixed)
    return Step(node.name, called, tuple(needs))


def _by_name(
    function: Callable[..., Any],
    names: tuple[str, ...],
    fixed: dict[str, Any],
    *values: Any,
) -> Any:
    """Call a node's function, which takes by name what comes by position."""
    return function(**dict(zip(names, values, strict=True)), **fixed)
