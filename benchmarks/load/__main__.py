"""``python -m benchmarks.load``: many people, many open pages, pages opened and closed.

Starts `thriftscope serve` and drives it from this process: some ten minutes. For a
quick look: ``python -m benchmarks.load --seconds=10 --sessions=10 --soak=20``, or one
part, ``--only people``. The people's program takes its share of the processor too; a
quiet machine with two cores is meant.

People move their sliders on the data that the page opens with: what one has asked for,
nobody waits for again, so the first minute and the last one are told apart. And as if
everybody had brought data of their own: nothing is shared; by one process, and by two
behind nginx as docs/deployment.md puts them up. Beside each stand one person alone,
slider by slider, and as many people on a bare page of the same sliders.

With ``--workers=2`` only that last part is run, with so many workers of a Dask cluster
behind the server, of which one is killed when half of the time is over.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tornado.httpclient import AsyncHTTPClient

from ..machine import machine
from .bare import bare_program
from .cluster import Workers, workers
from .nginx import NGINX
from .person import Person
from .server import LINGER_SECONDS, SERVE, server, servers_behind_nginx
from .sliders import SLIDERS, move_sliders, spread

RESULT = Path(__file__).parents[1] / "results" / "load.json"
BATCH = 5  # pages that are opened at once in the soak
STEP = 50  # sessions between two looks at the memory
WARM_UP = 50  # sessions after which memory counts: caches and arenas are full then
WINDOW_SECONDS = 60
NOTHING = "lambda *_, **__: None"
# No data set is taken for one that others have as well.
ALONE = f"from explorer.compute import shared; shared.recipe_of = {NOTHING}; {SERVE}"
BEHIND_NGINX = "people with data of their own, behind nginx"
PEOPLE = {"people": SERVE, "people with data of their own": ALONE, BEHIND_NGINX: ALONE}
CLUSTER = "people with data of their own, and a cluster"
MOVED = "slider to first drawn change, ms"
PARTS = (*PEOPLE, "open sessions", "soak")


def main() -> None:
    """Measure, print and write the results."""
    options = _options()
    AsyncHTTPClient.configure(None, max_clients=200)
    results: dict[str, object] = {}
    if (options.only or options.workers) and options.out.exists():
        results = json.loads(options.out.read_text("utf-8"))
    for part in [CLUSTER] if options.workers else PARTS:
        if part == BEHIND_NGINX and NGINX is None:
            print("nginx is not here: `make nginx` fetches it")
        elif options.only in part:
            before = machine()
            results[part] = {"machine": before, **_measured(part, options)}
    text = json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False)
    options.out.write_text(text + "\n", encoding="utf-8")
    print(text)


def _measured(part: str, options: argparse.Namespace) -> dict[str, object]:
    if part in PEOPLE:
        with _visited(part, options.people + BATCH, PEOPLE[part]) as visitor:
            together = asyncio.run(_people(visitor, options))
        with _visited(part, BATCH, PEOPLE[part]) as visitor:
            alone = asyncio.run(_alone(visitor, options.seconds / len(SLIDERS)))
        bare_server = bare_program(*SLIDERS, for_many=True)
        with _visited(part, options.people + BATCH, bare_server) as visitor:
            bare = asyncio.run(_people(visitor, options))[MOVED]["first minute"]
        first = together[MOVED]["first minute"]
        return {
            **together,
            "one person alone, ms": alone,
            "as many on a bare page, ms": bare["all"],
            "p95 beside one person alone": _beside(first, alone, "p95"),
            "median beside the bare page": _beside(first, bare, "median"),
        }
    if part == CLUSTER:
        return _on_a_cluster(options)
    if part == "soak":
        with server(4 * BATCH) as (address, process):
            return asyncio.run(_soak(address, process, options.soak))
    with server(options.sessions + 1) as (address, process):
        return asyncio.run(_open(address, process, options))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=120, help="of moving sliders")
    parser.add_argument("--sessions", type=int, default=50, help="open at once")
    parser.add_argument("--soak", type=int, default=300, help="opened and closed")
    parser.add_argument("--workers", type=int, default=0, help="of a Dask cluster")
    parser.add_argument("--only", default="", help="parts whose name has this in it")
    parser.add_argument("--out", type=Path, default=RESULT)
    return parser.parse_args()


# ------------------------------------------------------------------------------ people


def _on_a_cluster(options: argparse.Namespace) -> dict[str, object]:
    with workers(options.workers) as cluster:
        asked = (options.people + BATCH, ALONE, f"--scheduler={cluster.address}")
        with server(*asked) as (address, _):
            visitor = partial(Person, address)
            measured = asyncio.run(_people(visitor, options, cluster))
        return {
            "workers": options.workers,
            "of them killed in the middle": 1,
            "questions that workers answered": cluster.n_answered(),
            **measured,
        }


@contextmanager
def _visited(part: str, places: int, program: str) -> Iterator[Callable[[], Person]]:
    """Start what is measured; give what has a person come."""
    if part == BEHIND_NGINX:
        with servers_behind_nginx(places, program) as (address, certificate):
            yield partial(Person, address, certificate)
    else:
        with server(places, program) as (address, _):
            yield partial(Person, address)


async def _alone(visitor: Callable[[], Person], seconds: float) -> dict[str, Any]:
    """Return what one person waits for on each slider, one after the other."""
    found = {}
    for number, slider in enumerate(SLIDERS):
        person = visitor()
        await person.open()
        await person.until_quiet(2.0)
        started = time.perf_counter()

        def is_over(started: float = started) -> bool:
            return time.perf_counter() >= started + seconds

        moves = await move_sliders(person, number, is_over)
        await person.close()
        found[slider] = spread([took for _, took in moves], 1000.0)
    return found


def _beside(
    moves: dict[str, Any], others: dict[str, Any], what: str
) -> dict[str, float]:
    return {
        slider: round(moves[slider][what] / others[slider][what], 2)
        for slider in SLIDERS
        if moves[slider].get(what) and others[slider].get(what)
    }


async def _people(
    visitor: Callable[[], Person],
    options: argparse.Namespace,
    cluster: Workers | None = None,
) -> dict[str, Any]:
    people = [visitor() for _ in range(options.people)]
    opening = [await person.open() for person in people]
    await asyncio.gather(*(person.until_quiet(2.0) for person in people))
    started = time.perf_counter()

    def is_over() -> bool:
        return time.perf_counter() >= started + options.seconds

    if cluster is not None:
        asyncio.get_running_loop().call_later(options.seconds / 2, cluster.kill_one)
    moved = await asyncio.gather(
        *(move_sliders(person, k, is_over) for k, person in enumerate(people))
    )
    await asyncio.gather(*(person.close() for person in people))
    everything = [
        (SLIDERS[k % 3], at - started, seconds)
        for k, own in enumerate(moved)
        for at, seconds in own
    ]
    late = options.seconds - WINDOW_SECONDS
    return {
        "people": options.people,
        "page open to document, s": spread(opening, 1.0),
        MOVED: {
            "first minute": _by_slider(m for m in everything if m[1] < WINDOW_SECONDS),
            "last minute": _by_slider(m for m in everything if m[1] >= late),
        },
        "without an answer in 10 s": sum(move[2] == np.inf for move in everything),
    }


def _by_slider(moves: Iterable[tuple[str, float, float]]) -> dict[str, object]:
    found = list(moves)
    return {"all": spread([seconds for _, _, seconds in found], 1000.0)} | {
        slider: spread([t for name, _, t in found if name == slider], 1000.0)
        for slider in SLIDERS
    }


# ------------------------------------------------------------------------------ memory


async def _open(
    address: str, process: subprocess.Popen, options: argparse.Namespace
) -> dict[str, object]:
    empty = _megabytes(process)
    people = [Person(address) for _ in range(options.sessions)]
    for person in people:
        await person.open()
    await asyncio.sleep(2)
    full = _megabytes(process)
    await asyncio.gather(*(person.close() for person in people))
    return {
        "sessions": options.sessions,
        "before, MB": empty,
        "all open, MB": full,
        "a session, MB": round((full - empty) / options.sessions, 2),
    }


async def _soak(
    address: str, process: subprocess.Popen, n_sessions: int
) -> dict[str, object]:
    memory = {0: _megabytes(process)}
    for opened in range(BATCH, n_sessions + 1, BATCH):
        people = [Person(address) for _ in range(BATCH)]
        for person in people:
            await person.open()
        await asyncio.gather(*(person.close() for person in people))
        if opened % STEP == 0 or opened == n_sessions:
            await asyncio.sleep(3 * LINGER_SECONDS)
            memory[opened] = _megabytes(process)
    late = {n: mb for n, mb in memory.items() if n >= min(WARM_UP, n_sessions // 2)}
    slope = np.polyfit(list(late), list(late.values()), 1)[0] if len(late) > 1 else None
    return {
        "sessions opened and closed": n_sessions,
        "memory after as many sessions, MB": memory,
        "slope after warming up, kB a session": slope and round(1000 * slope, 1),
    }


def _megabytes(process: subprocess.Popen) -> float:
    """Return what the server's process holds in memory."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return round(int(line.split()[1]) / 1024, 1)


if __name__ == "__main__":
    main()
