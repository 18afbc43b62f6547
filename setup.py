"""Options of the compiler that depend on the machine. Everything else that can be said of this package is in pyproject.toml."""

from __future__ import annotations

import os
import platform
import tempfile
from pathlib import Path
from typing import Final

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

X86: Final = ("x86_64", "amd64", "i386", "i686")
LAYOUTS: Final = (
    # Functions, loops and jumps begin where the processor fetches.
    (("-falign-functions=32", "-falign-loops=32", "-falign-jumps=16"),),
    # On Intel's processors of 2015 to 2019 a jump that crosses 32 bytes is decoded anew each time (erratum SKX102): whole hands
    # are a tenth slower. The same thing by its names in the GNU assembler and in clang.
    (("-Wa,-mbranches-within-32B-boundaries",), ("-mbranches-within-32B-boundaries",)),
)


class BuildExtensions(build_ext):
    """As usual, but with those layouts that the compiler knows. They change where code lies, never what it does."""

    def build_extensions(self) -> None:
        """Compile every extension."""
        if platform.machine().lower() in X86:
            layout = [option for names in LAYOUTS for option in next(filter(self._compiles, names), ())]
            for extension in self.extensions:
                extension.extra_compile_args = [*extension.extra_compile_args, *layout]
        super().build_extensions()

    def _compiles(self, options: tuple[str, ...]) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "probe.c"
            source.write_text("int probe(int x) { return x > 0 ? x : -x; }\n", encoding="ascii")
            said = os.dup(2)
            silence = os.open(os.devnull, os.O_WRONLY)
            try:
                os.dup2(silence, 2)
                self.compiler.compile([str(source)], output_dir=folder, extra_postargs=[*options, "-Werror"])
            except CompileError:
                return False
            finally:
                os.dup2(said, 2)
                os.close(said)
                os.close(silence)
        return True


setup(cmdclass={"build_ext": BuildExtensions})
