"""A flood of pages beside somebody at a slider: pictures go on coming."""

import asyncio
import statistics
import time

from benchmarks.load.flood import flood, move_trade_off
from benchmarks.load.person import Person
from tests.explorer.serving.conftest import serving

PLACES = 30
CONNECTIONS = 100
SECONDS = 12
# A busy machine builds a page in some seconds; before, pictures waited for minutes.
BUILD_SECONDS = 5
LONGEST_SECONDS = 40


def test_pictures_come_beside_a_flood_and_most_of_it_is_told_at_once():
    async def played(address):
        person = Person(f"{address}/app")
        await person.open()
        await move_trade_off(person, lambda n: n == 3)  # the first one computes a lot
        flooding = asyncio.create_task(flood(person.address, CONNECTIONS, SECONDS))
        moved = await move_trade_off(person, lambda _: flooding.done())
        begun = time.monotonic()
        (after,) = await move_trade_off(person, lambda n: n == 1)
        newcomer = Person(person.address)
        await newcomer.open()
        waited = time.monotonic() - begun
        await newcomer.close()
        await person.close()
        return moved, after, waited, await flooding

    with serving(f"--max-sessions={PLACES}") as (address, _):
        moved, after, waited, answers = asyncio.run(played(address))
    assert max([*moved, after]) < LONGEST_SECONDS
    # One that a page is built before is followed by others that wait for none.
    assert statistics.median(moved) < BUILD_SECONDS / 2
    assert set(answers) == {"200", "503"}
    assert answers["503"] > CONNECTIONS > PLACES > answers["200"]
    # Who comes after it has a page soon: what was asked for by those gone is not built.
    assert waited < LONGEST_SECONDS
