"""``python -m benchmarks.load.flood``: more pages asked for than anybody could look at.

Connections ask for page after page, some hang up before they have one; beside them one
person moves λ. Told is what that person waits for before, during and after the flood.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from ..machine import machine
from .person import Person
from .server import server
from .sliders import spread

__all__ = ["flood", "move_trade_off"]

RESULT = Path(__file__).parents[1] / "results" / "load_flood.json"
BAR_MS = 300
PLACES = 30
PAGES_EACH = 3
PAGE = b"GET /app HTTP/1.1\r\nHost: localhost\r\n\r\n"
PAUSE_SECONDS = 0.3  # between a picture and the next move
MOVES_ALONE = 10


def main() -> None:
    """Measure, print and write the results."""
    options = _options()
    with server(PLACES) as (address, _):
        found = asyncio.run(_beside(address, options))
    results = {"machine": machine(), "bar for the median, ms": BAR_MS, **found}
    text = json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False)
    options.out.write_text(text + "\n", encoding="utf-8")
    print(text)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--out", type=Path, default=RESULT)
    return parser.parse_args()


async def _beside(address: str, options: argparse.Namespace) -> dict[str, Any]:
    person = Person(address)
    await person.open()
    await person.until_quiet(2.0)
    alone = await move_trade_off(person, lambda n: n >= MOVES_ALONE)
    answers: Counter[str] = Counter()
    asking = flood(address, options.connections, answers)
    flooding = asyncio.create_task(_for_a_while(asking, options.seconds))
    beside = await move_trade_off(person, lambda _: flooding.done())
    after = await move_trade_off(person, lambda n: n >= MOVES_ALONE)
    await person.close()
    return {
        "connections": options.connections,
        "seconds": options.seconds,
        "answers to the flood": dict(answers),
        "λ to first drawn change, ms": {
            "alone": spread(alone, 1000.0),
            "beside the flood": spread(beside, 1000.0),
            "after it": spread(after, 1000.0),
        },
    }


async def move_trade_off(person: Person, is_over: Callable[[int], bool]) -> list[float]:
    """Move λ, look at what is drawn, and move again; return the seconds of each.

    `is_over` is told how often it was moved.
    """
    random = np.random.default_rng(0)
    times: list[float] = []
    while not is_over(len(times)):
        share = random.uniform(0.2, 0.8)
        times.append(await person.move("Trade-off λ", share, timeout=120.0))
        await asyncio.sleep(PAUSE_SECONDS)
    return times


async def _for_a_while(asking: Awaitable[None], seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(asking, seconds)


async def flood(address: str, n_connections: int, answers: Counter[str]) -> None:
    """Ask for pages without end; count in `answers` how often there was which one."""
    await asyncio.gather(
        *(
            _ask(address, answers, hangs_up=number % 4 == 0)
            for number in range(n_connections)
        )
    )


async def _ask(address: str, answers: Counter[str], *, hangs_up: bool) -> None:
    parts = urlsplit(address)
    while True:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            writer.write(PAGES_EACH * PAGE)
            for _ in range(0 if hangs_up else PAGES_EACH):
                answers[await _answer(reader)] += 1
        except (OSError, EOFError):
            answers["hung up"] += 1
        finally:
            writer.close()
        await asyncio.sleep(PAUSE_SECONDS)


async def _answer(reader: asyncio.StreamReader) -> str:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    (length,) = (
        int(line.split(":")[1])
        for line in head.split("\r\n")
        if line.lower().startswith("content-length")
    )
    await reader.readexactly(length)
    return head.split()[1]


if __name__ == "__main__":
    main()
