"""The hypergraph cascade: one training for every budget, stopped optimally."""

from .classifier import HypergraphCascadeClassifier
from .journey import RoutedJourney, ScoreStop
from .members import LeafCascade, Member, Sheet
from .policies import Policy
from .prediction import StageRow
from .replay import Replay

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
