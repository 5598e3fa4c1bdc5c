"""Training: members, their held-out scores, policies, and the choice among them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from scipy import sparse

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.inner_folds import spread_of_sum
from .choosing import STEPS, choose, policy_steps, prefixes
from .members import LeafCascade, Member, seated
from .order import Purchases, ValuedPurchases, block_order, forward_order
from .policies import Candidate, HeldOut, Policy
from .routing import RoutingTree, grow_tree, paid_components
from .rows import ExpandedColumns, WeightedRows
from .settings import MemberRecipe, Settings, TrainingProgress
from .stages import (
    Platt,
    Shares,
    StageModel,
    StagePlan,
    Trainer,
    boosted,
    calibrate,
    confidences,
    importances,
    log_losses,
    prior_model,
    stage_plan,
    train_clone,
    train_logistic,
)

# What is learned of rows before any model of a stage: tree, columns and plans.


@dataclass(frozen=True, eq=False)
class Blueprint:
    """A tree, what models see, and the stages of each leaf; no model yet."""

    tree: RoutingTree
    columns: ExpandedColumns
    plans: tuple[StagePlan, ...]

    def equals(self, other: Blueprint) -> bool:
        """Return whether stages are the same, where neither parts the rows."""
        if self.tree.splits or other.tree.splits:
            return False
        mine, theirs = self.plans[0], other.plans[0]
        return np.array_equal(mine.columns, theirs.columns) and np.array_equal(
            mine.ends, theirs.ends
        )


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows that blueprints are drawn from, and what several of them share.

    There is one of all rows, and one of the rows without each fold: whatever labels
    teach, the order of features included, is learned without the fold that it is
    judged on.
    """

    rows: WeightedRows
    hypergraph: FeatureHypergraph
    settings: Settings

    @cached_property
    def _importances(self) -> Floats:
        return importances(self.rows, self.settings.random_state)

    @cached_property
    def _expanded(self) -> ExpandedColumns:
        return ExpandedColumns.expanded(self.rows)

    @cached_property
    def _trees(self) -> dict[int, RoutingTree]:
        return {}

    def tree(self, depth: int) -> RoutingTree:
        """Return the tree of a depth; grown once."""
        if depth not in self._trees:
            seed = self.settings.random_state
            self._trees[depth] = (
                grow_tree(self.rows, self.hypergraph, depth, seed)
                if depth
                else RoutingTree()
            )
        return self._trees[depth]

    def columns(self, kind: str) -> ExpandedColumns:
        """Return what models of a kind see of the features."""
        if kind == "expanded":
            return self._expanded
        return ExpandedColumns(self.hypergraph.n_features)

    def draw(
        self, recipe: MemberRecipe, n_stages: int | None, *, before_jumps: bool = False
    ) -> Blueprint:
        """Return the blueprint of a recipe; its stages end anywhere for None."""
        tree, columns = self.tree(recipe.depth), self.columns(recipe.kind)
        leaf_of = tree.leaves(self.rows.X)
        plans = []
        for leaf, path in enumerate(tree.paths):
            paid = paid_components(self.hypergraph, path)
            rows = self.rows.part(leaf_of == leaf)
            purchases = self._purchases(rows, columns, recipe, paid)
            order = block_order if recipe.order == "block" else forward_order
            prepaid = float(self.hypergraph.component_costs[paid].sum())
            bought = order(purchases)
            plans.append(
                stage_plan(bought, n_stages, prepaid, before_jumps=before_jumps)
            )
        return Blueprint(tree, columns, tuple(plans))

    def _purchases(
        self,
        rows: WeightedRows,
        columns: ExpandedColumns,
        recipe: MemberRecipe,
        paid: Mask,
    ) -> Purchases:
        # What led to the leaf is computed already: it is free to all that share it.
        unpaid = np.where(paid, 0.0, self.hypergraph.component_costs)
        by_feature = sparse.csr_array(self.hypergraph.incidence.T, dtype=float)
        if not recipe.is_linear:
            # In a leaf features are worth what they are to its own rows.
            is_whole = len(rows.labels) == len(self.rows.labels)
            seed = self.settings.random_state
            values = self._importances if is_whole else importances(rows, seed)
            return ValuedPurchases(values, by_feature, unpaid)
        return Purchases(
            columns.table(rows.X, np.arange(len(columns.parents))),
            rows,
            sparse.csr_array(by_feature[columns.parents]),
            unpaid,
            is_exact=self.settings.accounting == "max",
        )


