"""Lessons, one a file: a module here with a constant ``LESSON`` is a lesson."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from .base import Control, Lesson, RevealedAnswer, Shown

__all__ = ["Control", "Lesson", "RevealedAnswer", "Shown", "all_lessons"]


@cache
def all_lessons() -> dict[str, Lesson]:
    """Return every lesson by its name, in order."""
    modules = (
        importlib.import_module(f"{__name__}.{info.name}")
        for info in pkgutil.iter_modules(__path__)
    )
    lessons = [module.LESSON for module in modules if hasattr(module, "LESSON")]
    return {one.name: one for one in sorted(lessons, key=lambda one: one.order)}
