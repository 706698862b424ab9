"""The build: folders to packages, .proto to Python, .pyx to C to extension modules.

What is plain data stands in pyproject.toml. Everything made here goes below build/:

  build/include/islebots   links in the shape of the installed package, where Cython and mypy
                           look for islebots.core and the rest
  build/proto              generated protobuf code, installed as islebots.v1
  build/cython             generated C

ISLEBOTS_SANITIZE=1 builds with the address and undefined-behaviour sanitizers.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from setuptools import Command, Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

BUILD = Path("build")
INCLUDE = BUILD / "include"
PROTO = Path("proto")
PROTO_OUT = BUILD / "proto"

# Folder at the top of the repository -> the package it is installed as. Never as top-level
# "core" or "server", which collide with other packages.
FOLDERS = {
    "islebots": "islebots",
    "core": "islebots.core",
    "ai": "islebots.ai",
    "server": "islebots.server",
    "client": "islebots.client",
    "cli": "islebots.cli",
}
V1 = PROTO_OUT / "islebots" / "v1"
CYTHON_FOLDERS = ("core", "ai")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,  # does not see C arrays anyway: `make asan` does
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,  # C's / and %: no test for zero, which would take the GIL
    "embedsignature": True,
    "embedsignature.format": "python",
    "show_performance_hints": True,  # for `make lint`
}

SANITIZE = os.environ.get("ISLEBOTS_SANITIZE") == "1"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if SANITIZE else []
COMPILE = [
    # The same seed gives the same answer on every CPU: no fused multiply-add, no fast-math.
    "-ffp-contract=off",
    *(["-O1", "-g", "-fno-omit-frame-pointer"] if SANITIZE else ["-O2"]),
    *SANITIZERS,
]


def package_dirs() -> dict[str, str]:
    """Every folder with an __init__.py, by the name of its package."""
    found = {"islebots.v1": V1.as_posix()}
    for folder, package in FOLDERS.items():
        for init in sorted(Path(folder).rglob("__init__.py")):
            below = init.parent.relative_to(folder).parts
            found[".".join([package, *below])] = init.parent.as_posix()
    return found


def extensions() -> list[Extension]:
    """One extension for each .pyx, named as installed: core/games/x.pyx, islebots.core.games.x."""
    headers = [path.as_posix() for path in sorted(Path("core").rglob("*.h"))]
    return [
        Extension(
            ".".join([FOLDERS[folder], *source.relative_to(folder).with_suffix("").parts]),
            [source.as_posix()],
            include_dirs=["core"],
            depends=["setup.py", *headers],
            libraries=["m"],
            extra_compile_args=COMPILE,
            extra_link_args=SANITIZERS,
        )
        for folder in CYTHON_FOLDERS
        for source in sorted(Path(folder).rglob("*.pyx"))
    ]


def link_packages() -> None:
    """Make build/include/islebots: the installed package, as links into the repository."""
    tree = INCLUDE / "islebots"
    if tree.is_symlink():
        tree.unlink()
    tree.mkdir(parents=True, exist_ok=True)
    V1.mkdir(parents=True, exist_ok=True)
    wanted = {folder: Path(folder) for folder in FOLDERS if folder != "islebots"}
    wanted |= {path.name: path for path in Path("islebots").iterdir() if path.is_file()}
    wanted |= {"v1": V1}
    for link in tree.iterdir():
        if link.is_symlink() and link.name not in wanted:
            link.unlink()
    for name, target in wanted.items():
        link, to = tree / name, os.path.relpath(target, tree)
        if not link.is_symlink() or link.readlink() != Path(to):
            link.unlink(missing_ok=True)
            link.symlink_to(to)


def generate_c(modules: list[Extension], build_dir: Path) -> list[Extension]:
    """Compile .pyx to C where the source, what it cimports or a directive has changed."""
    from Cython.Build import cythonize

    if not modules:  # cythonize takes an empty list for a mistake
        return []
    stamp, directives = build_dir / "directives.json", json.dumps(DIRECTIVES)
    made_alike = stamp.exists() and stamp.read_text() == directives
    made = cythonize(
        modules,
        build_dir=build_dir.as_posix(),
        include_path=[INCLUDE.as_posix()],
        compiler_directives=DIRECTIVES,
        nthreads=os.cpu_count() or 1,
        force=not made_alike,
        quiet=True,
    )
    stamp.write_text(directives)
    return made


class BuildProto(Command):
    """Generate islebots.v1 from proto/islebots/v1, all of it, when any of it changed."""

    description = "generate Python from the .proto files"
    user_options = []
    editable_mode = False

    def initialize_options(self) -> None: ...

    def finalize_options(self) -> None: ...

    def run(self) -> None:
        protos = sorted((PROTO / "islebots" / "v1").glob("*.proto"))
        made = V1 / "__init__.py"  # written last: its age is the age of them all
        expected = {f"{p.stem}_pb2{end}" for p in protos for end in (".py", ".pyi", "_grpc.py")}
        expected |= {"__init__.py", "py.typed"}
        if {path.name for path in V1.iterdir() if path.is_file()} == expected:
            newest = max(path.stat().st_mtime for path in [*protos, Path("setup.py")])
            if newest <= made.stat().st_mtime:
                return

        import grpc_tools
        from grpc_tools import protoc

        shutil.rmtree(V1)
        V1.mkdir(parents=True)
        arguments = [
            "protoc",
            f"--proto_path={PROTO}",
            f"--proto_path={Path(grpc_tools.__file__).parent / '_proto'}",
            f"--python_out={PROTO_OUT}",
            f"--pyi_out={PROTO_OUT}",
            f"--grpc_python_out={PROTO_OUT}",
            *map(str, protos),
        ]
        if protos and protoc.main(arguments) != 0:
            sys.exit("proto/islebots/v1: protoc failed, see above")
        (V1 / "py.typed").touch()
        made.write_text('"""The API as Python, generated from proto/islebots/v1."""\n')

    # What setuptools asks of a step of `build`; build_py copies the outcome.
    def get_source_files(self) -> list[str]:
        return [path.as_posix() for path in sorted(PROTO.rglob("*.proto"))]

    def get_outputs(self) -> list[str]:
        return []

    def get_output_mapping(self) -> dict[str, str]:
        return {}


class BuildAll(build):
    """`build` with the .proto files first."""

    sub_commands = [("build_proto", None), *build.sub_commands]


class BuildExt(build_ext):
    """Cython first, then C, each in parallel, each only where something changed."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if self.editable_mode:
            # setuptools would take a temporary folder, and compile everything every time.
            self.build_lib = str(BUILD / "editable" / "lib")
            self.build_temp = str(BUILD / "editable" / "temp")

    def run(self) -> None:
        made = {module.name: module for module in generate_c(self.extensions, BUILD / "cython")}
        for extension in self.extensions:
            extension.sources = made[extension.name].sources
            extension.depends = made[extension.name].depends
        super().run()
        if self.inplace:
            remove_orphans()


