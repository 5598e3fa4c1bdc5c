"""How many processes serve, and what is refused before any does."""

from explorer.commands import serve
from explorer.commands.cli import main
from tests.each import each
from tests.explorer.serving.conftest import free_port


@each(
    ("flags", "n"),
    [
        ([], 1),
        (["--num-procs=0"], 6),
        (["--num-procs=2"], 2),
        (["--allow-origin=school.org"], 4),
        (["--address=0.0.0.0"], 4),
        (["--address=0.0.0.0", "--num-procs=1"], 1),
        (["--address=0.0.0.0", "--end-when-empty"], 1),
    ],
)
def test_as_many_processes_as_cores_and_people_call_for(monkeypatch, flags, n):
    begun = []
    monkeypatch.setattr("joblib.cpu_count", lambda: 6)
    monkeypatch.setattr(serve, "_begin", lambda options: begun.append(options))
    assert main(["serve", f"--port={free_port()}", *flags]) == 0
    assert begun[0].num_procs == n


def test_fewer_processes_than_none_are_refused(capsys):
    assert main(["serve", "--num-procs=-1"]) == 2
    assert "--num-procs is -1; give how many" in capsys.readouterr().err


def test_several_processes_cannot_end_when_empty(capsys):
    flags = ["--num-procs=2", "--end-when-empty", f"--port={free_port()}"]
    assert main(["serve", *flags]) == 2
    assert "with --end-when-empty give 1" in capsys.readouterr().err
