"""A classifier that compares a posterior of a Bayesian network with a threshold."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import refuse_twins
from ..costs.alignment import aligned_columns
from ..costs.selection import Selection, as_mask
from ..errors import DataWarning, NetworkError, counted, shown
from .cuts import TOLERANCE
from .decisions import Decisions, TableDecisions
from .halves import HalvesDecisions
from .masses import ClassMasses, NaiveMasses, class_masses
from .network import MAX_TABLE_ENTRIES, BayesianNetwork

# Naive Bayes of more joint states meets in the middle; a table would be slower.
NAIVE_TABLE_STATES = 2**20
# Halves of 2 ** 20 joint states: tens of megabytes, half a second a question.
MAX_NAIVE_STATES = 2**40


@dataclass(frozen=True, eq=False)
class BayesianClassifier:
    """A network, a target, the features that it is judged by, and a threshold.

    An instance is classified as positive where Pr(positive | features) is at least
    the threshold; within 1e-12 counts as a tie, and ties are positive.

    Parameters
    ----------
    network : BayesianNetwork
        The distribution.
    target : str
        The class variable; all its other states together are the negative class.
    positive_state : str
        The state of the target that counts as positive.
    features : sequence of str
        Distinct variables other than the target, at least one.
    threshold : float, default=0.5
        Between 0 and 1.

    Raises
    ------
    NetworkError
        If a variable or state is unknown, a feature is the target or stands twice,
        or the threshold is out of range.

    References
    ----------
    .. [1] Choi and Van den Broeck, "On robust trimming of Bayesian network
       classifiers", IJCAI 2018, section 2.
    """

    network: BayesianNetwork
    target: str
    positive_state: str
    features: tuple[str, ...]
    threshold: float = 0.5

    def __post_init__(self) -> None:
        self.network.state_index(self.target, self.positive_state)
        features = (
            (self.features,) if isinstance(self.features, str) else tuple(self.features)
        )
        _refuse_features(self.network, self.target, features)
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "threshold", checked_threshold(self.threshold))

    def __getstate__(self) -> dict[str, object]:
        # Tables are made again where they are needed; a copy is sent without them.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def masses(self) -> ClassMasses:
        """Pr(positive, f) and Pr(f) over joint states of the features."""
        positive = self.network.state_index(self.target, self.positive_state)
        return class_masses(self.network, self.target, positive, self.features)

    @cached_property
    def decisions(self) -> Decisions:
        """Exact answers about agreement, from a table or by meeting in the middle.

        Raises
        ------
        NetworkError
            If the features have too many joint states for either.
        """
        masses = self.masses
        if isinstance(masses, NaiveMasses) and self.n_states > NAIVE_TABLE_STATES:
            self._refuse_more_than(MAX_NAIVE_STATES)
            return HalvesDecisions(masses, self.threshold)
        self._refuse_more_than(MAX_TABLE_ENTRIES)
        return TableDecisions(masses, self.threshold)

    def _refuse_more_than(self, most: int) -> None:
        if self.n_states > most:
            raise NetworkError(
                f"The {len(self.features)} features have {float(self.n_states):.1e} "
                f"joint states; exact answers end at {float(most):.1e}. Use fewer "
                "features, or estimate_agreement."
            )

    @property
    def is_naive_bayes(self) -> bool:
        """Whether features are independent given a binary target.

        Then the maximum achievable agreement of every set of features is its maximum
        potential agreement (Proposition 3), and both grow with the set.
        """
        return self.masses.is_naive

    @property
    def n_states(self) -> int:
        """Number of joint states of the features."""
        return self.masses.n_states

    def positions(self, features: Selection) -> tuple[int, ...]:
        """Return the positions of a selection of features, ascending.

        Parameters
        ----------
        features : bool mask, integer positions or names
            The selection.

        Returns
        -------
        tuple of int
        """
        index = {name: j for j, name in enumerate(self.features)}
        mask = as_mask(features, self.features, index, "feature")
        return tuple(int(j) for j in np.flatnonzero(mask))

    def with_threshold(self, threshold: float) -> BayesianClassifier:
        """Return the same classifier with another threshold.

        Parameters
        ----------
        threshold : float
            Between 0 and 1.

        Returns
        -------
        BayesianClassifier
            It shares what has been computed of the distribution.
        """
        other = replace(self, threshold=threshold)
        other.__dict__["masses"] = self.masses  # the threshold has no part in it
        return other

    def trimmed(self, features: Selection, threshold: float) -> BayesianClassifier:
        """Return the trimming that sees only some features.

        Parameters
        ----------
        features : bool mask, integer positions or names
            What it sees, at least one feature.
        threshold : float
            Its threshold, say the middle of ``Trimming.threshold_interval``.

        Returns
        -------
        BayesianClassifier
        """
        names = tuple(self.features[j] for j in self.positions(features))
        return replace(self, features=names, threshold=threshold)

    def codes(self, instances: Sequence[Mapping[str, str]]) -> NDArray[np.intp]:
        """Return instances as positions of states.

        Parameters
        ----------
        instances : sequence of mapping of str to str
            The state of each feature, by name.

        Returns
        -------
        ndarray of int, shape (n_instances, n_features)
        """
        rows = np.empty((len(instances), len(self.features)), dtype=np.intp)
        for row, instance in zip(rows, instances, strict=True):
            for j, name in enumerate(self.features):
                if name not in instance:
                    raise NetworkError(
                        f"The instance gives no state of {shown(name)}; give one for "
                        "every feature."
                    )
                row[j] = self.network.state_index(name, instance[name])
        return rows

    def posterior(
        self, rows: ArrayLike, features: Selection | None = None
    ) -> NDArray[np.float64]:
        """Return Pr(positive | row) of rows of states.

        Of a row that cannot occur, as one that says of a cause that it is absent and of
        what it alone brings about that it is there, it is Pr(positive), with a warning.

        Parameters
        ----------
        rows : array_like of int, shape (n_rows, n_features)
            Positions of states; columns that are not seen are not looked at. Those of
            a frame are taken by name.
        features : bool mask, integer positions or names, optional
            The features that are seen; all by default.

        Returns
        -------
        ndarray of float, shape (n_rows,)
        """
        codes = self._checked_rows(rows)
        seen = (
            tuple(range(len(self.features)))
            if features is None
            else self.positions(features)
        )
        codes = codes[:, list(seen)]
        is_odd = ~self.masses.can_occur(seen, codes)
        if is_odd.any():
            n, first = int(is_odd.sum()), int(is_odd.argmax())
            warnings.warn(
                f"The network gives {counted(n, 'row')}, such as row {first}, no "
                "chance at all: the prior stands for a posterior that does not exist; "
                "check the row, or the zeros of the tables.",
                DataWarning,
                stacklevel=2,
            )
        return self.masses.posterior(seen, codes)

    def decide(
        self,
        rows: ArrayLike,
        features: Selection | None = None,
        threshold: float | None = None,
    ) -> NDArray[np.bool_]:
        """Return which rows are positive, for this classifier or a trimming of it.

        Parameters
        ----------
        rows : array_like of int, shape (n_rows, n_features)
            Positions of states. The columns of a frame are taken by name.
        features : bool mask, integer positions or names, optional
            The features that are seen; all by default.
        threshold : float, optional
            The classifier's own by default.

        Returns
        -------
        ndarray of bool, shape (n_rows,)
        """
        cut = self.threshold if threshold is None else checked_threshold(threshold)
        return self.posterior(rows, features) >= cut - TOLERANCE

    def _checked_rows(self, rows: ArrayLike) -> NDArray[np.intp]:
        named = aligned_columns(rows, self.features, "The table", "the classifier")
        codes = np.asarray(named)
        if codes.ndim != 2 or codes.shape[1] != len(self.features):
            raise NetworkError(
                f"The rows have shape {codes.shape}; give one column for each of the "
                f"{len(self.features)} features."
            )
        if codes.dtype.kind not in "iu":
            raise NetworkError(
                f"The rows hold {codes.dtype}; give positions of states, as integers."
            )
        wrong = np.argwhere((codes < 0) | (codes >= self.masses.cardinalities))
        if len(wrong):
            i, j = wrong[0]
            raise NetworkError(
                f"Row {i} has state {codes[i, j]} of {shown(self.features[j])}, "
                f"which has {self.masses.cardinalities[j]}; count states from 0."
            )
        return codes.astype(np.intp)


def checked_threshold(threshold: float) -> float:
    """Return a threshold as a float, or refuse it."""
    try:
        value = float(threshold)
    except (TypeError, ValueError) as error:
        raise NetworkError(
            f"The threshold is {shown(threshold)}; give a probability between 0 and 1."
        ) from error
    if not 0.0 <= value <= 1.0:
        raise NetworkError(f"The threshold is {value:g}; it lies between 0 and 1.")
    return value


def _refuse_features(
    network: BayesianNetwork, target: str, features: tuple[str, ...]
) -> None:
    if not features:
        raise NetworkError("The classifier has no feature; give at least one.")
    for name in features:
        network.known(name)
    if target in features:
        raise NetworkError(
            f"The target {shown(target)} is among the features; take it out."
        )
    refuse_twins(features, "The classifier has the feature", NetworkError)
