"""What of a server's flags is refused before anything is served, and what help says."""

import pytest

from benchmarks.load.nginx import free_port
from explorer.commands.cli import main
from tests.each import each


@each(
    ("flags", "sentence"),
    [
        (["--max-sessions=0"], "one page at least must fit"),
        (["--linger=0"], "give from 1 s to a day"),
        (["--embed-in=*"], "is no origin that may embed"),
        (["--", "--num-procs=2"], "start several on ports of their own"),
    ],
)
def test_bad_flags_are_refused_with_a_sentence(capsys, flags, sentence):
    assert main(["serve", f"--port={free_port()}", "--no-browser", *flags]) == 2
    assert sentence in capsys.readouterr().err


def test_the_help_names_the_limits(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert all(flag in said for flag in ("--max-sessions", "--linger", "--embed-in"))
