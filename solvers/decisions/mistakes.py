"""What mistakes cost: one matrix over classes, in the unit that tests are paid in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite_numbers, refuse_namesakes, row_weights
from ..costs.units import conversion, is_time
from ..errors import DataError, listed, shown
from ..numerics.arrays import Floats, Integers
from ..values.rounding import number


@dataclass(frozen=True, eq=False, repr=False)
class MistakeCosts:
    """What each answer costs where each class is the truth.

    Parameters
    ----------
    costs : array_like of float, shape (n_classes, n_classes)
        ``costs[t, a]`` is paid when a row of class ``t`` is called ``a``; 0 or more,
        and a right answer costs no more than a wrong one. It need not be free.
    classes : sequence of str or int, optional
        Names of the classes, in the order of the matrix. Without them two classes are
        the other one and the positive one, and more are in sorted order.
    unit : str, optional
        Of the costs; by default that of the prices beside which they are put.
    rate : float, optional
        What one `per` of the prices is worth, in `unit`: of a second of computing, say,
        in dollars.
    per : str, optional
        The unit of the prices that `rate` is for.

    Raises
    ------
    DataError
        If the matrix is not square, not of two classes or more, or no answer is better
        than another; if a cost is negative or not finite, a right answer costs more
        than a wrong one, the names are not one a class, or the rate is none.

    Notes
    -----
    What is added to all answers of one truth, a constant in each place of a row of the
    matrix, everybody pays who has such rows: it changes no answer. A constant in a
    column is a price of giving that answer, and does. A factor on everything changes no
    answer either, but what tests are worth beside mistakes.

    Examples
    --------
    >>> mistakes = MistakeCosts.binary(miss=100.0, false_alarm=5.0, unit="USD")
    >>> mistakes
    MistakeCosts(miss=100, false_alarm=5, unit='USD')
    >>> round(mistakes.threshold(), 4)
    0.0476
    >>> mistakes.answer([[0.9, 0.1], [0.96, 0.04]]).tolist()
    [1, 0]
    >>> mistakes.cost([0, 0, 1, 1], [0, 1, 1, 0])
    26.25
    """

    costs: Floats
    classes: tuple[Any, ...] | None = None
    unit: str | None = None
    rate: float | None = None
    per: str | None = None

    def __post_init__(self) -> None:
        costs = _checked(self.costs)
        costs.flags.writeable = False
        object.__setattr__(self, "costs", costs)
        if self.classes is not None:
            object.__setattr__(self, "classes", tuple(self.classes))
            self._check_names(self.classes)
        if (self.rate is None) != (self.per is None):
            raise DataError(
                f"A rate of {self.rate} for one {shown(self.per)} lacks a half; give "
                "`rate` and `per`, or neither."
            )
        if self.rate is not None:
            if self.unit is None:
                raise DataError(
                    f"A rate of {self.rate:g} has no unit; say in `unit` what mistakes "
                    "are paid in."
                )
            if not 0.0 < self.rate < np.inf:
                raise DataError(
                    f"The rate is {self.rate:g} {self.unit} for one {self.per}; give a "
                    "finite number above 0."
                )

    @classmethod
    def binary(
        cls,
        *,
        miss: float,
        false_alarm: float,
        classes: Sequence[Any] | None = None,
        unit: str | None = None,
        rate: float | None = None,
        per: str | None = None,
    ) -> Self:
        """Return what mistakes between two classes cost; right answers are free.

        Parameters
        ----------
        miss : float
            What a row of the positive class costs that is not called so.
        false_alarm : float
            What a row of the other class costs that is called positive.
        classes : sequence of two str or int, optional
            The other class and the positive one.
        unit, rate, per
            As of the class.

        Returns
        -------
        MistakeCosts
        """
        costs = cast(Any, [[0.0, false_alarm], [miss, 0.0]])
        return cls(costs, cast(Any, classes), unit, rate, per)

    @classmethod
    def equal(
        cls, n_classes: int, cost: float = 1.0, *, unit: str | None = None
    ) -> Self:
        """Return the matrix in which every mistake costs the same.

        Parameters
        ----------
        n_classes : int
            How many classes there are.
        cost : float, default=1.0
            Of a mistake.
        unit : str, optional
            Of the cost.

        Returns
        -------
        MistakeCosts
        """
        return cls(cost * (1.0 - np.eye(n_classes)), unit=unit)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.costs)

    # ------------------------------------------------------------- beside other things

    def for_classes(self, classes: Iterable[Any], positive: Any = None) -> Self:
        """Return the same costs in the order of some classes, with their names.

        Parameters
        ----------
        classes : iterable
            Two or more, each once: all of them, or, where these costs have names, some.
            Names are compared as people write them, 1 as "1".
        positive : object, optional
            Which of two is the positive one, where these costs have no names; the
            second by default.

        Returns
        -------
        MistakeCosts

        Raises
        ------
        DataError
            If there are other classes, or without names more or fewer.
        """
        wanted = tuple(classes)
        if self.classes is not None:
            place = {_key(name): k for k, name in enumerate(self.classes)}
            missing = [name for name in wanted if _key(name) not in place]
            if missing:
                raise DataError(
                    f"Mistakes are priced for {listed(self.classes)}, not for "
                    f"{shown(missing[0])}; name the classes of the data."
                )
            order = [place[_key(name)] for name in wanted]
        else:
            self._check_names(wanted)
            order = list(range(self.n_classes))
            if self.n_classes == 2 and positive is not None:
                order = [int(_key(name) == _key(positive)) for name in wanted]
        return replace(
            self, costs=self.costs[np.ix_(order, order)], classes=cast(Any, wanted)
        )

    def in_unit(self, unit: str) -> Self:
        """Return the same costs in the unit of some prices.

        Parameters
        ----------
        unit : str
            Of the prices.

        Returns
        -------
        MistakeCosts
            Without a rate: it was used, or was not needed.

        Raises
        ------
        DataError
            If the two units do not compare, and no rate says how.
        """
        return replace(
            self, costs=self.costs * self._factor(unit), unit=unit, rate=None, per=None
        )

    def _factor(self, unit: str) -> float:
        if self.unit is None or self.unit == unit:
            return 1.0
        if is_time(self.unit) and is_time(unit):
            return conversion(self.unit, unit)
        compares = self.per is not None and (
            self.per == unit or (is_time(self.per) and is_time(unit))
        )
        if self.rate is None or self.per is None or not compares:
            raise DataError(
                f"Mistakes cost {shown(self.unit)} and tests {shown(unit)}; say by "
                f"`rate` how many {self.unit} one {unit or 'unit of the prices'} is "
                f"worth, and `per={unit!r}`."
            )
        return conversion(self.per, unit) / self.rate

    # ------------------------------------------------------------------------- answers

    def cost(
        self, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: Any = None
    ) -> float:
        """Return what answers cost, a row on average.

        Parameters
        ----------
        y_true, y_pred : array_like, shape (n_rows,)
            What is true and what was answered: names of the classes, or numbers from 0
            where they have none.
        sample_weight : array_like of float, shape (n_rows,), optional
            How much each row counts.

        Returns
        -------
        float
        """
        paid = self.cost_rows(y_true, y_pred)
        return float(np.average(paid, weights=row_weights(sample_weight, len(paid))))

    def cost_rows(self, y_true: ArrayLike, y_pred: ArrayLike) -> Floats:
        """Return what each answer costs.

        Parameters
        ----------
        y_true, y_pred : array_like, shape (n_rows,)
            As for `cost`.

        Returns
        -------
        ndarray of float, shape (n_rows,)
        """
        truth, said = self._places(y_true), self._places(y_pred)
        if truth.shape != said.shape or not len(truth):
            raise DataError(
                f"There are {len(truth)} true classes and {len(said)} answers; give "
                "one of both for each row, and one row at least."
            )
        return np.asarray(self.costs[truth, said])

    def always(self, y_true: ArrayLike, sample_weight: Any = None) -> Floats:
        """Return what it costs a row to give every row the same answer.

        Parameters
        ----------
        y_true : array_like, shape (n_rows,)
            What is true.
        sample_weight : array_like of float, shape (n_rows,), optional
            How much each row counts.

        Returns
        -------
        ndarray of float, shape (n_classes,)
            For each class as the answer.
        """
        truth = self._places(y_true)
        weights = row_weights(sample_weight, len(truth))
        return np.asarray(np.average(self.costs[truth], axis=0, weights=weights))

    def expected(self, probabilities: ArrayLike) -> Floats:
        """Return what each answer is expected to cost.

        Parameters
        ----------
        probabilities : array_like of float, shape (n_rows, n_classes)
            Of the classes; of two, those of the second alone will do, (n_rows,).

        Returns
        -------
        ndarray of float, shape (n_rows, n_classes)
        """
        chances = finite_numbers("The probabilities", probabilities)
        if chances.ndim == 1 and self.n_classes == 2:
            chances = np.column_stack([1.0 - chances, chances])
        if chances.ndim != 2 or chances.shape[1] != self.n_classes:
            raise DataError(
                f"The probabilities have shape {chances.shape}; give one for each of "
                f"the {self.n_classes} classes."
            )
        return np.asarray(chances @ self.costs)

    def answer(self, probabilities: ArrayLike) -> NDArray:
        """Return the answer of least expected cost, the first of equals.

        Parameters
        ----------
        probabilities : array_like of float, shape (n_rows, n_classes)
            As for `expected`.

        Returns
        -------
        ndarray, shape (n_rows,)
            Names of the classes, or numbers from 0 where they have none.
        """
        places = np.argmin(self.expected(probabilities), axis=1)
        return places if self.classes is None else np.array(self.classes)[places]

    def threshold(self) -> float:
        """Return the probability of the positive class from which it is the answer.

        Returns
        -------
        float
            From 0 to 1.

        Raises
        ------
        DataError
            If there are more than two classes.

        References
        ----------
        .. [1] Elkan, "The foundations of cost-sensitive learning", 2001, eq. (2).
        """
        if self.n_classes != 2:
            raise DataError(
                f"Between {self.n_classes} classes there is no one threshold; ask for "
                "`answer`."
            )
        alarm, miss = self.excess[0, 1], self.excess[1, 0]
        return float(alarm / (alarm + miss))

    @property
    def excess(self) -> Floats:
        """By how much each answer costs more than the right one, as `costs`."""
        return self.costs - np.diag(self.costs)[:, np.newaxis]

    def told(self, unit: str = "") -> str:
        """Return what mistakes cost, in words.

        Parameters
        ----------
        unit : str, default=""
            As people write it; that of the costs by default.

        Returns
        -------
        str
            "ill called well costs 100 USD, well called ill 5 USD" of two classes whose
            right answers are free; else the range of all mistakes.
        """
        unit = unit or self.unit or ""
        if self.n_classes == 2 and not np.diag(self.costs).any():
            costs = (self.costs[1, 0], self.costs[0, 1])
            miss, alarm = (f"{number(cost)} {unit}".rstrip() for cost in costs)
            if self.classes is None:
                return f"a missed case costs {miss}, a false alarm {alarm}"
            first, second = self.classes
            alarm = f"{first} called {second} {alarm}"
            return f"{second} called {first} costs {miss}, {alarm}"
        wrong = self.costs[~np.eye(self.n_classes, dtype=bool)]
        low, high = number(wrong.min()), number(wrong.max())
        return f"a mistake costs {low} to {high} {unit}".rstrip()

    # ------------------------------------------------------------------------ plumbing

    def __repr__(self) -> str:
        if self.n_classes == 2 and not np.diag(self.costs).any():
            parts = [f"miss={self.costs[1, 0]:.6g}, false_alarm={self.costs[0, 1]:.6g}"]
        else:
            parts = [f"{self.costs.tolist()}"]
        told = {
            name: getattr(self, name) for name in ("classes", "unit", "rate", "per")
        }
        parts += [f"{name}={one!r}" for name, one in told.items() if one is not None]
        return f"MistakeCosts({', '.join(parts)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MistakeCosts):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def _value(self) -> tuple[Any, ...]:
        costs = tuple(map(tuple, self.costs.tolist()))
        return costs, self.classes, self.unit, self.rate, self.per

    def __sklearn_clone__(self) -> Self:
        # It cannot change, so clones of an estimator may share it.
        return self

    def _check_names(self, names: Sequence[Any]) -> None:
        if len(names) != self.n_classes:
            raise DataError(
                f"Mistakes are priced for {self.n_classes} classes, "
                f"and there are {len(names)}, {listed(names)}; give a cost for each "
                "pair of them."
            )
        refuse_namesakes([_key(name) for name in names], "class")

    def _places(self, labels: ArrayLike) -> Integers:
        """Return which class each label is."""
        names = range(self.n_classes) if self.classes is None else self.classes
        place = {_key(name): k for k, name in enumerate(names)}
        found, where = np.unique(np.asarray(labels), return_inverse=True)
        unknown = [label for label in found if _key(label) not in place]
        if unknown:
            raise DataError(
                f"Mistakes are priced for {listed([*names])}, not for "
                f"{shown(unknown[0])}; name the classes of the data."
            )
        return np.array([place[_key(label)] for label in found], int)[where.ravel()]


def _checked(values: Any) -> Floats:
    """Return the matrix; refuse what is none, or leaves nothing to decide."""
    costs = finite_numbers("The costs of mistakes", values)
    if costs.ndim != 2 or costs.shape[0] != costs.shape[1] or len(costs) < 2:
        raise DataError(
            f"The costs of mistakes have shape {costs.shape}; give a row for each true "
            "class and a column for each answer, of two classes or more."
        )
    if costs.min() < 0.0:
        raise DataError(
            f"A mistake costs {costs.min():g}; a cost is 0 or more: what is earned is "
            "taken off every answer where that class is true, which changes none."
        )
    excess = costs - np.diag(costs)[:, np.newaxis]
    if excess.min() < 0.0:
        truth, answer = np.argwhere(excess < 0.0)[0]
        raise DataError(
            f"Where class {truth} is true the right answer costs "
            f"{costs[truth, truth]:g}, and answer {answer} only "
            f"{costs[truth, answer]:g}; rows of the matrix are what is true, columns "
            "what is answered."
        )
    if not excess.any():
        raise DataError(
            f"Every answer costs the same, {costs[0, 0]:g}; give some mistake a cost "
            "above that of a right answer."
        )
    return costs + 0.0  # -0.0 is 0.0


def _key(label: Any) -> str:
    """Return a class's name as people write it: 1 for a whole 1.0, too."""
    value = label.item() if isinstance(label, np.generic) else label
    whole = isinstance(value, bool) or (isinstance(value, float) and value.is_integer())
    return str(int(value) if whole else value)
