# SPDX-License-Identifier: MIT
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def program():
    """The command-line program of the same build."""
    path = os.environ.get("ISSERLIS_CLI_PATH")
    if not path:
        pytest.skip("ISSERLIS_CLI_PATH names no program")
    return path
