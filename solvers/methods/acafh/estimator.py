"""ACAFH as a scikit-learn classifier."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import field, replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

from numpy.typing import ArrayLike
from sklearn.base import clone

from ...errors import KnobError, shown
from ...values.fields import declared
from ...values.knobs import (
    ALPHA_KNOB,
    BUDGET_KNOB,
    MAX_ITER_KNOB,
    N_ALPHAS_KNOB,
    REFIT_KNOB,
    TOL_KNOB,
    Choice,
    Number,
    Switch,
    check_knobs,
)
from ..base import LabelledRows, Prices
from ..linear import PenalisedClassifier
from ..rows import labelled_rows, signed
from .penalties import PENALTIES, ComponentPenalty, component_penalty
from .problem import ACAFHProblem, Solution

# Costs of neighbours on a path that are further apart than this share of the costliest
# one are a gap; so many gaps are filled at most.
_GAP = 0.03
_MOST_FILLERS = 16


@declared
class ACAFHClassifier(PenalisedClassifier):
    """Logistic regression that pays for each shared component about once.

    Minimises, on features divided by half their training range,

        mean logistic loss + alpha sum_i D_i R((H|w|)_i)

    where ``H|w|`` sums the weights that lean on component i, ``D_i`` is its cost and
    ``R`` a concave penalty: the second feature of a component costs less than the
    first. The intercept is not penalised. Of more than two classes the loss is
    multinomial, and ``|w_k|`` the size of a feature's weights, the root of twice the
    sum of their squares over all classes: what it leans on is paid once, whoever uses
    it. The objective has many stationary points; what is returned is the best one
    found, and never worse than the null model.

    Attributes
    ----------
    coef_ : ndarray of float, shape (1, n_features) or (n_classes, n_features)
        Weights of the features as they come; one row a class of more than two.
    intercept_ : ndarray of float, shape (1,) or (n_classes,)
        Added to every decision.
    support_ : ndarray of bool, shape (n_features,)
        The selected features.
    cost_ : float
        What one prediction costs, in the hypergraph's unit.
    objective_ : float
        The penalised objective at the penalised solution, before any refit; with a
        budget the mean loss.
    n_iter_ : int
        Steps taken from all starts.
    classes_ : ndarray, shape (n_classes,)
        The labels.

    References
    ----------
    .. [1] Li et al., "Accelerated cost-aware classification over large-scale sparse
       feature dependency hypergraphs", 2019, eqs. (2) and (8), Algorithm 2.

    Examples
    --------
    Two features share a component of cost 3; a third one costs 2 by itself.

    >>> import numpy as np
    >>> from solvers import FeatureHypergraph
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((200, 3))
    >>> y = X @ [2.0, 2.0, 1.0] + rng.standard_normal(200) > 0
    >>> shared = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [3.0, 2.0])
    >>> model = ACAFHClassifier(shared, alpha=0.03).fit(X, y)
    >>> model.support_.tolist(), model.cost_
    ([True, True, False], 3.0)
    """

    title: ClassVar[str] = "ACAFH"
    path_knob: ClassVar[str] = "alpha"
    takes_many_classes: ClassVar[bool] = True
    late: ClassVar[tuple[str, ...]] = (
        *("budget", "p", "penalty", "gamma", "algorithm"),
        *("refit", "candidates", "n_alphas"),
    )

    hypergraph: Prices = None
    alpha: Annotated[
        float, ALPHA_KNOB, "Trade-off, λ in [1]_, per unit of cost; 0 or more."
    ] = 0.01
    budget: Annotated[
        float | None,
        replace(
            BUDGET_KNOB, doc="What a prediction may cost; goes before the trade-off."
        ),
        "What a prediction may cost, in the hypergraph's unit. With it `alpha` "
        "is not looked at: the model is the best one found within the budget, "
        "by exchanges of up to two components from every start, whatever "
        "`algorithm` and `refit` say.",
    ] = field(default=None, kw_only=True)
    p: Annotated[
        float,
        Number(
            "Quasi-norm p",
            0.0,
            1.0,
            open=True,
            shown=(0.1, 0.9),
            doc="The closer to 0, the closer to paying each component once.",
        ),
        'Quasi-norm, ``R(m) = m^p`` for the penalty "lp"; strictly between 0 and 1.',
    ] = 0.5
    penalty: Annotated[
        str,
        Choice("Penalty", tuple(PENALTIES), doc="How the charge levels off."),
        "R: the ℓp quasi-norm, the minimax concave penalty or the smoothly "
        "clipped absolute deviation.",
    ] = "lp"
    gamma: Annotated[
        float,
        Number(
            "Flat above γ", 1.0, open=True, shown=(1.5, 10.0), doc="For mcp and scad."
        ),
        'Where "mcp" and "scad" become flat; above 1.',
    ] = 3.7
    algorithm: Annotated[
        str,
        Choice("Algorithm", ("majorise", "admm"), doc="admm is the published one."),
        '"majorise": majorise-minimise with prox-Newton steps from several '
        'starts. "admm": Algorithm 2 as published, from the p = 1 solution, '
        "with the proximal step corrected; it stays close to its start, is there to be "
        "compared with, and takes two classes.",
    ] = "majorise"
    decompose: Annotated[
        bool,
        Switch("Decompose", doc="Hold the hypergraph block by block."),
        "Whether the hypergraph is held block by block (ACAFH) or as a whole "
        "(CAFH). The objective is the same; with sparse matrices so is the "
        "time.",
    ] = True
    refit: Annotated[
        bool,
        REFIT_KNOB,
        "Whether the weights are those of the unpenalised fit on the selected "
        "features. Without it they keep the shrinkage of the penalty. "
        "`objective_` is that of the penalised solution in either case.",
    ] = True
    candidates: Annotated[
        str,
        Choice(
            "Candidates", ("all", "best"), doc="Whether gaps of the path are filled."
        ),
        "What `path` yields: the best stationary point for each alpha; with "
        '"all" also, in the end, the best models within budgets where these '
        "leave gaps. The minimiser jumps over costs where no selection is on "
        "the convex hull of loss and penalty.",
    ] = "all"
    n_alphas: Annotated[int, N_ALPHAS_KNOB, "How many trade-offs `path` visits."] = 30
    tol: Annotated[
        float,
        TOL_KNOB,
        "Largest distance from stationarity, per unit of a scaled feature.",
    ] = 1e-6
    max_iter: Annotated[
        int,
        MAX_ITER_KNOB,
        'Newton steps of one descent at most; "admm" runs for at most a 25th as '
        "many rounds, 20 by default as in the authors' code, and does not "
        "converge by then.",
    ] = 500

    def prepare(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Any = None
    ) -> PreparedACAFH:
        """Check and scale the data once, to be solved at many trade-offs.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_features)
            The rows.
        y : array_like, shape (n_samples,)
            Their labels.
        sample_weight : array_like of float, shape (n_samples,), optional
            Weights of the rows, 0 or more.

        Returns
        -------
        PreparedACAFH
        """
        template = clone(self)
        known = labelled_rows(template, X, y, sample_weight)
        return PreparedACAFH(template, template._prepared(known))

    def _prepared(self, known: LabelledRows) -> ACAFHProblem:
        training = signed(known)
        return ACAFHProblem(
            training.X,
            training.signs,
            training.weights,
            training.hypergraph,
            decompose=self.decompose,
            tol=self.tol,
            max_iter=self.max_iter,
        )

    def _shape(self) -> ComponentPenalty:
        return component_penalty(self.penalty, self.p, self.gamma)

    def _models(self, problem: ACAFHProblem) -> Iterator[Self]:
        return PreparedACAFH(self, problem).path()

    def _take(self, problem: ACAFHProblem) -> Self:
        if self.budget is None:
            solution = problem.solve(
                self.alpha, self._shape(), algorithm=self.algorithm
            )
        else:
            solution = problem.within(float(self.budget), self._shape())
        return self._take_solution(problem, solution)

    def _take_solution(self, problem: ACAFHProblem, solution: Solution) -> Self:
        self.start_ = solution.start
        return self._take_fit(problem.loss, solution.fit, problem.n_iter)


class PreparedACAFH:
    """Training data that `ACAFHClassifier` solves at any λ, p and penalty.

    What moving a slider needs: scaled columns, the dense fit and all solutions found
    so far are kept, so that the next one takes milliseconds.
    """

    def __init__(self, template: ACAFHClassifier, problem: ACAFHProblem) -> None:
        self.template = template  # Parameters of the models; has seen the data
        self.problem = problem

    def at(self, **params: Any) -> ACAFHClassifier:
        """Return a fitted model; what is not given is as in the template.

        Any parameter but those that belong to the preparation: they are refused.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.array([[0.0, 1.0], [1.0, 0.9], [0.2, 0.8], [0.9, 1.0]])
        >>> prepared = ACAFHClassifier(alpha=0.1).prepare(X, [0, 1, 0, 1])
        >>> prepared.at(alpha=0.05, p=0.3).support_.tolist()
        [True, False]
        """
        return self._model(params)._take(self.problem)

    def path(self, **params: Any) -> Iterator[ACAFHClassifier]:
        """Yield fitted models from the largest trade-off of use to a small one."""
        return self._models(self._model(params))

    def _models(self, model: ACAFHClassifier) -> Iterator[ACAFHClassifier]:
        costs = {0.0}
        for solution in self.problem.path(
            model._shape(), n_alphas=model.n_alphas, algorithm=model.algorithm
        ):
            # Without the budget: with it, that is what a fit would look at.
            found = model._sibling(alpha=solution.alpha, budget=None)
            found._take_solution(self.problem, solution)
            costs.add(found.cost_)
            yield found
        if model.candidates == "all" and model.algorithm == "majorise":
            yield from self._fillers(model, costs)

    def _fillers(
        self, model: ACAFHClassifier, costs: set[float]
    ) -> Iterator[ACAFHClassifier]:
        """Yield models within budgets between costs far apart, the widest gap first."""
        ends = sorted(costs)
        narrow = _GAP * ends[-1]
        gaps = [(low - high, high) for low, high in pairwise(ends)]
        heapq.heapify(gaps)
        for _ in range(_MOST_FILLERS):
            if not gaps or -gaps[0][0] <= narrow:
                return
            width, high = heapq.heappop(gaps)
            budget = high + width / 2.0
            filler = model._sibling(budget=budget)._take(self.problem)
            middle = filler.cost_
            if high + width < middle:
                yield filler
                heapq.heappush(gaps, (high + width - middle, middle))
            # What is costlier than the budget but not than the next model.
            heapq.heappush(gaps, (budget - high, high))

    def _model(self, params: dict[str, Any]) -> ACAFHClassifier:
        for name in ("hypergraph", "decompose", "tol", "max_iter"):
            if name in params:
                raise KnobError(
                    f"{name} is {shown(params[name])}, but the data were prepared with "
                    f"{shown(getattr(self.template, name))}; prepare them again."
                )
        model = self.template._sibling(**params)
        check_knobs(model)
        return model
