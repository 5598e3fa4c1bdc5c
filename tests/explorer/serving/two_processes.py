"""Two processes that share a port, and who does to them what a test asks for.

Run as a program of its own: a process that other tests have given threads must not be
parted, for a child may wait forever for what one of them holds. It is told how long the
processes are patient, says where they listen and which they are, and then reads orders:
``kill 1``, ``restart 1``, ``silence 1``. When its input ends, so do they.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from explorer.serving import process_group
from explorer.serving.process_group import ProcessGroup

SECRET = b"a secret of thirty-two characters"
APP = SimpleNamespace(
    prefix="/sub", app_paths={"/app"}, secret_key=SECRET, sign_sessions=True
)
ROOT = Path(__file__).parents[3]


class Processes:
    """What a test asks of them."""

    def __init__(self, patience):
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self._program = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.explorer.serving.two_processes",
                str(patience),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.address, self.children = self._answer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._program.communicate()

    def order(self, what, own):
        self._program.stdin.write(f"{what} {own}\n")
        self._program.stdin.flush()
        self.children = self._answer()

    def _answer(self):
        return json.loads(self._program.stdout.readline())


class Told(RequestHandler):
    def get(self):
        self.write(f"{self.settings['own']} {self.request.remote_ip}")


class _Parted:
    def __init__(self):
        self._group = ProcessGroup(2)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.setblocking(False)
        self.address = "http://{}:{}".format(*self._listening.getsockname())
        self.children = [self._begun(own) for own in (0, 1)]
        while not all(self._group._beats):
            time.sleep(0.02)

    def _begun(self, own):
        child = os.fork()
        if child == 0:
            os.close(sys.stdout.fileno())  # whoever reads it waits for all who have it
            try:
                asyncio.run(self._serve_as(own))
            finally:
                os._exit(1)
        return child

    async def _serve_as(self, own):
        process_group.task_id = lambda: own  # in this process alone
        server = HTTPServer(Application([(".*", Told)], own=own))
        self._group.join(server, APP)
        server.add_sockets([self._listening])
        await asyncio.Event().wait()

    def kill(self, own):
        os.kill(self.children[own], signal.SIGKILL)
        os.waitpid(self.children[own], 0)

    def restart(self, own):
        self.children[own] = self._begun(own)

    def silence(self, own):
        self._group._beats[own] -= 1000.0


def _main(patience):
    process_group.PATIENCE_SECONDS = patience
    process_group.SILENT_SECONDS = 120.0
    parted = _Parted()
    _say([parted.address, parted.children])
    for order in sys.stdin:
        what, own = order.split()
        getattr(parted, what)(int(own))
        _say(parted.children)
    for own in (0, 1):
        parted.kill(own)


def _say(what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _main(float(sys.argv[1]))
