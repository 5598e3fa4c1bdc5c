"""Commands that make bundled data anew take one folder, and say what was priced."""

from solvers import FeatureHypergraph
from solvers.datasets.makers.bundled import folder_command
from solvers.features.timing import Measurement


def test_a_folder_is_written_and_what_was_priced_is_said(tmp_path, capsys):
    priced = FeatureHypergraph([[1]], [2.0])
    written = []

    def write(folder):
        written.append(folder)
        return Measurement(priced, priced, [0.1], "a machine", 7, 3, notes=())

    assert folder_command(write, "here", [str(tmp_path)]) == 0
    assert written == [tmp_path]
    assert capsys.readouterr().out == f"{priced!r}, measured on 7 samples\n"


def test_without_one_folder_the_usage_is_said_and_nothing_is_written(capsys):
    for arguments in ([], ["one", "other"]):
        assert folder_command(None, "solvers.here", arguments) == 2
        assert capsys.readouterr().err == "usage: python -m solvers.here FOLDER\n"
