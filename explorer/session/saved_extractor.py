"""What extracts the rows of a saved session, where it came along with us."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvers import ThriftscopeError
from solvers.errors import InterchangeError, shown

from ..document.drawing import Table
from ..document.recipes import made
from .saved import SavedSession, made_by

__all__ = ["with_extractor"]


def with_extractor(saved: SavedSession) -> SavedSession:
    """Return a session whose rows can be extracted again, or say why they cannot."""
    if saved.extractor is None:
        return saved
    found: dict[str, Any] = {}
    try:
        maker = made_by(saved.extractor)
        missing = set(saved.dataset.feature_names) - set(maker.feature_names)
        if missing:
            raise InterchangeError(f"it has no feature {shown(min(missing))} any more.")
        found = {"pipeline": maker.pipeline, "samples": maker.samples}
    except ThriftscopeError as error:
        note = f"What extracts these columns is not at hand: {error}"
        found = {"notes": tuple(dict.fromkeys((*saved.dataset.notes, note)))}
    dataset = replace(saved.dataset, **found)
    made(dataset, saved.extractor, as_priced=False)
    drawn = saved.drawn
    if drawn is not None and drawn.table is not None:
        drawn = replace(drawn, table=Table(dataset, drawn.table.columns))
    return replace(saved, dataset=dataset, drawn=drawn)
