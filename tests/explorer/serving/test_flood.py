"""A flood of pages beside somebody at a slider: pictures go on coming.

How soon they come, `benchmarks.load.flood` measures.
"""

import asyncio
import math
from collections import Counter
from contextlib import suppress

from benchmarks.load.flood import flood, move_trade_off
from benchmarks.load.person import Person
from tests.explorer.serving.conftest import COLD, serving

PLACES = 30
CONNECTIONS = 40
PICTURES = 2


def test_pictures_come_beside_a_flood_and_most_of_it_is_told_at_once():
    async def played(address):
        answers, person = Counter(), Person(f"{address}/app")
        await person.open()
        flooding = asyncio.create_task(flood(person.address, CONNECTIONS, answers))

        def is_over(n_moves):
            return n_moves >= PICTURES and answers["503"] > CONNECTIONS

        # Each comes, or is infinitely late; what is flooded may take its time.
        moved = await move_trade_off(person, is_over)
        flooding.cancel()
        with suppress(asyncio.CancelledError):
            await flooding
        moved += await move_trade_off(person, lambda n: n == 1)
        # Who comes after it has a page: what was asked for by those gone is not built.
        newcomer = Person(person.address)
        await newcomer.open()
        await newcomer.close()
        await person.close()
        return moved, answers

    with serving(f"--max-sessions={PLACES}", program=COLD) as (address, _):
        moved, answers = asyncio.run(played(address))
    assert all(map(math.isfinite, moved))
    assert set(answers) <= {"200", "503"}
    assert answers["503"] > CONNECTIONS > PLACES > answers["200"]
