"""The one way a page asks: a question is declared once, and answered as it changes.

    PATH = Query(
        "path",
        asks=lambda state: state.bench and state.bench.question,
        work=lambda state: path_answers(state.bench),
        joins=appended,
        keeps=8,
    )

An `Asker` asks it for a page: it watches what the question is made of, shows
at once what is known, and has the rest computed. The old answer stays until the first
item of the new one. The newest question wins: at most one is computed, and at most one
waits for that to let go. Parts that both ask for go on where they were. A page that is
not in front asks nothing, and catches up.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import param
from cachetools import LRUCache

from solvers import ThriftscopeError

from .cluster import begin_ahead, give_up
from .jobs import Job, Post, Refused, guarded, immediately
from .later import call_later
from .waiting import STEP, WAITING
from .workers import LOOK_SECONDS

# A step that takes longer than this is not waited for: the next question begins beside.
PATIENCE_SECONDS = 0.3
# So many parts of a question are with a cluster at once: others ask it as well.
AHEAD = 4
# Nothing is done before it is.
MOST_SHARE = 0.99

State = Any
Part = Any
Answer = Any


def newest(_: Answer | None, item: Any) -> Any:
    """Take the last item for the answer."""
    return item


def appended(before: Answer | None, item: Any) -> tuple[Any, ...]:
    """Take all items for the answer, in order."""
    return (*(before or ()), item)


@dataclass(frozen=True, eq=False)
class Query:
    """A question of a page, and how it is answered.

    A question may have parts, which are known one by one, and computed in order: then
    `asks` returns the question of each part by its name, `work` and `coarse` take the
    name as well, and the state holds answers by name.

    A stream yields items, and floats that say how far it is.
    """

    name: str  # The parameter of the state that holds the answer
    # What is asked, hashable; None or nothing while nothing can be
    asks: Callable[[State], Any]
    # The stream of the answer; it reads the state at once, and computes when pulled
    work: Callable[..., Iterator[Any]]
    follows: Collection[str] = ()  # Parameters of the state that the question is of
    # The answer with one item more, from the answer so far; and at the end of them
    joins: Callable[[Answer | None, Any], Answer] = newest
    ends: Callable[[Answer | None], Answer] = lambda answer: answer
    # Puts answers by part into the state, unless they are just set
    shows: Callable[[State, Mapping[Part, Answer]], None] | None = None
    # How far an answer is; by default its items out of as many as there were last time
    share: Callable[[Answer], float] | None = None
    expects: int = 60
    has_parts: bool = False
    # How many whole answers are kept; or where, for more than one session
    keeps: int = 1
    kept: Callable[[State], Any] | None = None
    # A stream of a first answer, None where there is none, and what is shown of both
    coarse: Callable[..., Iterator[Any] | None] | None = None
    refines: Callable[[Answer, Answer | None], Answer] = lambda _, whole: whole
    # Of an answer that was cut short, and of the same that comes anew: what is shown
    resumes: Callable[[Answer, Answer | None], Answer] | None = None
    # What goes before a part's refusal
    title: Callable[[Part], str] = lambda _: ""
    # Of `follows`, what a hand moves: the question before may still show its first
    # item, or a hand that never rests would see nothing
    trails: Collection[str] = ()
    # How many parts are computed abreast, an item of each in turn: of several that
    # take longer or shorter the short ones are there soon
    n_abreast: int = 1
    is_long: bool = False  # As of `Job.submit`
    seconds: float = float("inf")
    _kept: Any = field(default_factory=WeakKeyDictionary, init=False)

    def known(self, state: State) -> Any:
        """Return the whole answers that are kept, by question."""
        if self.kept is not None:
            return self.kept(state)
        return self._kept.setdefault(state, LRUCache(self.keeps))

    def wanted(self, state: State) -> dict[Part, Hashable]:
        """Return what is asked, by part."""
        asked = self.asks(state)
        if self.has_parts:
            return dict(asked or {})
        return {} if asked is None else {None: asked}

    def missing(self, state: State) -> dict[Part, Hashable]:
        """Return what has to be computed, after showing what is known."""
        wanted, known = self.wanted(state), self.known(state)
        found = {part: known.get(question) for part, question in wanted.items()}
        # The last may be the first to be dropped: each counts as asked for now.
        self.show(state, {part: one for part, one in found.items() if one is not None})
        return {part: wanted[part] for part, one in found.items() if one is None}

    def show(self, state: State, answers: Mapping[Part, Answer]) -> None:
        """Show answers; of other parts, what is shown and still asked for stays."""
        if self.shows is not None:
            if answers:
                self.shows(state, answers)
        elif not self.has_parts:
            for answer in answers.values():
                if getattr(state, self.name) is not answer:
                    state.param.update(**{self.name: answer})
        else:
            before = getattr(state, self.name)
            all_ = {**before, **answers}
            shown = {part: all_[part] for part in self.wanted(state) if part in all_}
            is_same = len(shown) == len(before) and all(
                before.get(part) is answer for part, answer in shown.items()
            )
            if not is_same or list(before) != list(shown):
                state.param.update(**{self.name: shown})

    def streams(
        self, state: State, parts: Collection[Part]
    ) -> list[tuple[Part, bool, Iterator[Any]]]:
        """Return each part, whether its answer is a first one, and the stream of it.

        First answers come before all others.
        """
        found = []
        for is_coarse, stream in ((True, self.coarse), (False, self.work)):
            if stream is None:
                continue
            for part in parts:
                items = stream(state, part) if self.has_parts else stream(state)
                if items is not None:
                    found.append((part, is_coarse, items))
        return found

    def answer(
        self, state: State, goes_on: Callable[[], bool] = lambda: True
    ) -> Answer:
        """Answer what is asked of a state here and now: in scripts and notebooks.

        `goes_on`: where it says no, what is not whole is given up.
        """
        run = Answering(self.missing(state))
        for part, is_coarse, items in self.streams(state, [*run.questions]):
            found: list[tuple[Part, Any]] = []
            if is_coarse:
                continue
            for item in items:
                if not goes_on():
                    return getattr(state, self.name)
                if item is WAITING:
                    time.sleep(LOOK_SECONDS)
                else:
                    found.append((part, item))
            self.take(state, run, [*found, (part, END)])
        return getattr(state, self.name)

    def take(self, state: State, run: Answering, items: list[tuple[Part, Any]]) -> None:
        """Take what has come of a run; keep what is whole, and show it."""
        changed: dict[Part, Answer] = {}
        for part, item in items:
            if isinstance(item, Refused):
                continue
            if isinstance(item, float):
                run.shares[part] = item
                continue
            if isinstance(item, Coarse):
                run.firsts[part] = len(item.items)
                for one in item.items:
                    run.coarse[part] = self.joins(run.coarse.get(part), one)
            elif item is END:
                run.shares.pop(part, None)
                whole = self.ends(run.answers.get(part))
                if whole is None:
                    continue
                run.answers[part] = self.known(state)[run.questions[part]] = whole
                run.coarse.pop(part, None)
                run.cut.pop(part, None)
            else:
                run.answers[part] = self.joins(run.answers.get(part), item)
                run.counts[part] = run.counts.get(part, 0) + 1
                if self.share is not None:
                    run.shares[part] = self.share(run.answers[part])
            changed[part] = self._seen(run, part)
        self.show(state, changed)

    def _seen(self, run: Answering, part: Part) -> Answer | None:
        """Return what is shown of a part, as far as it has come."""
        answer = run.answers.get(part)
        if part in run.coarse:
            answer = self.refines(run.coarse[part], answer)
        if part in run.cut and self.resumes is not None:
            answer = self.resumes(run.cut[part], answer)
        return answer


@dataclass(frozen=True)
class Coarse:
    """The items of a first answer, which is seen as a whole."""

    items: tuple[Any, ...]


END = object()


@dataclass(eq=False)
class _Stream:
    """What comes of one part."""

    part: Part
    is_coarse: bool  # Whether it is a first answer
    source: Iterator[Any]
    question: Hashable
    came: list[Any] = field(default_factory=list)  # So far

    def __post_init__(self) -> None:
        self.items = guarded(self.source)
        self._again: Iterator[Any] = iter(())

    def pull(self) -> Any:
        """Return the next item, or `END`."""
        if (item := next(self._again, END)) is not END:
            return item
        item = next(self.items, END)
        if item is not END and item is not WAITING:
            self.came.append(item)
        return item

    def rewind(self) -> None:
        """Let another question have what has come as well; a first answer is whole."""
        self._again = iter([] if self.is_coarse else [*self.came])

    def close(self) -> None:
        """Compute no more of it."""
        self.items.close()
        give_up([self.source])


@dataclass(eq=False)
class Answering:
    """What is computed together, and what has come of it."""

    questions: dict[Part, Hashable]
    answers: dict[Part, Answer] = field(default_factory=dict)
    coarse: dict[Part, Answer] = field(default_factory=dict)
    shares: dict[Part, float] = field(default_factory=dict)
    counts: dict[Part, int] = field(default_factory=dict)
    firsts: dict[Part, int] = field(default_factory=dict)  # Items of first answers
    # What had come when the same was asked before and a person stopped it
    cut: dict[Part, Answer] = field(default_factory=dict)
    stopped: set[Part] = field(default_factory=set)
    n_abreast: int = 1  # As of the query
    is_submitted: bool = False
    is_shown: bool = False  # Whether an item has come


class Asker(Job):
    """A query of one session's page: asked when it changes, stopped when it is moot."""

    shares = param.Dict(default={}, doc="Share that is done, of each part under way.")

    def __init__(
        self,
        query: Query,
        state: State,
        post: Post = immediately,
        is_in_front: Callable[[], bool] = lambda: True,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Follow the state.

        `is_in_front`: whether the page is seen: where it is not, nothing is asked.
        `then`: called whenever all that is asked for is there.
        """
        super().__init__(post)
        self.query, self.state = query, state
        self._is_in_front, self._then = is_in_front, then
        self._run: Answering | None = None  # The newest
        self._flying: Answering | None = None  # What a thread is at, stale or not
        self._gate = threading.Lock()
        # Of the question before, what the newest asks as well
        self._carried: dict[tuple[Part, bool], _Stream] = {}
        self._expected: dict[Part, int] = {}
        self._stopped: dict[Part, Hashable] = {}  # What a person has stopped last
        self._cut: dict[Part, tuple[Hashable, Answer]] = {}  # And what had come of it
        self._is_behind = True
        if query.follows:
            state.param.watch(self._moved, list(query.follows))

    # ------------------------------------------------------------------------- asking

    def _moved(self, *events: param.parameterized.Event) -> None:
        self.ask(may_trail={event.name for event in events} <= {*self.query.trails})

    def ask(self, *, may_trail: bool = False) -> None:
        """Show what is known of what is asked now, and have the rest computed.

        `may_trail`: whether what is computed may still show its first item.
        """
        if not self._is_in_front():
            self._is_behind = True
            self.cancel()
            return
        self._is_behind = self.is_cut = False
        missing = self.query.missing(self.state)
        if not missing:
            self.cancel()
            self.message = ""
            self._then()
        elif self._run is None or missing != self._left(self._run):
            # What a hand has moved is of the first parts: the others would slow it
            # down, and begin anew with its next move.
            n_abreast = 1 if may_trail else self.query.n_abreast
            self._supersede(Answering(missing, n_abreast=n_abreast), may_trail)

    def catch_up(self) -> None:
        """Ask what was asked for while the page was not in front, and only that."""
        if self._is_behind:
            self.come_back()

    def come_back(self) -> None:
        """Ask, as the page comes to the front; what a person has stopped stays so."""
        if not (self.is_cut and self.query.wanted(self.state) == self._stopped):
            self.ask()

    def interrupt(self) -> None:
        """Stop, as a person asks, until they ask again or something else is asked."""
        self._stopped = self.query.wanted(self.state)
        self._keep(*self.shares)
        super().interrupt()

    def cancel(self) -> None:
        """Stop; what has come stays."""
        with self._gate:
            self._run, carried, self._carried = None, self._carried, {}
        for one in carried.values():
            one.close()
        super().cancel()
        self.shares = {}

    def stop(self, part: Part) -> None:
        """Stop one part; the others go on."""
        if self._run is not None:
            self._keep(part)
            self._run.stopped.add(part)
            self.shares = {k: v for k, v in self.shares.items() if k != part}

    def _keep(self, *parts: Part) -> None:
        """Remember what has come of parts that end here, should they be asked again."""
        run = self._run
        if run is None or self.query.resumes is None:
            return
        shown = getattr(self.state, self.query.name)
        for part in parts:
            # What is shown may still be of the question before.
            if part in {*run.answers, *run.coarse, *run.cut} and part in shown:
                self._cut[part] = run.questions[part], shown[part]

    def _left(self, run: Answering) -> dict[Part, Hashable]:
        """Return what a run still computes."""
        return {part: run.questions[part] for part in self.shares}

    # ---------------------------------------------------------------------- computing

    def _supersede(self, run: Answering, may_trail: bool) -> None:
        cut, self._cut = self._cut, {}
        run.cut |= {
            part: answer
            for part, (question, answer) in cut.items()
            if run.questions.get(part, END) == question
        }
        with self._gate:
            flying, self._run = self._flying, run
        if not (may_trail and flying is not None and not flying.is_shown):
            self.abandon()
        shares = dict.fromkeys(run.questions, 0.0)
        self.param.update(busy=True, progress=0.0, message="", shares=shares)
        if flying is not None:
            call_later(PATIENCE_SECONDS, lambda: self._post(lambda: self._go(flying)))
        self._go()

    def _go(self, given_up: Answering | None = None) -> None:
        """Begin the newest, unless another still holds a thread."""
        with self._gate:
            if given_up is not None and self._flying is given_up:
                self._flying = None
            run = self._run
            if run is None or run.is_submitted or self._flying is not None:
                return
            run.is_submitted = True
            carried, self._carried = self._carried, {}
        streams = self._begun(run, carried)
        for one in carried.values():
            if not any(one is taken for taken in streams):
                one.close()
        self.submit(
            lambda: self._flight(run, streams),
            lambda items: self._arrived(run, items),
            lambda: self._ended(run),
            is_long=self.query.is_long,
            seconds=self.query.seconds,
        )

    def _begun(
        self, run: Answering, carried: dict[tuple[Part, bool], _Stream]
    ) -> list[_Stream]:
        """Return what a run computes; of what is carried, that which has begun it."""
        streams = []
        for part, is_coarse, items in self.query.streams(self.state, [*run.questions]):
            question, before = run.questions[part], carried.get((part, is_coarse))
            if before is not None and before.question == question:
                before.rewind()
                streams.append(before)
            else:
                streams.append(_Stream(part, is_coarse, items, question))
        return streams

    def _flight(self, run: Answering, streams: list[_Stream]) -> Iterator[Any]:
        """Yield what comes of all parts, in order, on a worker's thread."""
        with self._gate:
            if run is not self._run:
                return  # superseded before it began
            self._flying = run
        coarse = [one for one in streams if one.is_coarse]
        whole = [one for one in streams if not one.is_coarse]
        refused: list[str] = []
        try:
            yield from self._in_turn(run, coarse, 1, refused)
            yield from self._in_turn(run, whole, run.n_abreast, refused)
            if refused:
                raise ThriftscopeError(" ".join(refused))
        finally:
            for one in self._let_go(run, streams):
                one.close()
            self._post(self._go)

    def _let_go(self, run: Answering, streams: list[_Stream]) -> list[_Stream]:
        """Give a thread back; return the streams that the newest does not wait for.

        It waits for none of a run that was given up: it has begun beside.
        """
        with self._gate:
            is_held = self._flying is run
            if is_held:
                self._flying = None
            waits = self._run if is_held else None
            asked = {} if waits is None or waits.is_submitted else waits.questions
            left = []
            for one in streams:
                if asked.get(one.part, END) == one.question:
                    self._carried[one.part, one.is_coarse] = one
                else:
                    left.append(one)
        return left

    def _in_turn(
        self, run: Answering, streams: list[_Stream], most: int, refused: list[str]
    ) -> Iterator[Any]:
        """Yield an item of each stream in turn, so many streams at a time.

        `refused`: takes what a person is told of those that fail.
        """
        waiting, under_way = deque(streams), deque[_Stream]()
        n_silent = 0  # So many in a row had nothing new
        while waiting or under_way:
            while waiting and len(under_way) < most:
                following = list(waiting)[: AHEAD - len(under_way)]
                begin_ahead(s.source for s in following if s.part not in run.stopped)
                under_way.append(waiting.popleft())
            one = under_way.popleft()
            item = END if one.part in run.stopped else one.pull()
            if one.part in run.stopped:
                continue
            if item is END:
                yield one.part, _as_first(one.came) if one.is_coarse else END
                continue
            under_way.append(one)
            n_silent = n_silent + 1 if item is WAITING else 0
            if item is WAITING:
                if n_silent >= len(under_way):
                    n_silent = 0
                    yield WAITING
            elif one.is_coarse:
                yield STEP
            elif isinstance(item, Refused):
                refused.append(self.query.title(one.part) + item.sentence)
                run.stopped.add(one.part)
                yield one.part, Refused(" ".join(refused))
            else:
                yield one.part, item

    def _arrived(self, run: Answering, items: list[tuple[Part, Any]]) -> None:
        """Show what has come, and how far it is."""
        run.is_shown |= any(not isinstance(item, float) for _, item in items)
        if run is not self._run:
            if run.is_shown:  # it trails: this is all that is seen of it
                self.query.take(self.state, run, items)
                self.abandon()
            return
        for part, item in items:
            if isinstance(item, Refused):
                self.message = item.sentence
            elif item is END:
                self._expected[part] = run.counts.get(part, 0)
        self.query.take(self.state, run, items)
        over = {part for part, item in items if item is END} | run.stopped
        self.shares = {
            part: min(MOST_SHARE, self._share(run, part))
            for part in self.shares
            if part not in over
        }
        n_parts = len(run.questions)
        done = n_parts - sum(1.0 - share for share in self.shares.values())
        self.progress = min(MOST_SHARE, max(0.0, done / n_parts))

    def _share(self, run: Answering, part: Part) -> float:
        first = run.firsts.get(part, 0)
        expected = self._expected.get(part, self.query.expects) + first
        share = (run.counts.get(part, 0) + first) / max(1, expected)
        return max(run.shares.get(part, 0.0), share)

    def _ended(self, run: Answering) -> None:
        if run is self._run:
            self._run, self.shares = None, {}
            self._then()


def _as_first(items: list[Any]) -> Coarse:
    """Return a first answer; what is refused is refused by the whole as well."""
    others = (float, Refused, type(WAITING))
    return Coarse(tuple(item for item in items if not isinstance(item, others)))
