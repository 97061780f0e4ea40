# SPDX-License-Identifier: MIT
"""Builds the library and the module of the Python package by CMake, as preset release does, without a network.

ISSERLIS_BUILD names a build tree to make them in, which may have been made already; else it is one of pip's own.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Distribution, Extension, setup
from setuptools.command.build_ext import build_ext

house = pathlib.Path(__file__).resolve().parent


def version():
    text = (house / "lib/include/isserlis/version.hpp").read_text()
    return re.search(r'version = "([0-9.]+)"', text).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        build = os.environ.get("ISSERLIS_BUILD")
        tree = (house / build).resolve() if build else pathlib.Path(self.build_temp).resolve()
        options = ["-DISSERLIS_BUILD_PYTHON=ON"]
        if not (tree / "CMakeCache.txt").exists():
            options += ["--preset", "release", f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_INSTALL_LIBDIR=lib"]
        subprocess.run(["cmake", "-S", str(house), "-B", str(tree), *options], check=True)
        subprocess.run(["cmake", "--build", str(tree), "--parallel", str(os.cpu_count() or 1), "--target",
                        "isserlis_python"], check=True)
        into = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        into.mkdir(parents=True, exist_ok=True)
        libraries = tree / "lib"
        module = libraries / "python/isserlis" / ("_isserlis" + sysconfig.get_config_var("EXT_SUFFIX"))
        if not module.exists():
            raise SystemExit(f"{tree} makes the module for another Python than {sys.executable}")
        # The library by the name under which the module and the part with FLINT look for it, beside them.
        library = next(p for p in libraries.glob("libisserlis.so.*") if p.name.count(".") == 3)
        for file in (module, library, libraries / "libisserlis_flint.so"):
            shutil.copy(file, into / file.name)


class WithModule(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    ext_modules=[Extension("isserlis._isserlis", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    distclass=WithModule,
)