# What stages say of rows that nothing about them was learned from.
#
# Each fold has its own tree, order and models, learned from the other folds. Stages of
# different orders are pooled by what they cost: a row hears, at each stage of the
# cascade of all rows, the models of its fold's own cascade for the nearest cost.


@dataclass(frozen=True, eq=False)
class Said:
    """Scores and best classes, shape (n_rows, n_stages of the row's leaf)."""

    u: Floats
    called: Integers

    @classmethod
    def nothing(cls, n_rows: int, plans: tuple[StagePlan, ...]) -> Said:
        shape = n_rows, max(plan.n_stages for plan in plans)
        return cls(np.full(shape, np.nan), np.zeros(shape, dtype=np.int64))

    def write(self, rows: Integers, stage: int, outputs: Floats) -> None:
        self.u[rows, stage] = confidences(outputs)
        if outputs.shape[1] > 1:
            self.called[rows, stage] = np.argmax(outputs, axis=1)


def trained_model(trainer: Trainer, table: Floats, rows: WeightedRows) -> StageModel:
    """Return the model of a stage; shares of the classes where it has no column."""
    return trainer(table, rows) if table.shape[1] else prior_model(rows)


def train_leaf(
    rows: WeightedRows, blueprint: Blueprint, leaf: int, trainer: Trainer
) -> tuple[StageModel, ...]:
    """Return the models of a leaf's stages, from its rows."""
    plan = blueprint.plans[leaf]
    table = blueprint.columns.table(rows.X, plan.columns)
    rows = rows.without_columns()
    return tuple(trained_model(trainer, table[:, :end], rows) for end in plan.ends)


def fill_fold(
    said: Said,
    rows: WeightedRows,
    fold: Integers,
    member: Blueprint,
    sample: Sample,
    drawn: Blueprint,
    trainer: Trainer,
) -> None:
    """Write what a fold's own cascade says of its rows, at the costs of the member's.

    `said`: where to.
    """
    leaf_of = member.tree.leaves(rows.X)
    own_leaf = drawn.tree.leaves(rows.X[fold])
    trained_on = drawn.tree.leaves(sample.rows.X)
    for number, plan in enumerate(drawn.plans):
        here = fold[own_leaf == number]
        if not here.size:
            continue
        part = sample.rows.part(trained_on == number)
        known = drawn.columns.table(rows.X[here], plan.columns)
        table = drawn.columns.table(part.X, plan.columns)
        part = part.without_columns()
        models: dict[int, StageModel] = {}
        for leaf, full in enumerate(member.plans):
            mine = leaf_of[here] == leaf
            for stage, cost in enumerate(full.costs if mine.any() else ()):
                # The fold's own cascade ends elsewhere: its stage of nearest cost.
                end = int(plan.ends[np.argmin(np.abs(plan.costs - cost))])
                if end not in models:
                    models[end] = trained_model(trainer, table[:, :end], part)
                said.write(here[mine], stage, models[end].outputs(known[mine, :end]))


def held_out_leaf(
    said: Said, rows: WeightedRows, folds: Integers, here: Integers, plan: StagePlan
) -> tuple[HeldOut, tuple[Platt | Shares, ...]]:
    """Return what is said of a leaf's rows, and the calibrations of its stages."""
    is_binary = rows.n_classes == 2
    labels, weights = rows.labels[here], rows.weights[here]
    u, called = said.u[here, : plan.n_stages].T, said.called[here, : plan.n_stages].T
    hits = np.broadcast_to(labels == 1, u.shape) if is_binary else called == labels
    found = [
        calibrate(u[stage], hits[stage], weights, folds[here], is_binary)
        for stage in range(plan.n_stages)
    ]
    # Beliefs come from curves that were fitted without the row's fold.
    belief = np.array([said_of for said_of, _ in found])
    if is_binary:
        called = (belief > 0.0).astype(np.int64)
    held_out = HeldOut(
        u, belief, called, labels, weights, plan.costs, folds[here], here
    )
    return held_out, tuple(curve for _, curve in found)


# Training: members, their held-out scores, policies, and the choice among them.


_STRENGTHS = (0.1, 1.0, 10.0)
# What proves itself is tried with these on all columns, on so many folds.
_TRIED_STRENGTHS = (0.1, 1.0)
_TRIED_FOLDS = 3
# Standard errors by which a kind of model may be worse than the first and still be
# trained.
_STANDARD_ERRORS = 2.0


