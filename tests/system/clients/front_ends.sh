#!/bin/sh
# Fetches the packages of front ends whose prompts are tested, without what they depend on: nothing of them is run.
set -eu
folder=$1
python=${PYTHON:-.venv/bin/python}
mkdir -p "$folder"
"$python" -m pip download --quiet --no-deps --only-binary :all: --ignore-requires-python --dest "$folder" open-webui==0.12.4
npm pack --silent --pack-destination "$folder" @librechat/agents@3.9.2 >/dev/null
