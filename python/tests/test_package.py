"""The package as it is shipped: typed, and its wheel builds from its source distribution."""

import ast
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import longhaul
import pytest
from longhaul import _longhaul

REPOSITORY = Path(__file__).parents[2]
PACKAGE = Path(longhaul.__file__).parent


def test_all_that_is_public_is_documented():
    for name in longhaul.__all__:
        thing = getattr(longhaul, name)
        assert name.startswith("__") or name == "ENGINES" or inspect.getdoc(thing), name
    assert "auto" in longhaul.ENGINES and "frontier" in longhaul.ENGINES


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()
    stubs = ast.parse((PACKAGE / "_longhaul.pyi").read_text())
    told = {node.name for node in stubs.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    told |= {node.target.id for node in stubs.body if isinstance(node, ast.AnnAssign)}
    there = {name for name in dir(_longhaul) if not name.startswith("__") or name == "__version__"}
    assert there == told
    for node in stubs.body:
        if isinstance(node, ast.FunctionDef):
            arguments = [argument.arg for argument in node.args.args]
            assert arguments == list(inspect.signature(getattr(_longhaul, node.name)).parameters), node.name
        if isinstance(node, ast.ClassDef):
            members = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            assert all(hasattr(getattr(_longhaul, node.name), member) for member in members)


def test_nothing_is_imported_that_is_not_needed():
    script = (
        "import sys, longhaul; longhaul.longest_path([(0, 1)]); longhaul.k_path([(0, 1)], 2);"
        "wanted = {'networkx', 'numpy', 'scipy', 'igraph', 'rustworkx', 'dask', 'distributed'};"
        "print(sorted(wanted & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.skipif(not (REPOSITORY / "python" / "pyproject.toml").exists(), reason="the sources are not here")
@pytest.mark.skipif(shutil.which("cargo") is None, reason="builds with cargo")
def test_a_wheel_builds_from_the_source_distribution(tmp_path):
    def run(*command, **options):
        ran = subprocess.run(command, capture_output=True, text=True, **options)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    build = {
        **os.environ,
        # What other builds have left is used again, and the quick profile is built fast.
        "CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(REPOSITORY / "target")),
        "MATURIN_PEP517_ARGS": "--profile quick",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    build.pop("PYTHONPATH", None)
    run(sys.executable, "-m", "maturin", "sdist", "-o", str(tmp_path), cwd=REPOSITORY / "python", env=build)
    (archive,) = tmp_path.glob("longhaul-*.tar.gz")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(archive), cwd=tmp_path, env=build)
    (wheel,) = tmp_path.glob("longhaul-*.whl")
    assert "-abi3-" in wheel.name
    run(*pip, "install", "--no-deps", "--target", str(tmp_path / "there"), str(wheel), cwd=tmp_path, env=build)
    asked = "import longhaul; print(longhaul.__file__); print(longhaul.longest_path([(0, 1), (1, 2)]).length)"
    told = run(sys.executable, "-c", asked, cwd=tmp_path, env={**build, "PYTHONPATH": str(tmp_path / "there")})
    where, length = told.split("\n")[:2]
    assert Path(where).is_relative_to(tmp_path / "there") and length == "2"
