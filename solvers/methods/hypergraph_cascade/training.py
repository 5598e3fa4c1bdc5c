"""Training: trees, orders, stages and their held-out scores, then the policies."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from ...errors import KnobError
from ...frontier import Accounting
from ...hypergraph import FeatureHypergraph
from .calibration import Platt, Shares, fit_platt, fit_shares
from .columns import Columns
from .judging import HeldOut, Judge
from .members import Leaf, Member
from .order import Order, Purchases, block_order, forward_order
from .policies import Policy, frontier
from .proposing import STEPS, policy_steps, prefixes
from .routing import Tree, grow_tree, paid_components
from .rows import Rows, deal_folds
from .stages import (
    Estimators,
    Logistic,
    Plan,
    StageModel,
    Trainer,
    boosted,
    confidences,
    prior_model,
    stage_plan,
)

__all__ = ["OrderChoice", "Progress", "Settings", "Trained", "check_model", "train"]

OrderChoice: TypeAlias = Literal["forward", "block", "both"]

_LINEAR = ("logistic", "expanded")
_NAMED = (*_LINEAR, "boosted")
_STRENGTHS = (0.1, 1.0, 10.0)
# Stages, and folds of held-out scores, by what the models are.
_USUAL = {True: (25, 5), False: (10, 3)}


@dataclass(frozen=True)
class Progress:
    """How far training is.

    Parameters
    ----------
    done, total : int
        Steps so far, and in all: one a stage, then one for each kind of policy.
    doing : str
        What the last step was: "stages", or one of `STEPS`.
    """

    done: int
    total: int
    doing: str


@dataclass(frozen=True, eq=False)
class Settings:
    """What is to be trained.

    Parameters
    ----------
    order : {"forward", "block", "both"}
        Which cascades share the pool.
    stages : int or None
        Into how many steps the full cost is cut.
    model : str or classifier
        What answers at a stage.
    routing : int
        At most so many splits on a row's way.
    judge : Judge
        What counts as good.
    accounting : {"mean", "p95", "max"}
        Which cost over rows a budget limits.
    random_state : int or None
        Seed of the folds.
    """

    order: OrderChoice
    stages: int | None
    model: Any
    routing: int
    judge: Judge
    accounting: Accounting
    random_state: int | None

    @property
    def is_linear(self) -> bool:
        """Whether models are logistic."""
        return isinstance(self.model, str) and self.model in _LINEAR

    @property
    def n_stages(self) -> int | None:
        """Into how many steps the full cost is cut; None for one a feature."""
        if self.accounting == "max":
            return None
        return self.stages if self.stages is not None else _USUAL[self.is_linear][0]

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders whose cascades share the pool."""
        if self.accounting == "max":
            return ("forward",)
        return ("forward", "block") if self.order == "both" else (self.order,)

    def folds(self, labels: NDArray[np.int_]) -> NDArray[np.int_]:
        """Return the fold of each row.

        Parameters
        ----------
        labels : ndarray of int, shape (n_rows,)
            Codes of the classes.

        Returns
        -------
        ndarray of int, shape (n_rows,)
        """
        return deal_folds(labels, _USUAL[self.is_linear][1], self.random_state)


@dataclass(frozen=True, eq=False)
class Trained:
    """What training leaves.

    Parameters
    ----------
    members : tuple of Member
        Trained cascades.
    policies : tuple of Policy
        The out-of-fold frontier, by rising cost.
    n_policies : int
        How many policies were compared.
    """

    members: tuple[Member, ...]
    policies: tuple[Policy, ...]
    n_policies: int


