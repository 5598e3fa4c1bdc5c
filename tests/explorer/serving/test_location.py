"""Any address of a page is taken apart, and none makes an empty page."""

import pytest
from panel.io import location

from explorer.serving.location import locate_pages


@pytest.mark.parametrize(
    ("host", "uri", "hostname", "port", "pathname", "search"),
    [
        ("localhost:5006", "/app", "localhost", "5006", "/app", ""),
        ("school.org", "/app?a=b", "school.org", "", "/app", "?a=b"),
        ("[::1]:5006", "/app", "[::1]", "5006", "/app", ""),
        ("[::1]", "/app", "[::1]", "", "/app", ""),
        ("localhost:x", "/app", "localhost:x", "", "/app", ""),
        ("localhost", "/app?a=b?c", "localhost", "", "/app", "?a=b?c"),
        ("localhost", "/app?a=b#c#d?e", "localhost", "", "/app", "?a=b"),
        ("localhost", "http://localhost/app?a", "localhost", "", "/app", "?a"),
        ("localhost", "//evil.com/app", "localhost", "", "//evil.com/app", ""),
        ("localhost", "http://[", "localhost", "", "/", ""),
    ],
)
def test_an_address_has_parts(host, uri, hostname, port, pathname, search):
    locate_pages()
    found = location._get_location_params("http", host, uri)
    expected = {"protocol": "http:", "hostname": hostname, "port": port}
    expected |= {"pathname": pathname, "search": search}
    assert {name: found.get(name, "") for name in expected} == expected
    assert found["href"].startswith(f"http://{host}/")
