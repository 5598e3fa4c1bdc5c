"""What cannot be opened is refused with a sentence."""

import pytest

from solvers.errors import InterchangeError
from solvers.interchange import read_hif


def test_files_that_cannot_be_read_are_refused_with_a_sentence(tmp_path):
    with pytest.raises(InterchangeError, match=r"There is no file .*gone\.json"):
        read_hif(tmp_path / "gone.json")
    with pytest.raises(InterchangeError, match="There is no file"):
        read_hif(tmp_path)
    with pytest.raises(InterchangeError, match="There is no file"):
        read_hif("nul\0byte")
    with pytest.raises(InterchangeError, match="a path or bytes, not 3 of type int"):
        read_hif(3)