@dataclass(frozen=True, eq=False)
class Trained:
    """What training leaves."""

    members: tuple[Member, ...]  # Trained cascades
    policies: tuple[Policy, ...]  # The out-of-fold frontier, by rising cost
    n_policies: int  # How many policies were compared


def train(
    rows: WeightedRows, hypergraph: FeatureHypergraph, settings: Settings
) -> Generator[TrainingProgress, None, Trained]:
    """Train the members and their policies, and yield how far that is.

    A recipe that comes to nothing new leaves its steps out of what is done, not out of
    what is counted.
    """
    recipes = settings.recipes(len(rows.labels), hypergraph.n_features)
    kinds = ("prefixes",) if settings.accounting == "max" else STEPS
    planned = [1 + recipe.n_folds + len(kinds) for recipe in recipes]
    total = sum(planned) + 1
    workshop = _Workshop(rows, hypergraph, settings)
    members: list[Member] = []
    candidates: list[Candidate] = []
    done = 0
    for recipe, n_steps in zip(recipes, planned, strict=True):
        behind = done + n_steps
        for doing, found in workshop.steps(recipe, members):
            candidates += found
            done += 1
            yield TrainingProgress(done, total, doing)
        while done < behind:
            done += 1
            yield TrainingProgress(done, total, "stages")
    policies = choose(
        candidates, rows, settings.objective, settings.accounting, settings.random_state
    )
    policies = seated(policies, members, rows)
    yield TrainingProgress(total, total, "choice")
    return Trained(tuple(members), policies, len(candidates))


