"""The bundle of scenes is made anew by a command."""

import numpy as np

from solvers.datasets.makers.scenes.__main__ import main, write_bundle


def test_the_command_writes_what_is_read(tmp_path):
    write_bundle(tmp_path / "new", n_samples=10, repeats=1)
    with np.load(tmp_path / "new" / "table.npz", allow_pickle=False) as table:
        assert table["X"].shape == (10, 60)
    assert (tmp_path / "new" / "costs.json").is_file()


def test_the_command_asks_for_a_folder(capsys):
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
