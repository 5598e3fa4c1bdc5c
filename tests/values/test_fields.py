"""A parameter is said once, on its field, for constructor, knobs and help."""

import inspect
from typing import Annotated, Any

import pytest
from numpydoc.docscrape import ClassDoc
from sklearn.base import BaseEstimator, clone

from solvers.values.fields import Described, declared
from solvers.values.knobs import Choice, Number, Switch

Seed = Annotated[int | None, "Seed of the draw."]
RATE = Number("Rate", 0.0, 1.0, doc="Of each step.")


@declared
class Parent(BaseEstimator):
    """Learns.

    Attributes
    ----------
    told_ : int
        What was learned.
    """

    rows: Annotated[Any, Described("array_like of float", "Where to begin.")] = None
    rate: Annotated[float, RATE] = 0.5
    n_steps: Annotated[int | None, Number("Steps", 1, integer=True), "How many."] = 20
    random_state: Seed = 0


@declared
class Child(Parent):
    """Learns more."""

    rate: Annotated[float, RATE, "Of each step, and of the last."] = 0.1
    loss: Annotated[str, Choice("Loss", ("hinge", "logistic"))] = "hinge"
    shared: Annotated[bool, Switch("Shared", doc="Paid once.")] = True


def parameters(estimator):
    listed = ClassDoc(estimator)["Parameters"]
    return {entry.name: (entry.type, " ".join(entry.desc)) for entry in listed}


def test_help_lists_type_default_and_meaning_of_every_parameter():
    assert parameters(Parent) == {
        "rows": ("array_like of float, optional", "Where to begin."),
        "rate": ("float, default=0.5", "Of each step."),
        "n_steps": ("int or None, default=20", "How many."),
        "random_state": ("int or None, default=0", "Seed of the draw."),
    }
    assert inspect.signature(Parent).parameters["rate"].annotation is float
    assert [one.name for one in ClassDoc(Parent)["Attributes"]] == ["told_"]


def test_who_inherits_has_all_parameters_and_says_what_is_another_with_it():
    told = parameters(Child)
    assert list(told) == ["rows", "rate", "n_steps", "random_state", "loss", "shared"]
    assert told["rate"] == ("float, default=0.1", "Of each step, and of the last.")
    assert told["loss"] == ('{"hinge", "logistic"}, default="hinge"', "Loss.")
    assert told["shared"] == ("bool, default=True", "Paid once.")
    assert list(Child.knobs) == ["rate", "n_steps", "loss", "shared"]
    assert list(Parent.knobs) == ["rate", "n_steps"]
    assert clone(Child(rate=0.3, loss="logistic")).get_params()["rate"] == 0.3


def test_a_parameter_without_a_word_is_refused():
    with pytest.raises(TypeError, match="depth has neither a knob nor words"):

        @declared
        class Silent:
            """Says nothing."""

            depth: int = 3
