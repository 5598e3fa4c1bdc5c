"""Several processes that serve are one: none is left when their parent is killed."""

import socket
import time
from urllib.parse import urlsplit

from explorer.commands import serve
from explorer.commands.cli import main
from tests.explorer.serving.conftest import COLD, free_port, serving


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


def test_zero_processes_are_one_a_core(monkeypatch):
    groups = []
    monkeypatch.setattr(serve.os, "name", "posix")
    monkeypatch.setattr(serve.joblib, "cpu_count", lambda: 3)
    monkeypatch.setattr(serve, "_serve_in_group", lambda: groups.append(True))
    assert serve._n_processes(0) == 3
    assert main(["serve", "--num-procs=0", f"--port={free_port()}"]) == 0
    assert groups == [True]


def test_fewer_processes_than_none_are_refused(capsys):
    assert main(["serve", "--num-procs=-1"]) == 2
    assert "--num-procs is -1; give how many" in capsys.readouterr().err