@dataclass(eq=False)
class _Workshop:
    """What the recipes share: samples of the rows, trainers, and what was drawn."""

    rows: WeightedRows
    hypergraph: FeatureHypergraph
    settings: Settings
    drawn: dict[tuple[str, int], list[Blueprint]] = field(default_factory=dict)
    proven: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.whole = Sample(self.rows, self.hypergraph, self.settings)
        self.trees = partial(train_clone, template=boosted(self.settings.random_state))
        given = partial(train_clone, template=self.settings.model)
        self.trainers: dict[str, Trainer] = {"boosted": self.trees, "given": given}
        self._dealt: dict[int, tuple[Integers, list[Sample]]] = {}

    def steps(
        self, recipe: MemberRecipe, members: list[Member]
    ) -> Iterator[tuple[str, list[Candidate]]]:
        """Add a member; yield what each step did, and the policies that it found."""
        if recipe.has_to_prove and not self._is_proven(recipe.kind):
            return
        n_stages = self.settings.n_stages(recipe)
        is_priced = self.settings.objective.mistakes is not None
        blueprint = self.whole.draw(recipe, n_stages, before_jumps=is_priced)
        if recipe.depth and not blueprint.tree.splits:
            return
        before = self.drawn.setdefault((recipe.kind, recipe.depth), [])
        if any(blueprint.equals(other) for other in before):
            return
        before.append(blueprint)
        folds, samples = self._folds(recipe.n_folds)
        drafts = [sample.draw(recipe, None) for sample in samples]
        trainer = self._trainer(recipe, blueprint, drafts)
        yield "stages", []
        said = Said.nothing(len(self.rows.labels), blueprint.plans)
        for fold, (sample, draft) in enumerate(zip(samples, drafts, strict=True)):
            held = np.flatnonzero(folds == fold)
            fill_fold(said, self.rows, held, blueprint, sample, draft, trainer)
            if fold + 1 < len(samples):
                yield "stages", []
        member, held_out = self._member(blueprint, trainer, said, folds)
        yield "stages", []
        number = len(members)
        members.append(member)
        yield from self._policies(number, held_out)

    def _folds(self, n_folds: int) -> tuple[Integers, list[Sample]]:
        if n_folds not in self._dealt:
            folds = self.rows.folds(n_folds, self.settings.random_state)
            samples = [
                Sample(self.rows.part(folds != fold), self.hypergraph, self.settings)
                for fold in range(n_folds)
            ]
            self._dealt[n_folds] = folds, samples
        return self._dealt[n_folds]

    def _member(
        self, blueprint: Blueprint, trainer: Trainer, said: Said, folds: Integers
    ) -> tuple[Member, tuple[HeldOut, ...]]:
        leaf_of = blueprint.tree.leaves(self.rows.X)
        leaves, held_out = [], []
        for number, plan in enumerate(blueprint.plans):
            here = np.flatnonzero(leaf_of == number)
            models = train_leaf(self.rows.part(here), blueprint, number, trainer)
            # What has no column says the same of every row; what is never left out
            # is told what it was trained to say.
            always = here[folds[here] < 0]
            table = blueprint.columns.table(self.rows.X[here], plan.columns)
            seen = blueprint.columns.table(self.rows.X[always], plan.columns)
            for stage, (end, model) in enumerate(zip(plan.ends, models, strict=True)):
                if end == 0:
                    said.write(here, stage, model.outputs(table[:, :0]))
                elif always.size:
                    said.write(always, stage, model.outputs(seen[:, :end]))
            found, curves = held_out_leaf(said, self.rows, folds, here, plan)
            leaves.append(
                LeafCascade(blueprint.tree.paths[number], plan, models, curves)
            )
            held_out.append(found)
        member = Member(blueprint.tree, blueprint.columns, tuple(leaves))
        return member, tuple(held_out)

    def _policies(
        self, number: int, held_out: tuple[HeldOut, ...]
    ) -> Iterator[tuple[str, list[Candidate]]]:
        objective = self.settings.objective
        if self.settings.accounting == "max":
            yield STEPS[-1], prefixes(number, held_out, objective)
            return
        yield from zip(STEPS, policy_steps(number, held_out, objective), strict=True)

    # ------------------------------------------------------------------- which models

    def _trainer(
        self, recipe: MemberRecipe, blueprint: Blueprint, drafts: list[Blueprint]
    ) -> Trainer:
        """Return what trains stages of a kind; C is that of the best held-out loss."""
        if recipe.is_linear and recipe.kind not in self.trainers:
            strength = self._strength(recipe, blueprint, drafts)
            self.trainers[recipe.kind] = partial(train_logistic, C=strength)
        return self.trainers[recipe.kind]

    def _strength(
        self, recipe: MemberRecipe, blueprint: Blueprint, drafts: list[Blueprint]
    ) -> float:
        plan = blueprint.plans[0]
        costs = np.unique(plan.costs[[plan.n_stages // 2, -1]])
        folds, samples = self._folds(recipe.n_folds)
        losses = np.zeros(len(_STRENGTHS))
        for fold, (sample, draft) in enumerate(zip(samples, drafts, strict=True)):
            held = folds == fold
            own = draft.plans[0]
            for cost in costs if held.any() else ():
                chosen = own.columns[: own.ends[np.argmin(np.abs(own.costs - cost))]]
                table = draft.columns.table(sample.rows.X, chosen)
                known = draft.columns.table(self.rows.X[held], chosen)
                for place, C in enumerate(_STRENGTHS):
                    trainer = partial(train_logistic, C=C)
                    model = trained_model(trainer, table, sample.rows)
                    lost = log_losses(model.outputs(known), self.rows.labels[held])
                    losses[place] += self.rows.weights[held] @ lost
        # The strongest ridge of those that are as good, whatever rounding says.
        return _STRENGTHS[int(np.argmin(np.round(losses / losses.max(initial=1), 9)))]

    def _is_proven(self, kind: str) -> bool:
        """Return whether a kind of model is not clearly worse on all features."""
        if kind not in self.proven:
            mine, usual = self._tried(kind), self._tried("logistic")
            worse, weights = mine - usual, self.rows.weights
            mean, mass = float(weights @ worse / weights.sum()), weights.sum()
            spread = spread_of_sum(worse - mean, weights, self.rows.groups)
            error = np.sqrt(spread / mass / mass)
            self.proven[kind] = bool(mean <= _STANDARD_ERRORS * error)
        return self.proven[kind]

    def _tried(self, kind: str) -> Floats:
        """Return held-out log-losses of rows, by the best strength on all columns."""
        folds, samples = self._folds(_TRIED_FOLDS)
        trainers: list[Trainer] = (
            [self.trees]
            if kind == "boosted"
            else [partial(train_logistic, C=C) for C in _TRIED_STRENGTHS]
        )
        losses = np.zeros((len(trainers), len(folds)))
        for fold, sample in enumerate(samples):
            held = folds == fold
            columns = sample.columns(kind)
            everything = np.arange(len(columns.parents))
            table = columns.table(sample.rows.X, everything)
            known = columns.table(self.rows.X[held], everything)
            for place, trainer in enumerate(trainers):
                model = trained_model(trainer, table, sample.rows)
                outputs = model.outputs(known)
                losses[place, held] = log_losses(outputs, self.rows.labels[held])
        return np.asarray(losses[np.argmin(losses @ self.rows.weights)])
