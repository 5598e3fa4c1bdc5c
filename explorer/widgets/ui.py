"""The Material components: ``panel.ui`` where Panel has it, or what is behind it."""

from __future__ import annotations

from contextlib import suppress

import panel_material_ui as pmui

with suppress(ImportError):  # before Panel 1.10
    from panel import ui as pmui  # type: ignore[no-redef]

__all__ = ["pmui"]
