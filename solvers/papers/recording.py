"""Findings of every figure: how they are computed, and those on disk."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from .studies import Study
from .verdicts import Finding

RECORDED = Path(__file__).parent / "recorded.json"


def findings(key: str) -> tuple[Finding, ...] | None:
    """Return the findings of a figure that were recorded last.

    Parameters
    ----------
    key : str
        A key of ``computed()``.

    Returns
    -------
    tuple of Finding or None
        None where the figure was not computed yet.
    """
    found = _recorded().get(key)
    return found and tuple(Finding(**one) for one in found["findings"])


def record(
    key: str, found: Sequence[Finding], code: str, path: Path = RECORDED
) -> None:
    """Keep the findings of a figure, with the version of the code that computed them.

    `key`: of ``computed()``; `path`: where the record is.
    """
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[key] = {"code": code, "findings": [asdict(finding) for finding in found]}
    text = json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")
    _recorded.cache_clear()


@cache
def _recorded() -> dict[str, Any]:
    return json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}


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
