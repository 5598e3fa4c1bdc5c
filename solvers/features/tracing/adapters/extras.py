"""Libraries that an adapter needs and that may not be there."""

from __future__ import annotations

import importlib
from typing import Any

from ....errors import PipelineError


def library(module: str, extra: str) -> Any:
    """Return a module, or refuse with the extra that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PipelineError(
            f"{module.split('.')[0]} cannot be imported ({error}); install "
            f"thriftscope[{extra}]."
        ) from error
