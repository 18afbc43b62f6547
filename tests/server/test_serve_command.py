"""`homegame serve` as an operator meets it: its line, its files, its exit statuses."""

from __future__ import annotations

import asyncio
import socket
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from homegame_cli.main import run as run_command
from homegame_server.__main__ import run
from homegame_server.config import Settings
from tests.server.server_process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path


async def test_it_says_where_it_listens_keeps_its_files_to_itself_and_ends_with_0(tmp_path: Path) -> None:
    data = tmp_path / "data"
    server = await ServerProcess.start(data)
    second = await asyncio.create_subprocess_exec(
        *ServerProcess.command(data), env=ServerProcess.environment(), stderr=asyncio.subprocess.PIPE
    )
    _, complaint = await second.communicate()
    assert second.returncode == 1
    assert b"in use by process" in complaint
    assert b"Traceback" not in complaint
    assert (data / "address").exists()
    secrets = [path for folder in ("journal", "keys") for path in (data / folder).iterdir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in secrets} == {0o600}
    assert await server.stop() == 0
    assert not (data / "address").exists()


async def test_it_stops_in_good_order_when_its_input_ends_where_that_is_wanted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    process = await asyncio.create_subprocess_exec(
        *ServerProcess.command(data),
        "--until-input-ends",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=ServerProcess.environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert (await process.stdout.readline()).startswith(b"homegame listens on ")
    process.stdin.write(b"what is typed is nobody's\n")
    assert (data / "address").exists()
    process.stdin.close()
    assert await process.wait() == 0
    assert not (data / "address").exists()


def test_a_data_folder_without_a_name_is_a_mistake_of_usage() -> None:
    assert run_command(["serve", "--data", ""]) == 3
    nameless = [sys.executable, "-m", "homegame_server", "--data", ""]
    served = subprocess.run(nameless, env=ServerProcess.environment(), capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    assert served.returncode == 2
    assert "write . where you mean" in served.stderr


def test_an_address_that_is_none_is_a_mistake_of_usage(tmp_path: Path) -> None:
    assert run_command(["serve", "--data", str(tmp_path), "--listen", "everywhere"]) == 3
    assert run_command(["serve", "--listen", "127.0.0.1:0"]) == 3
    assert not any(tmp_path.iterdir())


def test_a_folder_that_cannot_be_used_is_a_failure_with_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run(Settings(data=tmp_path / "file", listen="127.0.0.1:0")) == 1
    said = capsys.readouterr().err
    assert "a file is in its place; give the data directory to the user" in said


@pytest.mark.parametrize("name", ["keys/token.key", "address"])
def test_a_folder_that_is_not_whole_is_named_with_what_is_wrong(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir(parents=True)
    assert run(Settings(data=tmp_path, listen="127.0.0.1:0")) == 1
    said = capsys.readouterr().err
    assert str(tmp_path / name) in said
    assert "Is a directory; the data folder has to be whole and writable" in said


def test_an_address_that_cannot_be_had_is_told_why_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        complaint = subprocess.run(  # noqa: S603 - this program
            [sys.executable, "-m", "homegame_cli.main", "serve", "--data", str(tmp_path), "--listen", address],
            env=ServerProcess.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    assert complaint.returncode == 3
    assert complaint.stderr == (
        f"homegame serve: cannot listen on {address}: Address already in use; "
        "choose with --listen an address of this machine that nothing else listens on\n"
    )


def test_an_address_of_another_machine_is_told_apart_from_one_that_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(Settings(data=tmp_path, listen="192.0.2.1:0")) == 3
    assert "192.0.2.1:0: Cannot assign requested address; choose with --listen" in capsys.readouterr().err
