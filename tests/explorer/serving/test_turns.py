"""Pages are built in turn, after who is at work; places are counted, a crowd told."""

import asyncio
from contextlib import suppress
from types import SimpleNamespace

import pytest
from tornado.web import HTTPError

from explorer.serving.turns import (
    AT_WORK_SECONDS,
    BUSY,
    FULL,
    LEFT,
    LOOK_SECONDS,
    PATIENCE_SECONDS,
    QUIET_SECONDS,
    REST_SHARE,
    PageTurns,
    SessionLimit,
    TryLaterError,
    TryLaterReason,
)
from tests.explorer.serving.virtual_time import VirtualTime


@pytest.mark.parametrize("reason", [BUSY, FULL, LEFT])
def test_the_page_says_why_and_asks_again(reason):
    error = TryLaterError(reason)
    assert error.status_code == 503
    page = error.page()
    assert f"<h1>{reason.title}</h1>" in page
    assert reason.sentence in page
    assert f'http-equiv="refresh" content="{reason.seconds}"' in page


def test_a_reason_is_text():
    page = TryLaterError(TryLaterReason("<b>", "a & b", 1)).page()
    assert "<h1>&lt;b&gt;</h1>" in page
    assert "a &amp; b" in page


PAGE, SOCKET = SimpleNamespace(path="/app"), SimpleNamespace(path="/app/ws")


def session(name):
    return SimpleNamespace(id=name)


def filled(most, on_empty=None):
    """Return a limit all of whose places are taken."""
    limit = SessionLimit(most, on_empty)
    for number in range(most):
        asyncio.run(limit.on_session_created(session(str(number))))
    return limit


def test_a_page_more_than_there_are_places_is_refused_and_a_socket_is_asked_later():
    limit = filled(2)
    with pytest.raises(HTTPError, match="503"):
        limit.process_request(PAGE)
    limit.process_request(SOCKET)
    assert not limit.admits("2")


def test_who_has_a_place_comes_back_to_it():
    assert filled(2).admits("1")


def test_a_place_is_free_once_however_often_its_session_is_said_to_have_ended():
    limit = filled(2)
    for _ in range(2):
        asyncio.run(limit.on_session_destroyed(session("0")))
    limit.process_request(PAGE)
    asyncio.run(limit.on_session_created(session("2")))
    assert not limit.admits("3")


def test_the_last_who_leaves_is_noticed_and_no_other():
    ended = []
    limit = filled(2, lambda: ended.append(True))
    asyncio.run(limit.on_session_destroyed(session("0")))
    assert not ended
    asyncio.run(limit.on_session_destroyed(session("1")))
    assert ended == [True]


BUILD = 0.05


def stays():
    return False


class Builder:
    """Builds pages that take the thread for a while, and notes for whom and when."""

    def __init__(self, turns, clock):
        self.turns, self.built, self.told = turns, [], []
        self.clock = clock

    async def ask(self, name, address="here", is_gone=stays):
        try:
            async with self.turns.turn(address, is_gone):
                self.built.append((name, self.clock.now))
                self.clock.now += BUILD
        except TryLaterError as refusal:
            self.told.append((name, refusal.why))

    def names(self):
        return [name for name, _ in self.built]


@pytest.fixture
def virtual(monkeypatch):
    return VirtualTime(monkeypatch)


def waited_for(turns, clock):
    """Who builds pages, while another page is just being told something."""
    turns.hear(of_work=False)
    return Builder(turns, clock)


def test_pages_are_built_in_turn_and_others_are_served_between_them(virtual):
    async def opened():
        builder, between = Builder(PageTurns(), virtual), []

        async def serve():
            while len(builder.built) < 3:
                between.append(len(builder.built))
                await asyncio.sleep(0)

        await asyncio.gather(serve(), *map(builder.ask, "abc"))
        return builder.names(), set(between)

    assert virtual.run(opened()) == (["a", "b", "c"], {0, 1, 2})


