"""What cannot be opened is refused with a sentence."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from solvers.costs.interchange import read_hif, write_text, write_whole
from solvers.errors import InterchangeError
from tests.each import each
from tests.fuzz.bounded import full_disk


def test_files_that_cannot_be_read_are_refused_with_a_sentence(tmp_path):
    with pytest.raises(InterchangeError, match=r"There is no file .*gone\.json"):
        read_hif(tmp_path / "gone.json")
    with pytest.raises(InterchangeError, match="There is no file"):
        read_hif(tmp_path)
    with pytest.raises(InterchangeError, match="There is no file"):
        read_hif("nul\0byte")
    with pytest.raises(InterchangeError, match="a path or bytes, not 3 of type int"):
        read_hif(3)


def test_what_does_not_fit_on_the_disk_leaves_what_was_there(tmp_path):
    path = tmp_path / "policy.py"
    write_whole(b"the old one", path)
    with full_disk(1000), pytest.raises(InterchangeError) as refused:
        write_whole(bytes(2000), path)
    assert "policy.py' cannot be written (File too large); check" in str(refused.value)
    assert [one.name for one in tmp_path.iterdir()] == ["policy.py"]
    assert path.read_bytes() == b"the old one"


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_what_only_its_owner_may_read_stays_so(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("mine")
    path.chmod(0o600)
    write_text("mine as well", path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_threads_that_write_into_one_folder_do_not_mix(tmp_path):
    texts = {str(k): str(k) * 200_000 for k in range(8)}
    with ThreadPoolExecutor(8) as threads:
        for _ in range(2):
            list(threads.map(lambda n: write_text(texts[n], tmp_path / n), texts))
            assert {n: (tmp_path / n).read_text() for n in texts} == texts


def test_a_link_to_a_file_stays_one(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for text in ("first", "second"):
        write_text(text, tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_text() == text


def test_a_pipe_is_written_into(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    said = []
    reader = threading.Thread(
        target=lambda: said.append((tmp_path / "pipe").read_bytes())
    )
    reader.start()
    write_text("through it", tmp_path / "pipe")
    reader.join(10)
    assert said == [b"through it"]


@each("name", ["gone/file", "nul\0byte", ""])
def test_where_no_file_can_be_is_refused(tmp_path, name):
    with pytest.raises(InterchangeError, match="cannot be written"):
        write_text("x", tmp_path / name)
