"""What features cost: components that are paid once, prices, and files of both."""

from .hypergraph import FeatureHypergraph
from .prices import ComponentPrices

__all__ = ["ComponentPrices", "FeatureHypergraph"]
