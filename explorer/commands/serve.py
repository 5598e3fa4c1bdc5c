"""``thriftscope serve``: the app for this machine, or for a class."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

from solvers.errors import DataError, reason_of

if TYPE_CHECKING:
    from ..serving.opening import Opening

MOST_SESSIONS = 100
LINGER_SECONDS = 60.0
OWN_ADDRESSES = ("127.0.0.1", "::1", "localhost")
# That are started unasked: each takes some 350 MB.
MOST_PROCESSES = 4


def add_serve(commands: Any) -> None:
    """Add the command to the parser."""
    serve = commands.add_parser("serve", help="serve the app and open it in a browser")
    serve.add_argument("--port", type=int, default=5006)
    serve.add_argument("--address", default="127.0.0.1", help="where to listen")
    serve.add_argument(
        "--num-procs",
        type=int,
        help="processes that serve; 0: one a core. By default one, and where others "
        f"may come in (--address, --allow-origin) one a core, at most {MOST_PROCESSES}",
    )
    serve.add_argument("--no-browser", action="store_true", help="open no browser")
    serve.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="host under which people reach the app, where it is not this one",
    )
    serve.add_argument(
        "--embed-in",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="site that may show the app in a frame, as https://school.org",
    )
    serve.add_argument(
        "--max-sessions",
        type=int,
        default=MOST_SESSIONS,
        help=f"pages open at once in a process, by default {MOST_SESSIONS}",
    )
    serve.add_argument(
        "--linger",
        type=float,
        default=LINGER_SECONDS,
        metavar="SECONDS",
        help="for how long a session outlives its page, by default "
        f"{LINGER_SECONDS:g} s",
    )
    serve.add_argument(
        "--end-when-empty", action="store_true", help="end with the last page"
    )
    serve.add_argument("--in-group-of", type=int, help=argparse.SUPPRESS)
    serve.add_argument(
        "panel_flags", nargs="*", metavar="-- FLAGS", help="flags of panel serve"
    )
    serve.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> None:
    _check(options)
    options.num_procs = _n_processes(options)
    if options.num_procs > 1 and options.end_when_empty:
        raise DataError(
            f"--num-procs is {options.num_procs}; with --end-when-empty give 1: "
            "several processes do not know when all are empty."
        )
    _begin(options)


def _begin(options: argparse.Namespace) -> None:
    if options.num_procs > 1:
        if options.in_group_of is None:
            _serve_in_group()
            return
        from solvers.frontier.sweep.orphans import end_with_parent

        end_with_parent(options.in_group_of)
    # Everything a page needs comes from this server, whatever the environment says.
    os.environ["BOKEH_RESOURCES"] = "server"
    opening = _open(options)
    # The collector would look through all that is imported, ever again.
    gc.disable()
    from ..serving.command import Limits, serve

    gc.freeze()
    gc.enable()
    limits = Limits(
        sessions=options.max_sessions,
        linger_seconds=options.linger,
        check_seconds=min(10.0, options.linger / 2),
        ancestors=options.embed_in,
        ends_when_empty=options.end_when_empty,
    )
    serve(_flags(options), limits, opening)
    # Taking a big interpreter apart takes seconds, and threads may still compute.
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)


def _open(options: argparse.Namespace) -> Opening | None:
    """Listen before all that serves is imported, and open the browser."""
    if options.panel_flags:  # TLS, a prefix, a password: what is there is not known yet
        return None
    from ..serving.opening import Opening

    opening = Opening(options.address, options.port, options.embed_in)
    if not options.no_browser:
        everywhere = options.address in ("", "0.0.0.0", "::")
        name = "localhost" if everywhere else options.address
        host = f"[{name}]" if ":" in name else name
        address = f"http://{host}:{options.port}/app"
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    return opening


def _n_processes(options: argparse.Namespace) -> int:
    """Return how many serve: as many as asked for, or as cores and people call for."""
    if options.num_procs:
        return int(options.num_procs)
    if os.name == "nt":
        return 1
    import joblib

    n_cores = int(joblib.cpu_count())
    if options.num_procs == 0:
        return n_cores
    is_for_others = options.allow_origin or options.address not in OWN_ADDRESSES
    if options.end_when_empty or not is_for_others:
        return 1
    return min(n_cores, MOST_PROCESSES)


def _check(options: argparse.Namespace) -> None:
    if options.num_procs is not None and options.num_procs < 0:
        raise DataError(
            f"--num-procs is {options.num_procs}; give how many processes serve, or 0 "
            "for one a core."
        )
    if options.max_sessions < 1:
        raise DataError(
            f"--max-sessions is {options.max_sessions}; one page at least must fit."
        )
    if not 1 <= options.linger <= 86_400:
        raise DataError(
            f"--linger is {options.linger:g} s; give from 1 s to a day (86400 s)."
        )
    if options.in_group_of is None:
        _refuse_taken_port(options.address, options.port)


def _flags(options: argparse.Namespace) -> list[str]:
    names = {options.address, "localhost", "127.0.0.1"}
    # Bokeh takes no name with colons; a page of this very address may connect anyway.
    origins = [f"{name}:{options.port}" for name in sorted(names) if ":" not in name]
    return [
        # Processes that part have what one has built; alone, the first page does it.
        *(["--warm"] if options.num_procs > 1 else []),
        f"--port={options.port}",
        f"--address={options.address}",
        f"--num-procs={options.num_procs}",
        *(f"--allow-websocket-origin={o}" for o in [*origins, *options.allow_origin]),
        *(["--show"] if options.panel_flags and not options.no_browser else []),
        *options.panel_flags,
    ]


def _refuse_taken_port(address: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise DataError(
                f"Port {port} of {address} cannot be listened on "
                f"({reason_of(error)}); choose another with --port."
            ) from error


def _serve_in_group() -> None:
    """Serve in several processes that end together: forked workers would stay."""
    command = [sys.executable, "-m", "explorer", *sys.argv[1:]]
    command.insert(command.index("serve") + 1, f"--in-group-of={os.getpid()}")
    server = subprocess.Popen(command, start_new_session=True)

    def stop(number: int, _: Any) -> None:
        os.killpg(server.pid, signal.SIGTERM)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    server.wait()
