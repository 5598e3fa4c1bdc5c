"""What stands in for the app until it is there."""

import re
import socket
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from explorer.pages import all_pages, questions
from explorer.serving.opening import Opening, opening_page
from tests.explorer.serving.conftest import free_port


@pytest.fixture
def opening():
    opening = Opening("127.0.0.1", free_port(), ["https://school.org"])
    yield opening
    opening.close()


def asked(opening, accept, method="GET"):
    address, headers = f"http://127.0.0.1:{opening.port}/app", {"Accept": accept}
    request = Request(address, headers=headers, method=method)
    with pytest.raises(HTTPError) as refused:
        urlopen(request, timeout=60)
    with refused.value as answer:
        return answer.code, dict(answer.headers), answer.read().decode()


def test_a_browser_sees_the_frame_and_the_question_and_waits(opening):
    status, headers, page = asked(opening, "text/html,*/*")
    assert (status, headers["Retry-After"]) == (503, "1")
    assert "const WAITS = true" in page
    assert questions()["frontier"] in page
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert policy.endswith("frame-ancestors 'self' https://school.org")
    assert "Python" not in headers["Server"]


def test_who_is_no_browser_is_told_to_come_again(opening):
    status, headers, said = asked(opening, "*/*")
    assert (status, headers["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert said == "Thriftscope is starting.\n"
    assert asked(opening, "*/*", "HEAD")[::2] == (503, "")


def test_what_the_opening_page_looks_for_is_no_error_in_its_console(opening):
    (probe,) = re.findall(r'const PROBE = "([^"]+)"', opening_page(waits=True))
    address = f"http://127.0.0.1:{opening.port}/{probe}"
    with urlopen(address, timeout=60) as answer:
        assert answer.status == 204
    with pytest.raises(HTTPError, match="503"):  # whoever asks whether it is there
        urlopen(address.partition("?")[0], timeout=60)


def test_the_port_is_free_as_soon_as_it_is_closed():
    opening = Opening("127.0.0.1", free_port())
    asked(opening, "*/*")
    with socket.create_connection(("127.0.0.1", opening.port)):  # who says nothing
        opening.close()
        with socket.create_server(("127.0.0.1", opening.port)):
            pass


def test_the_questions_are_those_that_the_pages_ask():
    assert questions() == {page.name: page.question for page in all_pages().values()}
    assert "const WAITS = false" in opening_page()
