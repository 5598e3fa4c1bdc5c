"""What a search will take, known before it starts, so that nobody waits in vain."""

from __future__ import annotations

from ..errors import NetworkError
from .classifier import BayesianClassifier
from .elimination import joint_operations, row_operations
from .masses import KEPT_ENTRIES

__all__ = [
    "is_large",
    "opening_rows",
    "refuse_hopeless_samples",
    "refuse_hopeless_table",
    "table_is_hopeless",
]

# About ten minutes of elimination; more is refused.
MOST_OPERATIONS = 5e10
# Under a second of elimination: rows for the first event.
OPENING_OPERATIONS = 3e7
OPENING_ROWS = 500


def is_large(classifier: BayesianClassifier) -> bool:
    """Return whether joint states are too many to have a table of them at once."""
    return classifier.n_states > KEPT_ENTRIES


def opening_rows(classifier: BayesianClassifier) -> int:
    """Return how many sampled rows are decided in well under a second."""
    affordable = OPENING_OPERATIONS / (2 * _of_row(classifier))
    return int(min(OPENING_ROWS, max(1, affordable)))


def table_is_hopeless(classifier: BayesianClassifier) -> bool:
    """Return whether the table of decisions takes too many operations."""
    return _of_table(classifier) > MOST_OPERATIONS


def refuse_hopeless_table(classifier: BayesianClassifier) -> None:
    """Refuse a table of decisions that takes too many operations."""
    needed = _of_table(classifier)
    if needed > MOST_OPERATIONS:
        raise NetworkError(
            f"The table of {float(classifier.n_states):.1e} joint states takes about "
            f"{needed:.0e} operations, more than {MOST_OPERATIONS:.0e}. Use fewer "
            "features, or exact=False."
        )


def refuse_hopeless_samples(classifier: BayesianClassifier, n_samples: int) -> None:
    """Refuse to decide more sampled rows than can be waited for."""
    each = _of_row(classifier)
    # Twice: rows to choose by, and as many fresh ones to judge the choice by.
    if 2 * n_samples * each > MOST_OPERATIONS:
        most = max(1, int(MOST_OPERATIONS / (2 * each)))
        raise NetworkError(
            f"Deciding one row takes about {each:.0e} operations, twice {n_samples} "
            f"rows too many. Use fewer features, or n_samples={most} at most."
        )


def _of_row(classifier: BayesianClassifier) -> float:
    if classifier.is_naive_bayes or not is_large(classifier):
        return float(len(classifier.features))
    return row_operations(classifier.network, classifier.target, classifier.features)


def _of_table(classifier: BayesianClassifier) -> float:
    if classifier.is_naive_bayes or not is_large(classifier):
        return float(min(classifier.n_states, MOST_OPERATIONS))
    return joint_operations(
        classifier.network, (classifier.target, *classifier.features)
    )
