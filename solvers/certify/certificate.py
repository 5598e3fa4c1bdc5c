"""A proof that a person can keep: a file, and the script that checks it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InterchangeError, shown
from ..hypergraph import FeatureHypergraph

__all__ = ["Certificate", "Leaf", "read_certificate", "write_certificate"]

_FORMAT = "certified-floor-1"
_CHECKER = "check_certificate.py"


@dataclass(frozen=True, eq=False)
class Leaf:
    """A vector and a multiplier for all selections that keep some decisions.

    Parameters
    ----------
    decisions : tuple of (int, bool)
        Components of the hypergraph, and whether they are bought.
    vector : ndarray of float, shape (n_rows,)
        One number in [0, 1] for each row, the classes in balance.
    multiplier : float
        What one unit of cost is charged in the objective, at least 0.
    """

    decisions: tuple[tuple[int, bool], ...]
    vector: NDArray[np.float64]
    multiplier: float


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
        return {
            "format": _FORMAT,
            "budget": self.budget,
            "ridge": self.ridge,
            "lower": self.lower,
            "without": list(self.without),
            "leaves": [
                {
                    "decisions": [[int(c), bool(b)] for c, b in leaf.decisions],
                    "vector": leaf.vector.tolist(),
                    "multiplier": leaf.multiplier,
                }
                for leaf in self.leaves
            ],
        }


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
        The table that it was made for.
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
    """
    labels = np.asarray(y)
    record = certificate.as_record() | {
        "X": np.asarray(X, dtype=float).tolist(),
        "y": (labels == np.unique(labels)[-1]).astype(int).tolist(),
        "incidence": hypergraph.incidence.toarray().astype(int).tolist(),
        "costs": hypergraph.component_costs.tolist(),
    }
    if sample_weight is not None:
        record["sample_weight"] = np.asarray(sample_weight, dtype=float).tolist()
    target = Path(path)
    target.write_text(json.dumps(record), "utf-8")
    checker = target.parent / _CHECKER
    checker.write_text(
        Path(__file__).with_name("checker.py").read_text("utf-8"), "utf-8"
    )
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
        If the file is not a certificate.
    """
    try:
        record = json.loads(Path(path).read_text("utf-8"))
        if record["format"] != _FORMAT:
            raise KeyError(record["format"])
        leaves = tuple(
            Leaf(
                tuple((int(c), bool(b)) for c, b in leaf["decisions"]),
                np.array(leaf["vector"], dtype=float),
                float(leaf["multiplier"]),
            )
            for leaf in record["leaves"]
        )
        numbers = [float(record[key]) for key in ("budget", "ridge", "lower")]
        without = tuple(int(one) for one in record["without"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InterchangeError(
            f"{shown(Path(path).name)} is no certificate of format {shown(_FORMAT)} "
            f"({error}); give a file of write_certificate."
        ) from error
    return Certificate(numbers[0], numbers[1], numbers[2], without, leaves)
