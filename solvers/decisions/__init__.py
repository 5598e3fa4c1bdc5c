"""How a row is decided: what is bought, weighed and answered, and what mistakes cost."""

from .decision import Decision

__all__ = ["Decision"]
