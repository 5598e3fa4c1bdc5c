"""A fitted model as a policy: one function a family, found by the model's type."""

from __future__ import annotations

from functools import singledispatch

from ..decisions.program import refusal
from .policy import DeployablePolicy

__all__ = ["lower"]


@singledispatch
def lower(model: object) -> DeployablePolicy:
    """Return the decision program of a fitted model."""
    raise refusal(model)
