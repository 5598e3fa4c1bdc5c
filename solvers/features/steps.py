"""Feature functions, and what their parameter names say that they need."""

from __future__ import annotations

import heapq
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from ..checks import refuse_twins
from ..errors import PipelineError, listed, shown


@dataclass(frozen=True)
class Step:
    """A function under a name, and what it is called with: one component.

    Parameters
    ----------
    name : str
        Name of the component.
    function : callable
        Takes what it needs by position, gives back one value and changes nothing.
    needs : sequence of str, optional
        Names of the components or inputs that it is called with, in the order of its
        parameters; the names of the parameters by default. A parameter that has a
        default value is not a need.

    Raises
    ------
    PipelineError
        If the function cannot be called with what it needs.

    Examples
    --------
    >>> import numpy as np
    >>> Step("peak of the uplink", np.max, ["uplink"]).needs
    ('uplink',)
    """

    name: str
    function: Callable[..., Any]
    needs: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise PipelineError(f"A step is called {shown(self.name)}; give it a name.")
        if not callable(self.function):
            raise PipelineError(
                f"Step {shown(self.name)} holds {shown(self.function)}; give it a "
                "function."
            )
        if isinstance(self.needs, str):
            raise PipelineError(
                f"Step {shown(self.name)} needs {shown(self.needs)}; give a list of "
                "names."
            )
        needs = self._parameters() if self.needs is None else tuple(self.needs)
        self._refuse_a_call_that_cannot_be(needs)
        object.__setattr__(self, "needs", needs)  # how a frozen class normalises

    @property
    def arguments(self) -> tuple[str, ...]:
        """What it is called with; the same as `needs`, never None."""
        return tuple(self.needs or ())

    def _parameters(self) -> tuple[str, ...]:
        signature = _signature(self.function)
        if signature is None:
            raise PipelineError(
                f"The parameters of {shown(self.name)} cannot be read; wrap it as "
                f"Step({shown(self.name)}, function, needs=[...])."
            )
        for parameter in signature.parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise PipelineError(
                    f"Function {shown(self.name)} takes {parameter}; name each need "
                    "as a parameter of its own."
                )
        return tuple(
            parameter.name
            for parameter in signature.parameters.values()
            if parameter.default is parameter.empty
        )

    def _refuse_a_call_that_cannot_be(self, needs: tuple[str, ...]) -> None:
        signature = _signature(self.function)
        if signature is None:
            return
        try:
            signature.bind(*needs)
        except TypeError as error:
            raise PipelineError(
                f"Function {shown(self.name)} cannot be called with {_listed(needs)} "
                f"by position: {error}."
            ) from error


def as_step(function: Step | Callable[..., Any]) -> Step:
    """Return a function as the step of its own name."""
    if isinstance(function, Step):
        return function
    name = getattr(function, "__name__", "<lambda>")
    if name == "<lambda>":
        raise PipelineError(
            f"{shown(function)} has no name; wrap it as Step(name, function, "
            "needs=[...])."
        )
    return Step(name, function)


