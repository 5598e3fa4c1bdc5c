"""The hypergraph cascade: one training for every budget, stopped optimally."""

from ...decisions.walker import Journey
from .classifier import HypergraphCascadeClassifier
from .members import LeafCascade, Member, Sheet
from .policies import Policy
from .prediction import Replay, ScoreStop, StageRow

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