def check_model(model: Any) -> None:
    """Refuse what is not a model of the stages.

    Parameters
    ----------
    model : object
        A name, or a scikit-learn classifier.

    Raises
    ------
    KnobError
        If it is neither.
    """
    if isinstance(model, str) and model in _NAMED:
        return
    can_score = hasattr(model, "predict_proba") or hasattr(model, "decision_function")
    is_instance = not isinstance(model, str | type)
    if not (is_instance and can_score and is_classifier(model)):
        raise KnobError(
            f'model is {model!r}; use "logistic", "expanded", "boosted" or a '
            "scikit-learn classifier with predict_proba or decision_function."
        )
    if not has_fit_parameter(model, "sample_weight"):
        raise KnobError(
            f"model is {model!r}, which takes no sample_weight; use a classifier that "
            "does."
        )


def train(
    rows: Rows, hypergraph: FeatureHypergraph, settings: Settings
) -> Generator[Progress, None, Trained]:
    """Train the members and their policies, and yield how far that is.

    Parameters
    ----------
    rows : Rows
        What to learn from.
    hypergraph : FeatureHypergraph
        Prices of the features.
    settings : Settings
        What is to be trained.

    Yields
    ------
    Progress

    Returns
    -------
    Trained
    """
    columns = Columns(hypergraph.n_features)
    if isinstance(settings.model, str) and settings.model == "expanded":
        columns = Columns.expanded(rows)
    jobs = list(_jobs(rows, hypergraph, columns, settings))
    trainer = _trainer(rows, columns, jobs[0], settings)
    n_stages = sum(plan.n_stages for job in jobs for plan in job.plans)
    total = n_stages + len(jobs) * (1 if settings.accounting == "max" else len(STEPS))
    steps = count(1)

    def step(doing: str) -> Progress:
        return Progress(next(steps), total, doing)

    members, policies = [], []
    for number, job in enumerate(jobs):
        member, leaves = yield from _build(rows, columns, job, trainer, settings, step)
        members.append(member)
        for doing, found in _policies(number, leaves, settings):
            policies += found
            yield step(doing)
    best = frontier(policies, settings.accounting)
    return Trained(tuple(members), best, len(policies))


@dataclass(frozen=True, eq=False)
class _Job:
    """A member that is to be trained: its tree, and the stages of each leaf."""

    tree: Tree
    plans: tuple[Plan, ...]


def _jobs(
    rows: Rows, hypergraph: FeatureHypergraph, columns: Columns, settings: Settings
) -> Iterator[_Job]:
    trees = [Tree()]
    if settings.routing and settings.accounting != "max":
        grown = grow_tree(rows, hypergraph, settings.routing, settings.random_state)
        trees += [grown] if grown.n_leaves > 1 else []
    for tree in trees:
        leaf_of = tree.leaves(rows.X)
        for order in settings.orders:
            yield _Job(
                tree,
                tuple(
                    _plan(
                        rows.part(leaf_of == leaf),
                        hypergraph,
                        columns,
                        path,
                        order,
                        settings,
                    )
                    for leaf, path in enumerate(tree.paths)
                ),
            )


def _plan(
    rows: Rows,
    hypergraph: FeatureHypergraph,
    columns: Columns,
    path: tuple[int, ...],
    order: str,
    settings: Settings,
) -> Plan:
    paid = paid_components(hypergraph, path)
    costs = hypergraph.component_costs
    everything = np.arange(len(columns.parents))
    by_feature = sparse.csr_array(hypergraph.incidence.T, dtype=float)
    purchases = Purchases(
        columns.table(rows.X, everything),
        rows,
        sparse.csr_array(by_feature[columns.parents]),
        np.where(paid, 0.0, costs),
        is_exact=settings.accounting == "max",
    )
    found: Order = (block_order if order == "block" else forward_order)(purchases)
    return stage_plan(found, settings.n_stages, float(costs[paid].sum()))


