"""The shipped configuration of nginx, in front of processes on this machine."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = ["NGINX", "certified", "free_port", "is_listened_on", "nginx"]

SHIPPED = Path(__file__).parents[2] / "docs" / "deployment" / "nginx.conf"
FOUND = [
    shutil.which("nginx"),
    "/usr/sbin/nginx",
    str(Path(sys.prefix) / "nginx" / "usr" / "sbin" / "nginx"),
]
#: Its program, which `make nginx` fetches; None where there is none.
NGINX = next((path for path in FOUND if path and Path(path).is_file()), None)
# What Debian says around it, and a log of who has answered.
AROUND = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    log_format answered '$request_method $uri $status $upstream_addr';
    access_log {folder}/access.log answered;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/thriftscope.conf;
}}
"""
START_SECONDS = 60


@contextmanager
def nginx(
    folder: Path, ports: tuple[int, int], behind: Sequence[int], changes: Mapping = {}
) -> Iterator[Path]:
    """Start what is shipped, as `localhost`; give the log of who has answered.

    `folder` holds a certificate (`certified`) and all that is written. `ports`: of
    TLS, and of what goes there. `behind`: of two processes. `changes`: of what is
    shipped, beside names, ports and paths.
    """
    assert NGINX is not None, "nginx is not here: `make nginx` fetches it"
    whole = _configured(folder, ports, behind, changes)
    process = subprocess.Popen(
        [NGINX, "-p", str(folder), "-c", str(whole)], stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not is_listened_on(ports[0]):
            ended = process.poll() is not None or time.monotonic() > deadline
            assert not ended, (folder / "error.log").read_text()
            time.sleep(0.05)
        yield folder / "access.log"
    finally:
        process.terminate()
        process.wait()


def certified(folder: Path) -> Path:
    """Make a certificate for `localhost`, by itself; return the path of it."""
    made = folder / "thriftscope.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"),
            *("-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(folder / "thriftscope.key"), "-out", str(made)),
        ],
        check=True,
        capture_output=True,
    )
    return made


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_listened_on(port: int) -> bool:
    """Return whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _configured(
    folder: Path, ports: tuple[int, int], behind: Sequence[int], changes: Mapping
) -> Path:
    text = SHIPPED.read_text("utf-8")
    here = {
        "/etc/ssl/": f"{folder}/",
        "thriftscope.example.org": "localhost",
        "listen 443": f"listen 127.0.0.1:{ports[0]}",
        "listen 80": f"listen 127.0.0.1:{ports[1]}",
        **{f"127.0.0.1:{5006 + k}": f"127.0.0.1:{p}" for k, p in enumerate(behind)},
        **changes,
    }
    for before, after in here.items():
        assert before in text
        text = text.replace(before, after)
    (folder / "thriftscope.conf").write_text(text, "utf-8")
    whole = folder / "nginx.conf"
    whole.write_text(AROUND.format(folder=folder), "utf-8")
    return whole
