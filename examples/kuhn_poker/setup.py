"""The build of the one extension module."""

from Cython.Build import cythonize
from setuptools import Extension, setup

from islebots.core.build import get_include, include_path

RULES = Extension(
    "kuhn_poker.rules",
    ["kuhn_poker/rules.pyx"],
    include_dirs=[get_include()],
    # The same seed gives the same answer on every CPU: no fused multiply-add.
    extra_compile_args=["-O2", "-ffp-contract=off"],
)

setup(
    ext_modules=cythonize(
        [RULES],
        build_dir="build",
        include_path=[include_path()],
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,  # a test for zero would take the GIL
        },
    ),
)