def test_a_crowd_is_told_at_once_and_the_first_of_it_get_in(virtual):
    async def opened():
        builder = waited_for(PageTurns(3), virtual)
        await asyncio.gather(*map(builder.ask, "abcde"))
        return builder.names(), builder.told

    assert virtual.run(opened()) == (["a", "b", "c"], [("d", BUSY), ("e", BUSY)])


def test_who_asks_from_elsewhere_gets_a_place_of_who_asks_most(virtual):
    async def opened():
        builder = waited_for(PageTurns(4), virtual)
        crowd = [builder.ask(name, "there") for name in "abcd"]
        await asyncio.gather(*crowd, builder.ask("x"), builder.ask("y"))
        return builder.names(), builder.told

    built, told = virtual.run(opened())
    # When the third asks from elsewhere, nobody has two places more than they.
    assert built == ["a", "b", "c", "x"]
    assert told == [("y", BUSY), ("d", BUSY)]


def test_nothing_is_built_for_who_has_gone_while_waiting(virtual):
    async def opened():
        builder = Builder(PageTurns(), virtual)
        gone = builder.ask("b", is_gone=lambda: "a" in builder.names())
        await asyncio.gather(builder.ask("a"), gone, builder.ask("c"))
        return builder.names(), builder.told

    assert virtual.run(opened()) == (["a", "c"], [("b", LEFT)])


def test_who_has_gone_takes_no_place(virtual):
    async def opened():
        builder, left = waited_for(PageTurns(2), virtual), asyncio.Event()
        waiting = [builder.ask("a"), builder.ask("b", is_gone=left.is_set)]
        crowd = asyncio.gather(*waiting)
        await asyncio.sleep(0)  # both have a place by now
        left.set()
        await asyncio.gather(crowd, builder.ask("c"))
        return builder.names(), builder.told

    assert virtual.run(opened()) == (["a", "c"], [("b", BUSY)])


def test_who_is_cancelled_keeps_nobody_waiting(virtual):
    async def opened():
        builder = waited_for(PageTurns(), virtual)
        first = asyncio.create_task(builder.ask("a"))
        await asyncio.sleep(0)
        first.cancel()
        with suppress(asyncio.CancelledError):
            await first
        await asyncio.wait_for(builder.ask("b"), 10)
        return builder.names()

    assert virtual.run(opened()) == ["b"]


def test_a_page_waits_until_it_is_quiet(virtual):
    async def opened():
        builder = Builder(PageTurns(), virtual)
        heard = virtual.now
        builder.turns.hear(of_work=False)
        await builder.ask("a")
        return builder.built[0][1] - heard

    waited = virtual.run(opened())
    assert QUIET_SECONDS <= waited <= QUIET_SECONDS + 2 * LOOK_SECONDS


def test_a_page_is_built_though_it_is_never_quiet(virtual):
    async def opened():
        builder = Builder(PageTurns(), virtual)

        async def chatter():
            while not builder.built:
                builder.turns.hear(of_work=False)
                await asyncio.sleep(QUIET_SECONDS / 10)

        asked = virtual.now
        await asyncio.wait_for(asyncio.gather(chatter(), builder.ask("a")), 30)
        return builder.built[0][1] - asked

    waited = virtual.run(opened())
    assert PATIENCE_SECONDS <= waited <= PATIENCE_SECONDS + 3 * LOOK_SECONDS


@pytest.mark.parametrize("of_work", [True, False])
def test_pages_leave_most_of_the_time_to_who_is_at_work(virtual, of_work):
    async def opened():
        builder = Builder(PageTurns(), virtual)
        builder.turns.hear(of_work=of_work)
        await asyncio.gather(*map(builder.ask, "ab"))
        (_, first), (_, second) = builder.built
        return second - first - BUILD

    rested = virtual.run(opened())
    assert AT_WORK_SECONDS > QUIET_SECONDS + BUILD
    assert (rested >= REST_SHARE * BUILD) == of_work
