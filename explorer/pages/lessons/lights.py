"""Clauses, legend and picture of a lesson light up what they have in common."""

from __future__ import annotations

from panel.custom import JSComponent

from ...widgets.assets import asset

__all__ = ["TELL", "Lights"]

#: Of a hover tool: what the mouse is on in the picture. The browser keeps all of it.
TELL = """
const data = cb_data.renderer.data_source.data
const keys = data.get ? data.get("keys") : data.keys
const { indices, line_indices } = cb_data.index
const places = [...new Set([...indices, ...(line_indices ?? [])])]
const detail = { from: cb_data.renderer.id, keys: places.flatMap(i => keys[i] ?? []) }
document.dispatchEvent(new CustomEvent("lesson-picture", { detail }))
"""


class Lights(JSComponent):
    """An invisible part of the page that sees what the mouse or the focus is on."""

    _esm = asset("lesson_lights.js")
