"""Rows as a method takes them: those that it learns from, and those that it predicts.

``model`` is the estimator that was given them: of `CostAwareClassifier`, or one that
has its ``hypergraph`` and what it says of the rows that it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, validate_data

from ..checks import row_weights
from ..costs.alignment import column_names, generic_names
from ..costs.hypergraph import FeatureHypergraph
from ..decisions.lazy_features import gap_remedy
from ..errors import DataError, shown
from ..numerics.arrays import Floats, Integers
from ..numerics.inner_folds import group_codes
from ..numerics.multinomial import class_corners
from ..values.knobs import check_knobs

# Below so many values (160 MB) single precision saves nothing that matters.
_LARGE_TABLE = 20_000_000


@dataclass(frozen=True)
class LabelledRows:
    """Checked training data of two classes or more; rows of weight 0 are left out."""

    X: Floats  # (n_samples, n_features) The rows
    # (n_samples,) Codes of the classes: indices into ``classes_``
    labels: Integers
    # (n_samples,) Weights of the rows as they were given, above 0
    weights: Floats
    hypergraph: FeatureHypergraph  # Prices of the columns
    # (n_samples,) Which rows belong together: what ``deal_folds`` never tears
    row_groups: Integers | None = None


@dataclass(frozen=True)
class Training:
    """Checked training data of a binary problem; rows of weight 0 are left out."""

    X: Floats  # (n_samples, n_features) The rows
    # (n_samples,) +1 where the label is the second of the sorted classes, -1 elsewhere;
    # of more, as `signed` has them, (n_samples, n_classes - 1) corners of their simplex
    signs: Floats
    # (n_samples,) Weights of the rows, above 0, that average to one
    weights: Floats
    hypergraph: FeatureHypergraph  # Prices of the columns
    row_groups: Integers | None = None  # (n_samples,) As of `LabelledRows`


def labelled_rows(
    model: Any, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any = None
) -> LabelledRows:
    """Check parameters and data, and set ``classes_`` and ``n_features_in_``."""
    check_knobs(model)
    rows, targets = validate_data(model, aligned(model, X), y, **_form_of(model, X))
    labels = set_classes(model, targets)
    weights = row_weights(sample_weight, len(labels))
    totals = np.bincount(labels, weights=weights)
    if not totals.all():
        unseen = model.classes_.tolist()[int(np.argmin(totals))]
        raise DataError(
            f"Every row of class {shown(unseen)} has weight 0; weigh one of them "
            "above 0, or leave the class out."
        )
    together = group_codes(groups, len(labels))
    # A row of weight 0 is a row that is not there, for scales and medians too.
    kept = weights > 0
    whole = bool(kept.all())
    return LabelledRows(
        rows if whole else rows[kept],
        labels if whole else labels[kept],
        weights if whole else weights[kept],
        model._hypergraph(),
        together if whole or together is None else together[kept],
    )


def training_rows(
    model: Any, X: ArrayLike, y: ArrayLike, sample_weight: Any, groups: Any = None
) -> Training:
    """Check as `labelled_rows` does, for a method of two classes."""
    return signed(labelled_rows(model, X, y, sample_weight, groups))


def signed(known: LabelledRows) -> Training:
    """Return rows with a sign each, or a corner, and weights that average to one."""
    n_classes = int(known.labels.max()) + 1
    return Training(
        known.X,
        np.where(known.labels == 1, 1.0, -1.0)
        if n_classes == 2
        else class_corners(n_classes)[known.labels],
        known.weights / known.weights.mean(),
        known.hypergraph,
        known.row_groups,
    )


def set_classes(model: Any, targets: NDArray) -> Integers:
    """Set the classes of a model, and return their codes; refuse what it cannot tell.

    Shapes: `targets` (n_samples,) -> (n_samples,).
    """
    check_classification_targets(targets)
    model.classes_, labels = np.unique(targets, return_inverse=True)
    n_classes = len(model.classes_)
    takes_many = model.__sklearn_tags__().classifier_tags.multi_class
    if n_classes > 2 and not takes_many:
        raise DataError(
            "Only binary classification is supported. The type of the target is "
            f"{type_of_target(targets)}, with {n_classes} classes; keep two."
        )
    if n_classes < 2:
        raise DataError(
            f"Every row is of class {shown(str(model.classes_[0]))}: a classifier "
            "can't train with one class only; give rows of two classes."
        )
    return labels


def rows_to_predict(model: Any, X: ArrayLike) -> Any:
    """Return rows as a fitted classifier takes them, in the hypergraph's order."""
    form, X = _form_of(model, X), aligned(model, X)
    try:
        return validated(model, X, **form)
    except ValueError as error:
        if "contains NaN" not in str(error) or sparse.issparse(X):
            raise
        row, column = np.argwhere(np.isnan(np.asarray(X, dtype=float)))[0]
        name = model._feature_names()[column]
        raise DataError(
            f"Input X contains NaN: row {row} has no value of {shown(name)}; give a "
            f"finite number{gap_remedy(name)}."
        ) from error


def aligned(model: Any, X: ArrayLike) -> Any:
    """Return rows with their columns in the hypergraph's order, where both name."""
    if isinstance(model.hypergraph, FeatureHypergraph):
        return model.hypergraph.aligned(X)
    return X  # what else it may be is refused with the parameters


def validated(model: Any, X: Any, **form: Any) -> Any:
    """Return aligned rows to predict as scikit-learn takes them."""
    names = column_names(X)
    if names and model.hypergraph and names == model._hypergraph().feature_names:
        seen = tuple(getattr(model, "feature_names_in_", ()))
        if seen in ((), generic_names(len(seen))):
            # Fitted without names: the hypergraph answers for these.
            return check_array(X, estimator=model, input_name="X", **form)
    return validate_data(model, X, reset=False, **form)


def _form_of(model: Any, X: ArrayLike) -> dict[str, Any]:
    """Return in which form scikit-learn is to give rows; refuse what is not taken."""
    if sparse.issparse(X) and not model.takes_sparse:
        raise DataError(
            f"{model.title or type(model).__name__} takes no sparse rows; give "
            "X.toarray(), or use a linear method, forward selection, LightGBM or "
            "naive Bayes."
        )
    is_single = model.takes_single and getattr(X, "dtype", None) == np.float32
    return {
        "dtype": np.float32 if is_single and np.size(X) > _LARGE_TABLE else np.float64,
        "accept_sparse": ["csr", "csc"] if model.takes_sparse else False,
        "ensure_all_finite": "allow-nan" if model.takes_gaps else True,
    }
