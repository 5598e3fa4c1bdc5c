"""The library reference: what modules make public, found in the code itself."""

from __future__ import annotations

import importlib
import inspect
import re

from solvers import all_methods

__all__ = ["MODULES", "fill_in"]

# Where a name stands in several of these, it is described under the first.
MODULES = (
    "solvers.datasets",
    "solvers.bayes",
    "solvers.markov",
    "solvers.papers",
    "solvers.papers.figures",
    "solvers.papers.cascades",
    "solvers.errors",
    "solvers.frontier.budgeted",
    "solvers.frontier.bands",
    "solvers.certify",
    "solvers.deploy",
    "solvers.frontier.sweep",
    "solvers.features.verification",
    "solvers.methods.selective_ridge",
    "solvers",
    "solvers.frontier",
    "explorer",
    "explorer.export",
)
# What scikit-learn adds to its estimators; it links to pages of its own.
NOT_OURS = "set_fit_request, set_score_request"
_NAMES = re.compile(r"^\.\. public-names:: (\S+)$", re.MULTILINE)


def fill_in(text: str) -> str:
    """Return a page with its lines ``public-names`` and ``every-method`` filled in."""
    text = _NAMES.sub(lambda found: _described(found[1]), text)
    return text.replace(".. every-method::", _every_method())


def _described(module: str) -> str:
    names = sorted(importlib.import_module(module).__all__, key=str.lower)
    homes = {name: _home(module, name) for name in names}
    rows = "".join(f"   ~{home}.{name}\n" for name, home in homes.items())
    own = [name for name, home in homes.items() if home == module]
    entries = "\n".join(_entry(module, name) for name in own)
    return f".. autosummary::\n   :nosignatures:\n\n{rows}\n{entries}"


def _home(module: str, name: str) -> str:
    """Return the module under which a public name is described."""
    described = getattr(importlib.import_module(module), name)
    for home in MODULES:
        if getattr(importlib.import_module(home), name, None) is described and (
            name in importlib.import_module(home).__all__
        ):
            return home
    return module


def _entry(module: str, name: str) -> str:
    described = getattr(importlib.import_module(module), name)
    if inspect.isclass(described):
        hidden = f"   :exclude-members: {NOT_OURS}\n"
        return f".. autoclass:: {module}.{name}\n   :members:\n{hidden}"
    # A study is described as the function that yields its rows.
    kind = "function" if inspect.isfunction(inspect.unwrap(described)) else "data"
    return f".. auto{kind}:: {module}.{name}\n"


def _every_method() -> str:
    return "\n".join(
        f"{name}\n{'-' * len(name)}\n\n"
        f".. autoclass:: {method.__module__}.{method.__name__}\n"
        for name, method in all_methods().items()
    )
