"""How a row is decided: what is bought, weighed and answered; what mistakes cost."""

from .decision import Decision

__all__ = ["Decision"]
