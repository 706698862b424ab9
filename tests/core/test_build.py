"""What a game outside the tree compiles against is found in every kind of install."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from islebots.core import build

ROOT = Path(__file__).resolve().parents[2]


def load(path: Path) -> ModuleType:
    """The module core/build.py as if it lay elsewhere."""
    spec = importlib.util.spec_from_file_location("elsewhere", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lay(core: Path) -> Path:
    """A folder with what the module looks for."""
    core.mkdir(parents=True)
    for name in ("__init__.py", "build.py", "contract.pxd", "rng.pxd", "bits.h"):
        shutil.copy(ROOT / "core" / name, core)
    return core / "build.py"


def test_this_install_finds_the_declarations_and_the_headers() -> None:
    assert (Path(build.include_path()) / "islebots" / "core" / "contract.pxd").is_file()
    assert (Path(build.get_include()) / "bits.h").is_file()


def test_a_plain_install_is_its_own_include_path(tmp_path: Path) -> None:
    module = load(lay(tmp_path / "islebots" / "core"))
    (tmp_path / "islebots" / "__init__.py").touch()
    assert module.include_path() == str(tmp_path)
    assert module.get_include() == str(tmp_path / "islebots" / "core")


@pytest.mark.parametrize("checkout", ["work", "islebots"])
def test_an_editable_install_takes_the_links_that_its_build_has_laid(
    tmp_path: Path, checkout: str
) -> None:
    root = tmp_path / checkout
    module = load(lay(root / "core"))
    links = root / "build" / "include" / "islebots"
    links.mkdir(parents=True)
    (links / "__init__.py").touch()
    (links / "core").symlink_to(root / "core")
    assert module.include_path() == str(root / "build" / "include")


def test_links_of_another_checkout_are_not_taken(tmp_path: Path) -> None:
    module = load(lay(tmp_path / "work" / "core"))
    lay(tmp_path / "work" / "build" / "include" / "islebots" / "core")
    (tmp_path / "work" / "build" / "include" / "islebots" / "__init__.py").touch()
    with pytest.raises(FileNotFoundError, match="run make build in"):
        module.include_path()


def test_links_that_were_removed_are_named_with_the_way_out(tmp_path: Path) -> None:
    module = load(lay(tmp_path / "work" / "core"))
    with pytest.raises(FileNotFoundError, match="include: no islebots in it; install islebots"):
        module.include_path()
