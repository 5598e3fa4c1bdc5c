"""Training: members, their held-out scores, policies, and the choice among them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers
from ...numerics.inner_folds import spread_of_sum
from .blueprint import Blueprint, Sample
from .choosing import choose
from .cross_fitting import Said, fill_fold, held_out_leaf, train_leaf, trained_model
from .importance import log_losses
from .members import LeafCascade, Member
from .policies import Candidate, Policy
from .policy_objective import HeldOut
from .proposing import STEPS, policy_steps, prefixes
from .rows import WeightedRows
from .seating import seated
from .settings import MemberRecipe, Settings, TrainingProgress
from .stages import Trainer, boosted, train_clone, train_logistic

__all__ = ["Trained", "train"]

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
        blueprint = self.whole.draw(recipe, self.settings.n_stages(recipe))
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
