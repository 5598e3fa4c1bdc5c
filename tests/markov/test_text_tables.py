"""Files that are packed, truncated, endless or no text are read or refused."""

import gzip
import io

import numpy as np
import pytest

from solvers.errors import InterchangeError
from solvers.markov import read_lab, simulate_lab, write_lab

PLACES = "1 21.5 23\n2 24.5 20\n"


@pytest.fixture(scope="module")
def lab():
    return simulate_lab(2, random_state=0)


def test_gzipped_files_are_unpacked(lab, tmp_path):
    data, places = write_lab(lab, tmp_path)
    packed = tmp_path / "data.txt.gz"
    packed.write_bytes(gzip.compress(data.read_bytes()))
    assert np.array_equal(read_lab(packed, places).values, lab.values)


def test_truncated_gzip_is_said(lab, tmp_path):
    data, places = write_lab(lab, tmp_path)
    packed = tmp_path / "data.txt.gz"
    packed.write_bytes(gzip.compress(data.read_bytes())[:2000])
    with pytest.raises(InterchangeError, match=r"data\.txt\.gz cannot be read as text"):
        read_lab(packed, places)


def test_a_file_that_unpacks_without_end_is_stopped(lab, tmp_path, monkeypatch):
    monkeypatch.setattr("solvers.markov.text_tables.MAX_CHARACTERS", 1000)
    data, places = write_lab(lab, tmp_path)
    with pytest.raises(InterchangeError, match="more than 1000 characters; cut it"):
        read_lab(data, places)


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path):
    with pytest.raises(InterchangeError, match=r"nowhere\.txt cannot be read as text"):
        read_lab(tmp_path / "nowhere.txt", io.StringIO(PLACES))
    noise = tmp_path / "noise.txt"
    noise.write_bytes(bytes(range(128, 256)))
    with pytest.raises(InterchangeError, match=r"noise\.txt cannot be read as text"):
        read_lab(noise, io.StringIO(PLACES))
