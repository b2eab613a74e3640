"""Tests see nothing of the machine on which they run."""

from __future__ import annotations

import os
import socket
import urllib.request
import warnings
from typing import TYPE_CHECKING

import pytest
from pytest_socket import SocketBlockedError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("META-09")
def test_the_home_is_an_empty_folder_of_this_test(tmp_path_factory: pytest.TempPathFactory) -> None:
    home = os.path.realpath(os.path.expanduser("~"))
    assert home.startswith(os.path.realpath(tmp_path_factory.getbasetemp()))
    assert os.path.realpath(os.curdir) == home
    assert os.listdir(home) == []


@pytest.mark.req("META-09")
def test_the_state_of_a_memory_without_settings_lies_in_that_home(tmp_path: Path) -> None:
    from recollect import Memory

    with Memory(tmp_path) as memory:
        assert memory.status().db_path.startswith(os.path.expanduser("~/"))


@pytest.mark.req("META-09")
def test_no_key_and_no_setting_of_the_environment_is_seen() -> None:
    assert [name for name in os.environ if name.startswith("RECOLLECT_") or name.endswith("_API_KEY")] == []


@pytest.mark.req("META-09")
def test_the_network_cannot_be_reached() -> None:
    blocked = (SocketBlockedError, UserWarning)  # it warns first, and a warning is an error here
    with pytest.raises(blocked):
        socket.socket(socket.AF_INET)
    with pytest.raises(blocked):
        urllib.request.urlopen("http://192.0.2.1/", timeout=1)


@pytest.mark.req("META-09")
def test_a_warning_is_an_error() -> None:
    with pytest.raises(UserWarning, match="once"):
        warnings.warn("said once", UserWarning, stacklevel=1)
