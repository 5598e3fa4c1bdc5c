"""How the findings of each figure and table are computed."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from importlib import import_module

from .studies import Study
from .verdicts import Finding


def computed() -> dict[str, Callable[[], Sequence[Finding]]]:
    """Return what computes the findings of each figure, by paper and number.

    Found by walking the package: a study is declared in its own file alone.
    """
    package = import_module(__package__)
    modules = pkgutil.walk_packages(package.__path__, f"{__package__}.")
    found = {
        one.key: one
        for module in modules
        for one in vars(import_module(module.name)).values()
        if isinstance(one, Study)
    }
    parts = [one.also for one in found.values()]
    return {key: one.findings for key, one in found.items() if one not in parts}
