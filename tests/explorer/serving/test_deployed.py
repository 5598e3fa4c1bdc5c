"""The unit and the compose file that are shipped say what the command understands."""

import argparse
import shlex
import shutil
import subprocess

import pytest
import yaml
from panel.command.serve import Serve

from explorer.commands.serve import add_serve
from tests.each import each
from tests.explorer.serving.conftest import ROOT

SHIPPED = ROOT / "docs" / "deployment"
UNIT = SHIPPED / "thriftscope@.service"
COMPOSE = yaml.safe_load((SHIPPED / "compose.yaml").read_text("utf-8"))
APPS = {k: v for k, v in COMPOSE["services"].items() if k != "nginx"}
VERIFIES = shutil.which("systemd-analyze")


def unit_command():
    """What the unit starts, on one line."""
    text = UNIT.read_text("utf-8").replace("\\\n", "").replace("%i", "5006")
    (line,) = (one for one in text.splitlines() if one.startswith("ExecStart="))
    return line.partition("=")[2]


def understood(command):
    """The options of a command, and of Panel's own server after ``--``."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_serve(parser.add_subparsers())
    options = parser.parse_args(shlex.split(command)[1:])
    panels = argparse.ArgumentParser(exit_on_error=False)
    Serve(panels)
    return options, panels.parse_args(["app.py", *options.panel_flags])


@each("command", [unit_command(), *(app["command"] for app in APPS.values())])
def test_every_flag_is_known(command):
    options, panels = understood(command)
    assert options.no_browser
    assert len(options.allow_origin) == 1
    assert panels.use_xheaders


def test_nginx_sends_people_where_the_processes_listen():
    ports = {understood(app["command"])[0].port for app in APPS.values()}
    asked = (SHIPPED / "nginx.conf").read_text("utf-8")
    assert {f"server 127.0.0.1:{port} " in asked for port in ports} == {True}
    assert len(ports) == len(APPS) == asked.count("    server 127.0.0.1:")
    for app in APPS.values():  # so that 127.0.0.1 is theirs too
        assert app["network_mode"] == "service:nginx"
        assert app["environment"]["BOKEH_SECRET_KEY"] == "${SECRET}"


def test_what_is_mounted_is_where_nginx_looks():
    asked = (SHIPPED / "nginx.conf").read_text("utf-8")
    for mounted in COMPOSE["services"]["nginx"]["volumes"]:
        _, where, mode = mounted.split(":")
        assert mode == "ro"
        assert where.startswith("/etc/nginx/conf.d/") or f" {where};" in asked


@pytest.mark.skipif(VERIFIES is None, reason="systemd is not here")
def test_systemd_takes_the_unit(tmp_path):
    unit = tmp_path / UNIT.name
    installed = shlex.split(unit_command())[0]
    text = UNIT.read_text("utf-8").replace(installed, shutil.which("true"))
    unit.write_text(text.replace("User=thriftscope\n", ""), "utf-8")
    command = [VERIFIES, "verify", f"{tmp_path}/thriftscope@5006.service"]
    shutil.copy(unit, tmp_path / "thriftscope@5006.service")
    said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    about = [line for line in said.stderr.splitlines() if str(tmp_path) in line]
    assert (said.returncode, about) == (0, []), said.stderr