def _trainer(rows: Rows, columns: Columns, job: _Job, settings: Settings) -> Trainer:
    """Return what trains stages; C is that of the best held-out log-loss."""
    if not settings.is_linear:
        named = isinstance(settings.model, str)
        template = boosted(settings.random_state) if named else clone(settings.model)
        return Estimators(template)
    plan = job.plans[0]
    folds = settings.folds(rows.labels)
    looked_at = np.unique(plan.ends[[plan.n_stages // 2, -1]])
    tables = [columns.table(rows.X, plan.columns[:end]) for end in looked_at if end]
    rows = rows.without_columns()
    losses = [
        sum(_log_loss(rows, _held_out(Logistic(C), t, rows, folds)) for t in tables)
        for C in _STRENGTHS
    ]
    # The strongest ridge of those that are as good, whatever rounding says.
    return Logistic(_STRENGTHS[int(np.argmin(np.round(losses, 9)))])


def _log_loss(rows: Rows, outputs: NDArray) -> float:
    if outputs.shape[1] == 1:
        outputs = np.column_stack([np.zeros(len(outputs)), outputs[:, 0]])
    logs = log_softmax(outputs, axis=1)
    return -float(rows.shares @ logs[np.arange(len(logs)), rows.labels])


def _model(trainer: Trainer, table: NDArray, rows: Rows) -> StageModel:
    return trainer.train(table, rows) if table.shape[1] else prior_model(rows)


def _held_out(
    trainer: Trainer, table: NDArray, rows: Rows, folds: NDArray[np.int_]
) -> NDArray[np.float64]:
    """Return outputs of models that were trained without each row's fold."""
    if folds.max() == 0:  # a class of one row: it cannot be left out
        return _model(trainer, table, rows).outputs(table)
    outputs = np.empty((len(table), 1 if rows.n_classes == 2 else rows.n_classes))
    for fold in range(int(folds.max()) + 1):
        out = folds == fold
        trained = _model(trainer, table[~out], rows.part(~out))
        outputs[out] = trained.outputs(table[out])
    return outputs


def _build(
    rows: Rows,
    columns: Columns,
    job: _Job,
    trainer: Trainer,
    settings: Settings,
    step: Callable[[str], Progress],
) -> Generator[Progress, None, tuple[Member, tuple[HeldOut, ...]]]:
    """Train a member stage by stage, and return it with what it says of held-out rows.

    A stage without columns says the same of every row, in whatever fold.
    """
    leaf_of = job.tree.leaves(rows.X)
    leaves, held_out = [], []
    for number, plan in enumerate(job.plans):
        own = rows.part(leaf_of == number)
        folds = settings.folds(own.labels)
        everything = columns.table(own.X, plan.columns)
        own = own.without_columns()
        models, said = [], []
        for end in plan.ends:
            table = everything[:, :end]
            model = _model(trainer, table, own)
            outputs = _held_out(trainer, table, own, folds)
            said.append(_said(outputs if end else model.outputs(table), own))
            models.append(model)
            yield step("stages")
        route, calibrations = job.tree.paths[number], tuple(found[3] for found in said)
        leaves.append(Leaf(route, plan, tuple(models), calibrations))
        u, belief, called = (np.array([found[k] for found in said]) for k in range(3))
        held_out.append(HeldOut(u, belief, called, own.labels, own.weights, plan.costs))
    return Member(job.tree, columns, tuple(leaves)), tuple(held_out)


def _said(
    outputs: NDArray, rows: Rows
) -> tuple[NDArray, NDArray, NDArray[np.int_], Platt | Shares]:
    """Return score, belief and best class of each row, and the calibration."""
    u = confidences(outputs)
    if outputs.shape[1] == 1:
        platt = fit_platt(u, rows.labels == 1, rows.weights)
        odds = platt.odds(u)
        return u, odds, (odds > 0).astype(np.int64), platt
    called = np.argmax(outputs, axis=1)
    shares = fit_shares(u, called == rows.labels, rows.weights)
    return u, shares.rate(u), called, shares


def _policies(
    number: int, leaves: tuple[HeldOut, ...], settings: Settings
) -> Iterator[tuple[str, list[Policy]]]:
    if settings.accounting == "max":
        yield STEPS[-1], prefixes(number, leaves, settings.judge)
        return
    yield from zip(STEPS, policy_steps(number, leaves, settings.judge), strict=True)
