"""What a game outside the tree compiles against: where the .pxd files and the C headers are.

examples/kuhn_poker/setup.py shows how a setup.py asks for it.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent  # islebots.core; in an editable install the folder core/


def include_path() -> str:
    """The folder in which Cython finds `islebots/core/contract.pxd` and the rest by their names."""
    # An editable install maps core/ to islebots.core in Python alone: Cython reads folders. For it
    # setup.py lays links in the shape of the installed package.
    for folder in (HERE.parent.parent, HERE.parent / "build" / "include"):
        package = folder / "islebots"
        if (package / "__init__.py").is_file() and is_here(package / "core"):
            return str(folder)
    raise FileNotFoundError(
        f"{HERE.parent / 'build' / 'include'}: no islebots in it; "
        f"install islebots again, or run make build in {HERE.parent}"
    )


def get_include() -> str:
    """The folder of the C headers, such as `bits.h`, that the .pxd files include."""
    return str(HERE)


def is_here(core: Path) -> bool:
    """Is that folder this one, by its name or a link, with the .pxd files in it?"""
    return core.is_dir() and core.samefile(HERE) and (core / "contract.pxd").is_file()
