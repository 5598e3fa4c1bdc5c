"""A session as the process that has read it sends it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from solvers import Dataset

from ..document.drawing import Drawing, Table
from ..document.reading import Reading
from ..document.recipes import DataRecipe, recipe_of
from .saved import Declared, SavedSession, made_by, read_session
from .saved_extractor import with_extractor

__all__ = ["SentSession", "sent_session"]


@dataclass(frozen=True, eq=False)
class SentSession:
    """A session that was found whole; data that anybody can make are not sent along."""

    page: str
    dark: bool
    choices: Mapping[str, Mapping[str, Any]]
    data: Dataset | DataRecipe
    drawn: Drawing | None  # Without its table
    columns: tuple[int, ...]  # Of that table
    extractor: DataRecipe | None
    reading: Reading | None

    def whole(self) -> SavedSession:
        """Return the session, its data made again."""
        data = self.data
        dataset = made_by(data) if isinstance(data, DataRecipe) else data
        drawn = self.drawn and replace(self.drawn, table=Table(dataset, self.columns))
        return with_extractor(
            SavedSession(
                self.page,
                self.dark,
                dataset,
                self.choices,
                drawn,
                self.extractor,
                self.reading,
            )
        )


def sent_session(text: bytes, declared: Declared) -> Iterator[SentSession]:
    """Read somebody's session."""
    saved = read_session(text, declared)
    table = saved.drawn.table if saved.drawn else None
    yield SentSession(
        saved.page,
        saved.dark,
        saved.choices,
        recipe_of(saved.dataset, as_priced=True) or saved.dataset,
        saved.drawn and replace(saved.drawn, table=None),
        table.columns if table else (),
        saved.extractor,
        saved.reading,
    )
