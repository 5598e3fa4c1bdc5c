"""The hypergraph cascade: one training for every budget, stopped optimally."""

from .classifier import HypergraphCascadeClassifier
from .journey import RoutedJourney, ScoreStop
from .members import Leaf, Member
from .policies import Policy
from .prediction import StageRow
from .replay import Replay, Sheet
from .settings import Progress

__all__ = [
    "HypergraphCascadeClassifier",
    "Leaf",
    "Member",
    "Policy",
    "Progress",
    "Replay",
    "RoutedJourney",
    "ScoreStop",
    "Sheet",
    "StageRow",
]
