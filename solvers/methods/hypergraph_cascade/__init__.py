"""The hypergraph cascade: one training for every budget, stopped optimally."""

from .classifier import HypergraphCascadeClassifier
from .deciding import RoutedJourney, ScoreStop
from .members import LeafCascade, Member, Sheet
from .policies import Policy
from .prediction import Replay, StageRow

__all__ = [
    "HypergraphCascadeClassifier",
    "LeafCascade",
    "Member",
    "Policy",
    "Replay",
    "RoutedJourney",
    "ScoreStop",
    "Sheet",
    "StageRow",
]