def remove_orphans() -> None:
    """Remove modules built beside a .pyx that has since gone: Python would still import them."""
    for folder in CYTHON_FOLDERS:
        for built in Path(folder).rglob("*.so"):
            if not (built.parent / f"{built.name.split('.')[0]}.pyx").exists():
                built.unlink()


def examples() -> list[Extension]:
    """The extensions of the games in examples/, which are packages of their own."""
    found = sorted(Path("examples").glob("*/*/*.pyx"))
    return [Extension(f"{path.parent.name}.{path.stem}", [path.as_posix()]) for path in found]


class CheckGil(Command):
    """Fail if Cython says that something of ours takes the GIL without being told to.

    Such a call costs more than the rule it computes. Cython tells it as a "performance hint".
    """

    description = "fail on a hidden use of the GIL in core/, ai/ and examples/"
    user_options = []

    def initialize_options(self) -> None: ...

    def finalize_options(self) -> None: ...

    def run(self) -> None:
        out = BUILD / "gil"  # its own C, so that what is unchanged and clean is skipped
        with tempfile.TemporaryFile("w+") as said:
            stderr = os.dup(2)  # the file descriptor: Cython compiles in child processes
            os.dup2(said.fileno(), 2)
            try:
                generate_c(extensions() + examples(), out)
            finally:
                os.dup2(stderr, 2)
                os.close(stderr)
                said.seek(0)
                lines = said.read()
                sys.stderr.write(lines)
        hints = [s for s in lines.splitlines() if "performance hint" in s and "GIL" in s]
        if hints:
            shutil.rmtree(out)  # or they would not be said again
            sys.exit(f"{len(hints)} hidden uses of the GIL: declare noexcept or except -1 (above)")


if __name__ == "__main__":
    link_packages()
    packages = package_dirs()
    setup(
        packages=list(packages),
        package_dir=packages,
        package_data={
            "": ["*.pxd", "*.pyi", "*.h", "py.typed"],
            "islebots.core": ["data/**/*.toml"],
        },
        include_package_data=False,
        ext_modules=extensions(),
        cmdclass={
            "build": BuildAll,
            "build_proto": BuildProto,
            "build_ext": BuildExt,
            "check_gil": CheckGil,
        },
        options={"build": {"build_base": str(BUILD / "asan")}} if SANITIZE else {},
        zip_safe=False,
    )
