"""The hypergraph cascade: one training for every budget, stopped optimally."""

from ...decisions.walker import Journey
from .classifier import HypergraphCascadeClassifier, Replay, ScoreStop, StageRow
from .members import LeafCascade, Member, Sheet
from .policies import Policy

__all__ = [
    "HypergraphCascadeClassifier",
    "Journey",
    "LeafCascade",
    "Member",
    "Policy",
    "Replay",
    "ScoreStop",
    "Sheet",
    "StageRow",
]
