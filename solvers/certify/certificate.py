"""A proof that a person can keep: a file, and the script that checks it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..costs.hypergraph import FeatureHypergraph
from ..costs.interchange.sources import write_text
from ..errors import InterchangeError, reason_of, shown
from ..numerics.arrays import Floats
from .problem import checked_rows

_FORMAT = "certified-floor-2"
# Too deep, too large a number, no such file.
_FAULTS = (RecursionError, OverflowError, OSError)
# Of a region.
_ARRAYS = ("weights", "reach", "spare")
_NUMBERS = ("intercept", "multiplier", "beat")
_CHECKER = "check_certificate.py"


@dataclass(frozen=True, eq=False)
class Region:
    """Where all models that are worth at most a value lie, under some decisions.

    Parameters
    ----------
    decisions : tuple of (int, bool)
        Components of the hypergraph, and whether they are bought.
    weights : ndarray of float, shape (n_features,)
        A model in the middle, of standardised columns.
    intercept : float
        Its intercept, the best for these weights.
    multiplier : float
        What one unit of cost is charged in the floor that its residuals prove.
    beat : float
        The value: nothing is said of models that are worth more.
    reach : ndarray of float, shape (n_rows,)
        How far a row's margin can be from this model's.
    spare : ndarray of float, shape (n_features,)
        Curvature of each weight that the loss can spare and stay convex there.
    """

    decisions: tuple[tuple[int, bool], ...]
    weights: Floats
    intercept: float
    multiplier: float
    beat: float
    reach: Floats
    spare: Floats

    def as_record(self) -> dict[str, object]:
        """Return the region as plain lists and numbers.

        Returns
        -------
        dict
        """
        record = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays = {name: record[name].tolist() for name in _ARRAYS}
        return record | arrays | {"decisions": _plain(self.decisions)}


@dataclass(frozen=True, eq=False)
class Leaf:
    """A vector and a multiplier for all selections that keep some decisions.

    Parameters
    ----------
    decisions : tuple of (int, bool)
        Components of the hypergraph, and whether they are bought.
    vector : ndarray of float, shape (n_rows,) or (n_features,)
        One number in [0, 1] for each row, the classes in balance; with a region the
        weights where the loss there is replaced by its tangent.
    multiplier : float
        What one unit of cost is charged in the objective, at least 0.
    region : Region, optional
        Where the floor holds, as far as the value that is to be beaten.
    """

    decisions: tuple[tuple[int, bool], ...]
    vector: Floats
    multiplier: float
    region: Region | None = None

    @property
    def nbytes(self) -> int:
        """Memory that its numbers take, with those of its region."""
        held = 0 if self.region is None else self.region.reach.nbytes
        return self.vector.nbytes + held


@dataclass(frozen=True, eq=False)
class Certificate:
    """The proof that no selection within a budget has a lower objective.

    Parameters
    ----------
    budget : float
        What selections may cost, in the unit of the hypergraph.
    ridge : float
        As it was given to the solver.
    lower : float
        The floor that is claimed.
    without : tuple of int
        Components that must not be bought.
    leaves : tuple of Leaf
        Together they cover all selections; one leaf without decisions does alone.
    """

    budget: float
    ridge: float
    lower: float
    without: tuple[int, ...]
    leaves: tuple[Leaf, ...]

    def as_record(self) -> dict[str, object]:
        """Return the certificate as plain lists and numbers.

        Returns
        -------
        dict
            What `check_certificate` reads, and JSON holds.
        """
        held = [leaf.region for leaf in self.leaves if leaf.region is not None]
        regions = list({id(region): region for region in held}.values())
        place = {id(region): index for index, region in enumerate(regions)}
        return {
            "format": _FORMAT,
            "budget": self.budget,
            "ridge": self.ridge,
            "lower": self.lower,
            "without": list(self.without),
            "regions": [region.as_record() for region in regions],
            "leaves": [
                {
                    "decisions": _plain(leaf.decisions),
                    "vector": leaf.vector.tolist(),
                    "multiplier": leaf.multiplier,
                    "region": None if leaf.region is None else place[id(leaf.region)],
                }
                for leaf in self.leaves
            ],
        }


def _plain(decisions: tuple[tuple[int, bool], ...]) -> list[list[object]]:
    return [[int(component), bool(bought)] for component, bought in decisions]


def write_certificate(
    path: str | Path,
    certificate: Certificate,
    X: ArrayLike,
    y: ArrayLike,
    hypergraph: FeatureHypergraph,
    sample_weight: ArrayLike | None = None,
) -> Path:
    """Write a certificate with its data as JSON, and its checker beside it.

    Parameters
    ----------
    path : str or Path
        The JSON file; ``check_certificate.py`` is written to the same folder.
    certificate : Certificate
        The proof.
    X : array_like of float, shape (n_rows, n_features)
        The table that it was made for; the columns of a frame are taken by name.
    y : array_like, shape (n_rows,)
        Its labels, of two classes.
    hypergraph : FeatureHypergraph
        What features need and what that costs.
    sample_weight : array_like of float, shape (n_rows,), optional
        How much each row counts, as it was given to the solver.

    Returns
    -------
    Path
        The checker: ``python check_certificate.py FILE`` needs numpy and scipy only.

    Raises
    ------
    ThriftscopeError
        If a file cannot be written: what was there stays; if the rows make no sense.
    """
    table, signs, _ = checked_rows(X, y, hypergraph, sample_weight)
    record = certificate.as_record() | {
        "X": table.tolist(),
        "y": (signs > 0).astype(int).tolist(),
        "incidence": hypergraph.incidence.toarray().astype(int).tolist(),
        "costs": hypergraph.component_costs.tolist(),
    }
    if sample_weight is not None:
        record["sample_weight"] = np.asarray(sample_weight, dtype=float).tolist()
    target = Path(path)
    write_text(json.dumps(record), target)
    checker = target.parent / _CHECKER
    write_text(Path(__file__).with_name("checker.py").read_text("utf-8"), checker)
    return checker


def read_certificate(path: str | Path) -> Certificate:
    """Read the certificate that a JSON file holds.

    Parameters
    ----------
    path : str or Path
        A file of `write_certificate`.

    Returns
    -------
    Certificate

    Raises
    ------
    InterchangeError
        If the file cannot be read, or is not a certificate.
    """
    try:
        record = json.loads(Path(path).read_text("utf-8"))
        if record["format"] != _FORMAT:
            raise KeyError(record["format"])
        regions = [_region(one) for one in record["regions"]]
        leaves = tuple(
            Leaf(
                _decisions(leaf),
                np.array(leaf["vector"], dtype=float),
                float(leaf["multiplier"]),
                None if leaf["region"] is None else regions[int(leaf["region"])],
            )
            for leaf in record["leaves"]
        )
        numbers = [float(record[key]) for key in ("budget", "ridge", "lower")]
        without = tuple(int(one) for one in record["without"])
    except (LookupError, TypeError, ValueError, *_FAULTS) as error:
        raise InterchangeError(
            f"{shown(Path(path).name)} is no certificate of format {shown(_FORMAT)} "
            f"({reason_of(error)}); give a file of write_certificate."
        ) from error
    return Certificate(numbers[0], numbers[1], numbers[2], without, leaves)


def _region(record: Mapping[str, Any]) -> Region:
    weights, reach, spare = (np.array(record[one], dtype=float) for one in _ARRAYS)
    intercept, multiplier, beat = (float(record[one]) for one in _NUMBERS)
    decisions = _decisions(record)
    return Region(decisions, weights, intercept, multiplier, beat, reach, spare)


def _decisions(record: Mapping[str, Any]) -> tuple[tuple[int, bool], ...]:
    return tuple((int(c), bool(b)) for c, b in record["decisions"])
