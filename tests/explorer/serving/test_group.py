"""Several processes that serve are one: none is left when their parent is killed."""

import socket
import time
from urllib.parse import urlsplit

from tests.explorer.serving.conftest import COLD, serving


def is_listened_on(address):
    parts = urlsplit(address)
    with socket.socket() as probe:
        return probe.connect_ex((parts.hostname, parts.port)) == 0


def test_a_killed_parent_takes_its_processes_along():
    with serving("--num-procs=2", program=COLD) as (address, process):
        process.kill()
        deadline = time.monotonic() + 60
        while is_listened_on(address):
            assert time.monotonic() < deadline, "a process serves still"
            time.sleep(0.2)
