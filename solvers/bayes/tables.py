"""Classifiers learned from tables of numbers, with the rows to judge them by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import train_test_split

from ..checks import check_count, refuse_unknown, row_weights
from ..costs.alignment import aligned_columns, order_by_name
from ..errors import DataError, NetworkError, counted, shown
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.inner_folds import anew, deal_folds, group_codes
from ..values.distinct_names import free_name
from .classifier import BayesianClassifier, checked_threshold
from .criteria import class_information
from .learning import Model, checked_learner, column_states

if TYPE_CHECKING:
    from ..datasets.columns.schema import TableSchema

_LOADERS = {
    "breast_cancer": (load_breast_cancer, "malignant"),
    "wine": (load_wine, "class_0"),
    "digits": (load_digits, "8"),
}
#: Tables of scikit-learn that `learned_classifier` learns from.
TABLES = tuple(_LOADERS)
# A fifth of the rows is kept for judging, as in section 6.1 of the paper.
TEST_SHARE = 0.2


@dataclass(frozen=True, eq=False)
class LearnedClassifier:
    """A classifier learned from a table, and the table as states."""

    #: Learned from the training rows alone, cut points and columns included
    classifier: BayesianClassifier
    model: Model  #: What was learned
    #: (n_rows, n_features) Positions of states, one column a feature of the classifier;
    #: and which rows are of the positive class, (n_rows,)
    train_codes: NDArray[np.intp]
    train_labels: Mask
    test_codes: NDArray[np.intp]
    test_labels: Mask
    #: (n_rows,) What each row counts, and the group of each that is learned from
    train_weights: Floats
    test_weights: Floats
    train_groups: Integers | None = None


def learned_classifier(
    name: str,
    model: Model = "naive_bayes",
    *,
    n_columns: int = 12,
    n_bins: int = 2,
    threshold: float = 0.5,
    random_state: int | None = 0,
) -> LearnedClassifier:
    """Return a classifier learned from one of scikit-learn's tables.

    Parameters
    ----------
    name : {"breast_cancer", "wine", "digits"}
        The table; malignant, class_0 and the digit 8 are the positive classes.
    model : {"naive_bayes", "tan"}, default="naive_bayes"
        What is learned.
    n_columns, n_bins, threshold, random_state
        As for `learn_classifier`.

    Returns
    -------
    LearnedClassifier

    Examples
    --------
    >>> wine = learned_classifier("wine", "tan", n_columns=6)
    >>> len(wine.classifier.features), wine.train_codes.shape, wine.test_codes.shape
    (6, (142, 6), (36, 6))
    """
    refuse_unknown(name, TABLES, "table", NetworkError)
    load, positive = _LOADERS[name]
    table = load()
    labels = np.array([str(of) for of in table.target_names])[table.target]
    return learn_classifier(
        table.data,
        labels,
        positive,
        [str(of) for of in table.feature_names],
        model,
        n_columns=n_columns,
        n_bins=n_bins,
        threshold=threshold,
        random_state=random_state,
    )


def learn_classifier(
    X: ArrayLike,
    y: ArrayLike,
    positive: Any,
    feature_names: Sequence[str],
    model: Model = "naive_bayes",
    *,
    n_columns: int = 12,
    n_bins: int = 2,
    threshold: float = 0.5,
    random_state: int | None = 0,
    schema: TableSchema | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> LearnedClassifier:
    """Return a classifier learned from the most informative columns of a table.

    Four fifths of the rows are for training; columns, cut points and probabilities
    are learned from them alone. All labels but `positive` are one class.

    Parameters
    ----------
    X : array_like of float, shape (n_samples, n_columns)
        Finite numbers; with a `schema` the codes of a ``Dataset``. The columns of a
        frame are taken by name.
    y : array_like, shape (n_samples,)
        Labels.
    positive : object
        The label that counts as positive.
    feature_names : sequence of str
        Names of the columns.
    model : {"naive_bayes", "tan"}, default="naive_bayes"
        What is learned.
    n_columns : int, default=12
        How many columns are kept, by their information about the class; 1 or more.
    n_bins : int, default=2
        States of a column.
    threshold : float, default=0.5
        Of the classifier.
    random_state : int or None, default=0
        Seed of the split.
    schema : TableSchema, optional
        Kinds of the columns. A category is then taken as it is: its five most frequent
        values are states, all others are one more, and so is a missing value.
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows, 0 or more; a row of weight 0 is not there.
    groups : array_like, shape (n_samples,), optional
        Which rows belong together, as those of one patient: all of them are learned
        from, or none.

    Returns
    -------
    LearnedClassifier

    Raises
    ------
    DataError
        If a class has fewer than five rows, no column tells anything, or the table is
        not made of finite numbers.
    NetworkError
        If the model is unknown or the threshold out of range.
    """
    names = [str(name) for name in feature_names]
    X = aligned_columns(X, names, others="the list of names")
    if schema is not None:
        order = order_by_name(schema.names, names, "The schema", "the list of names")
        schema = schema if order is None else schema.take(order)
    truth = np.asarray(y) == positive
    weights = row_weights(sample_weight, len(truth))
    together = group_codes(groups, len(truth))
    there = weights > 0
    rows = _rows_of(X, len(truth), names)[there]
    truth, weights = truth[there], weights[there]
    together = None if together is None else together[there]
    learn = checked_learner(model)
    check_count("n_columns", n_columns, 1, error=DataError)
    _refuse_few(truth, positive)
    cut = checked_threshold(threshold)
    train, test = _parted(truth, together, random_state)
    codes, states = column_states(rows, train, n_bins, schema, weights)
    kept = _most_informative(codes[train], truth[train], weights[train], n_columns)
    if not len(kept):
        raise DataError("Every column is constant; give columns that differ.")
    chosen = tuple(names[j] for j in kept)
    said = str(positive)
    labels = np.where(truth, said, "not " + said)
    target = free_name("class", chosen)
    network = learn(
        codes[np.ix_(train, kept)],
        labels[train],
        feature_states=[states[j] for j in kept],
        feature_names=chosen,
        target=target,
        sample_weight=weights[train],
    )
    return LearnedClassifier(
        BayesianClassifier(network, target, said, chosen, cut),
        model,
        codes[np.ix_(train, kept)],
        truth[train],
        codes[np.ix_(test, kept)],
        truth[test],
        weights[train],
        weights[test],
        None if together is None else together[train],
    )


def _rows_of(X: ArrayLike, n_labels: int, names: Sequence[str]) -> Floats:
    """Return the rows, of a column a name; shape (n_labels, n_columns)."""
    rows = np.asarray(X, dtype=float)
    if rows.ndim != 2 or rows.shape != (n_labels, len(names)):
        raise DataError(
            f"X has shape {rows.shape}, with {n_labels} labels and {len(names)} "
            "names; give one row a label and one column a name."
        )
    return rows


def _parted(
    truth: Mask, groups: Integers | None, random_state: int | None
) -> tuple[Integers, Integers]:
    """Return which rows are learned from, and which are kept for judging."""
    if groups is None:
        return train_test_split(
            np.arange(len(truth)),
            test_size=TEST_SHARE,
            stratify=truth,
            random_state=random_state,
        )
    n_parts = round(1 / TEST_SHARE)
    kept = deal_folds(truth.astype(int), n_parts, random_state, groups, freely=anew)
    if not (kept == 0).any():
        raise DataError(
            f"All rows are of {counted(len(np.unique(groups)), 'group')}, and none can "
            "be kept for judging; give more groups, each class in two of them."
        )
    return np.flatnonzero(kept != 0), np.flatnonzero(kept == 0)


def _refuse_few(truth: Mask, positive: Any) -> None:
    fewest = int(min(truth.sum(), (~truth).sum()))
    if fewest < 5:
        raise DataError(
            f"{int(truth.sum())} of {len(truth)} rows are labelled "
            f"{shown(positive)}; five rows of each class are needed to learn and to "
            "judge."
        )


def _most_informative(
    codes: NDArray[np.intp], truth: Mask, weights: Floats, most: int
) -> NDArray[np.intp]:
    """Return the columns that tell most about the class, in the table's order."""
    told = np.array([_information(column, truth, weights) for column in codes.T])
    differ = np.array([len(np.unique(column)) > 1 for column in codes.T], dtype=bool)
    ranked = [j for j in np.argsort(-told, kind="stable") if differ[j]]
    return np.sort(np.array(ranked[:most], dtype=np.intp))


def _information(column: NDArray[np.intp], truth: Mask, weights: Floats) -> float:
    """Return the information between a column and the class, in bits."""
    every = np.bincount(column, weights)
    positive = np.bincount(column[truth], weights[truth], len(every))
    return class_information(np.stack([positive, every]) / weights.sum())
