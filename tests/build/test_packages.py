"""What is committed, and what a user gets from the source package and the wheel."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("islebots", "core", "ai", "server", "client", "cli")
GENERATED = (".c", ".so", ".o", ".pyc", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py")
MEGABYTE = 1_000_000


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command away from the checkout's own settings; its output, or a failure."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """The files git knows, where this is a git checkout."""
    try:
        found = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in found.stdout.split("\0") if name]


def test_nothing_generated_is_committed(tracked: list[Path]) -> None:
    assert [str(path) for path in tracked if path.name.endswith(GENERATED)] == []


def test_nothing_committed_is_larger_than_a_megabyte(tracked: list[Path]) -> None:
    sizes = {str(path): path.stat().st_size for path in tracked if path.is_file()}
    assert {name: size for name, size in sizes.items() if size > MEGABYTE} == {}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source package, and the wheel built from that alone."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", out, ROOT, cwd=out)
    return out


@pytest.mark.system
def test_the_source_package_has_nothing_generated(packages: Path) -> None:
    (sdist,) = packages.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    assert [name for name in names if name.endswith(GENERATED)] == []


@pytest.mark.system
def test_the_wheel_has_all_that_a_game_outside_the_tree_compiles_against(packages: Path) -> None:
    (wheel,) = packages.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {"islebots/py.typed", "islebots/v1/py.typed", "islebots/v1/__init__.py"}
    for folder in FOLDERS:
        package = "islebots" if folder == "islebots" else f"islebots/{folder}"
        for pattern in ("*.py", "*.pyi", "*.pxd", "*.h", "*.toml"):
            for path in (ROOT / folder).rglob(pattern):
                wanted.add(f"{package}/{path.relative_to(ROOT / folder).as_posix()}")
    for proto in (ROOT / "proto" / "islebots" / "v1").glob("*.proto"):
        for end in ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py"):
            wanted.add(f"islebots/v1/{proto.stem}{end}")
    assert wanted - names == set()


@pytest.mark.system
def test_the_wheel_works_in_a_fresh_environment(packages: Path, tmp_path: Path) -> None:
    (wheel,) = packages.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    bin_ = tmp_path / "venv" / "bin"
    run(bin_ / "python", "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    modules = ["islebots", "islebots.v1.bot_pb2_grpc"]
    for folder in ("core", "ai"):
        for path in sorted((ROOT / folder).rglob("*.pyx")):
            modules.append(".".join(["islebots", *path.relative_to(ROOT).with_suffix("").parts]))
    for module in modules:
        run(bin_ / "python", "-c", f"import {module}", cwd=tmp_path)
    assert "Usage: islebots" in run(bin_ / "islebots", "--help", cwd=tmp_path)


@pytest.mark.system
def test_a_game_outside_the_tree_builds_against_the_wheel(packages: Path, tmp_path: Path) -> None:
    (wheel,) = packages.glob("*.whl")
    built = shutil.ignore_patterns("build", "*.egg-info", "*.so", "__pycache__")
    shutil.copytree(ROOT / "examples" / "kuhn_poker", tmp_path / "kuhn_poker", ignore=built)
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    with (ROOT / "pyproject.toml").open("rb") as file:
        tools = tomllib.load(file)["build-system"]["requires"][:2]
    run(python, "-m", "pip", "install", "-q", wheel, *tools, cwd=tmp_path)
    install = (python, "-m", "pip", "install", "-q", "--no-build-isolation")
    run(*install, tmp_path / "kuhn_poker", cwd=tmp_path)
    shutil.rmtree(tmp_path / "kuhn_poker")
    play = "import islebots; print(islebots.load('kuhn_poker').new(2, seed=7).actor)"
    assert run(python, "-c", play, cwd=tmp_path) == "0\n"
