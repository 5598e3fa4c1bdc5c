"""The log of a trimming search, and how much of it is shown."""

from __future__ import annotations

from typing import Any

import param

from solvers.bayes import InstanceTable, Trimming
from solvers.bayes import SearchEvent as Event

from ...session.declared import linked
from .log import SearchLog

# However long a search was, nobody watches it for longer than 20 seconds, a busy
# machine included.
MOST_SECONDS = 15.0


class Playback(param.Parameterized):
    """The log of a search, and how much of it is shown."""

    position: Any = param.Integer(
        default=None, allow_None=True, doc="Events that are shown; None: all."
    )
    is_playing = param.Boolean(
        default=False, doc="Whether events follow by themselves."
    )
    speed = param.Number(
        default=4.0,
        bounds=(1, 60),
        doc="Events a second, at least.",
        metadata=linked("speed"),
    )
    is_folded = param.Boolean(
        default=True,
        label="Collapse large subtrees",
        doc="Whether large trees are.",
        metadata=linked("folded"),
    )
    log: Any = param.ClassSelector(class_=SearchLog, allow_None=True)
    arrived = param.Integer(default=0, doc="Rises whenever the log has grown.")
    # The log that the views were told of, and how many of its events.
    told: tuple[Any, int] = (None, 0)

    @property
    def pace(self) -> float:
        """Events a second while it plays: more than asked for, where there are many."""
        kept = 0 if self.log is None else len(self.log.events)
        return max(float(self.speed), kept / MOST_SECONDS)

    @property
    def n_shown(self) -> int:
        """How many events are shown."""
        kept = 0 if self.log is None else len(self.log.events)
        return kept if self.position is None else min(self.position, kept)

    def shown(self) -> Event | None:
        """Return the last event that is shown."""
        return self.log.events[self.n_shown - 1] if self.n_shown else None

    def best(self) -> Trimming | None:
        """Return the best trimming as far as events are shown."""
        if self.log is None or self.position is None:
            return None if self.log is None else self.log.best
        event = self.shown()
        return None if event is None else event.best

    def instances(self) -> InstanceTable | None:
        """Return the table of the best trimming's instances, where it can be read."""
        best = self.best()
        return None if best is None else self.log.tables.get(best.features)

    def step(self, n_events: int = 1) -> None:
        """Show some more events; at the end, stop playing."""
        if self.log is None:
            return
        reached = self.n_shown + n_events
        if reached >= len(self.log.events):
            self.param.update(position=None, is_playing=False)
        else:
            self.position = reached

    def reset(self) -> None:
        """Go back to the first event."""
        self.param.update(position=1, is_playing=False)

    def play(self) -> None:
        """Let events follow by themselves, from the first one if all are shown."""
        if self.log is None:
            return
        at_end = self.position is None
        self.param.update(position=1 if at_end else self.position, is_playing=True)

    def pause(self) -> None:
        """Stop where it is."""
        self.is_playing = False
