"""Time that passes when nothing is left to do, however busy the machine is."""

import asyncio
import selectors
import time

STEP_SECONDS = 1e-3  # what each look for something to do takes


class _Idle(selectors.DefaultSelector):
    """Instead of waiting for the next that is due, makes it due."""

    def __init__(self, clock):
        super().__init__()
        self._clock = clock

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("nothing is due: this would wait for ever")
        found = super().select(0)
        self._clock.now += STEP_SECONDS if found else max(STEP_SECONDS, timeout)
        return found


class VirtualTime:
    """A clock by which coroutines sleep, and by which the code that is run measures."""

    def __init__(self, monkeypatch):
        self.now = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def run(self, coroutine):
        """Run a coroutine to its end; return what it returns."""
        with asyncio.Runner(loop_factory=self._loop) as runner:
            return runner.run(coroutine)

    def _loop(self):
        loop = asyncio.SelectorEventLoop(_Idle(self))
        loop.time = lambda: self.now
        return loop
