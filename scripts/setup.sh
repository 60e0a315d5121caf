#!/bin/sh
# Finds a Python that can make a virtual environment, by itself or by uv, and lets it set up .venv: setup.sh [EXTRA ...]
set -eu
cd "$(dirname "$0")/.."

modules=venv,ensurepip
if command -v uv >/dev/null; then modules=venv; fi

suits() {
    "$1" -c "import sys, $modules; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))" 2>/dev/null
}

# Every match on PATH is tried: version managers put commands there that name a Python without having it.
search_path() (
    IFS=:
    for name in python3.11 python3.12 python3.13 python3 python; do
        for folder in $PATH; do
            if [ -x "$folder/$name" ] && suits "$folder/$name"; then
                echo "$folder/$name"
                exit
            fi
        done
    done
)

python=${PYTHON:-$(search_path)}
if [ -z "$python" ] || ! suits "$python"; then
    cat >&2 <<MESSAGE
Summit needs Python 3.11, 3.12 or 3.13 with its modules venv and ensurepip; ${python:-none on PATH} is not that.
  Debian, Ubuntu:  apt install python3 python3-venv
  Fedora:          dnf install python3.13
  macOS:           brew install python@3.13
If you have one elsewhere, say where: make run PYTHON=/path/to/python3
MESSAGE
    exit 1
fi
exec "$python" scripts/install.py "$@"
