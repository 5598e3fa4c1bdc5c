"""Several processes serve as one, and none is left when their parent is killed."""

from urllib.parse import urlsplit

from tests.explorer.serving.conftest import COLD, is_listened_on, serving
from tests.explorer.serving.second_person import is_accepted, open_page
from tests.waiting import until


def test_processes_are_one_server_and_end_with_their_parent():
    flags = ["--num-procs=2", "--max-sessions=1"]
    with serving(*flags, program=COLD) as (address, process):
        # Each page takes the one place of its process: nobody else can open a session.
        for token in [open_page(address), open_page(address)]:
            for _ in range(4):
                assert is_accepted(address, token)
        process.kill()
        until(lambda: not is_listened_on(urlsplit(address).port))