def checked_inputs(inputs: Sequence[str], steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the inputs of a pipeline after checking all names that it uses."""
    if isinstance(inputs, str):
        raise PipelineError(
            f"The inputs are {shown(inputs)}; give a list of names, as in "
            f"[{shown(inputs)}]."
        )
    steps = tuple(steps)
    names = [*inputs, *(step.name for step in steps)]
    remedy = "give each input and function a name of its own"
    refuse_twins(names, "The pipeline has the name", PipelineError, remedy)
    known = set(names)
    for step in steps:
        for need in step.arguments:
            if need not in known:
                raise PipelineError(
                    f"Function {shown(step.name)} needs {shown(need)}, which is "
                    "neither a function nor an input; the inputs are "
                    f"{_listed(inputs)}."
                )
    return tuple(inputs)


def execution_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return steps so that each stands after all that it needs.

    Steps that are in such an order already keep it.
    """
    position = {step.name: i for i, step in enumerate(steps)}
    sorter: TopologicalSorter[int] = TopologicalSorter(
        {
            position[step.name]: [position[n] for n in step.arguments if n in position]
            for step in steps
        }
    )
    try:
        sorter.prepare()
    except CycleError as error:
        circle = " -> ".join(steps[i].name for i in reversed(error.args[1]))
        raise PipelineError(
            f"Functions need each other in a circle: {circle}; break it."
        ) from error
    ordered: list[Step] = []
    ready = list(sorter.get_ready())
    heapq.heapify(ready)
    while ready:
        first = heapq.heappop(ready)
        ordered.append(steps[first])
        sorter.done(first)
        for follower in sorter.get_ready():
            heapq.heappush(ready, follower)
    return tuple(ordered)


def closure(ordered: Sequence[Step]) -> Mapping[str, frozenset[str]]:
    """Return all steps that each step needs, itself among them.

    `ordered`: in an order of execution.
    """
    needed: dict[str, frozenset[str]] = {}
    for step in ordered:
        before = [needed[need] for need in step.arguments if need in needed]
        needed[step.name] = frozenset({step.name}).union(*before)
    return needed


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None  # some builtins have none


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names) or "nothing"


def probability_step(
    name: str, model: Any, needs: Sequence[str], *, label: Any = None
) -> Step:
    """Return a component whose value is the probability that a fitted model gives.

    Parameters
    ----------
    name : str
        Name of the component.
    model : fitted classifier
        With `predict_proba` and `classes_`.
    needs : sequence of str
        Names of the inputs or components that the model takes, in any order where it
        knows names of its own, else in that of its columns; one that is an array gives
        as many columns as it has numbers.
    label : object, optional
        The class whose probability it is; the last one by default.

    Returns
    -------
    Step
        For `FeaturePipeline`.

    Raises
    ------
    PipelineError
        If the model gives no probabilities, is not fitted, does not know the label, or
        has columns of other names.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from solvers import FeaturePipeline
    >>> small = GaussianNB().fit([[0.0, 1.0], [4.0, 5.0]], ["quiet", "loud"])
    >>> step = probability_step("is quiet", small, ["low", "high"], label="quiet")
    >>> pipeline = FeaturePipeline([step], inputs=["low", "high"])
    >>> pipeline.extract([{"low": 0.0, "high": 1.0}]).round(3)
    array([[1.]])
    """
    if not hasattr(model, "predict_proba"):
        raise PipelineError(
            f"{type(model).__name__} gives no probabilities; give a model with "
            "predict_proba."
        )
    classes = getattr(model, "classes_", None)
    if classes is None:
        raise PipelineError(f"{type(model).__name__} has no classes yet; fit it first.")
    known = list(np.asarray(classes).tolist())
    wanted = known[-1] if label is None else label
    if wanted not in known:
        raise PipelineError(
            f"The model knows no class {shown(label)}; its classes are {listed(known)}."
        )
    ordered = _in_order_of(model, needs)
    return Step(name, partial(_probability, model, known.index(wanted)), ordered)


def _in_order_of(model: Any, needs: Sequence[str]) -> tuple[str, ...]:
    """Return needs in the order of a model's columns, if each of both has a name."""
    names = getattr(model, "feature_names_in_", None)
    if names is None or len(names) != len(needs):
        return tuple(needs)
    if set(names) != set(needs):
        raise PipelineError(
            f"The model's columns are {listed(list(names))} and its needs "
            f"{listed(list(needs))}; give them the same names."
        )
    return tuple(map(str, names))


def _probability(model: Any, column: int, *values: Any) -> float:
    """Return the probability of one class, from what a row is made of."""
    row = np.concatenate([np.ravel(value) for value in values])[np.newaxis, :]
    return float(model.predict_proba(row)[0, column])
