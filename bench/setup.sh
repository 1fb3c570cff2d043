#!/bin/sh
# Puts DuckDB, the peer that bench/peer.py measures, into a virtual environment in the user's cache directory and
# prints the path of that environment's Python. Running it again changes nothing.
set -eu

duckdb=2.0.1
venv="${XDG_CACHE_HOME:-$HOME/.cache}/tidemark/venv"
python="$venv/bin/python"

[ -x "$python" ] || python3 -m venv "$venv" >&2
installed=$("$python" -c 'import duckdb; print(duckdb.__version__)' 2>/dev/null || true)
[ "$installed" = "$duckdb" ] || "$python" -m pip install --quiet --disable-pip-version-check "duckdb==$duckdb" >&2
echo "$python"
