"""``thriftscope serve``: the app for this machine, or for a class."""

from __future__ import annotations

import argparse
import gc
import os
import socket
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

from solvers.errors import DataError, reason_of

if TYPE_CHECKING:
    from ..serving.opening import Opening

MOST_SESSIONS = 100
LINGER_SECONDS = 60.0


def add_serve(commands: Any) -> None:
    """Add the command to the parser."""
    serve = commands.add_parser("serve", help="serve the app and open it in a browser")
    serve.add_argument("--port", type=int, default=5006)
    serve.add_argument("--address", default="127.0.0.1", help="where to listen")
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
    serve.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="Dask scheduler whose workers compute what is heavy, as "
        "tcp://10.0.0.1:8786; by default this process computes all",
    )
    serve.add_argument(
        "panel_flags", nargs="*", metavar="-- FLAGS", help="flags of panel serve"
    )
    serve.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> None:
    _check(options)
    # Everything a page needs comes from this server, whatever the environment says.
    os.environ["BOKEH_RESOURCES"] = "server"
    _use(options.scheduler)
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


def _use(scheduler: str | None) -> None:
    """Have what is heavy computed elsewhere, or refuse before anybody has come."""
    if scheduler is None:
        return
    from ..compute.cluster import use_cluster

    if not use_cluster(scheduler).n_workers:
        sys.stderr.write(
            f"The Dask scheduler at {scheduler!r} has no workers yet; start some with "
            f"'dask worker {scheduler}'.\n"
        )


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


def _check(options: argparse.Namespace) -> None:
    if options.max_sessions < 1:
        raise DataError(
            f"--max-sessions is {options.max_sessions}; one page at least must fit."
        )
    if not 1 <= options.linger <= 86_400:
        raise DataError(
            f"--linger is {options.linger:g} s; give from 1 s to a day (86400 s)."
        )
    _refuse_taken_port(options.address, options.port)


def _flags(options: argparse.Namespace) -> list[str]:
    names = {options.address, "localhost", "127.0.0.1"}
    # Bokeh takes no name with colons; a page of this very address may connect anyway.
    origins = [f"{name}:{options.port}" for name in sorted(names) if ":" not in name]
    return [
        f"--port={options.port}",
        f"--address={options.address}",
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
