# One image for the API and for the workers; docker-compose.yml says which is which.
# The digest is that of the index for all architectures: `docker buildx imagetools inspect python:3.11.14-slim-bookworm`.
FROM python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d AS base

FROM base AS build
# EXTRAS="openai-whisper piper" adds these; openai-whisper comes with torch: several gigabytes.
ARG EXTRAS=
WORKDIR /src
RUN python -m venv /opt/summit
ENV PATH=/opt/summit/bin:$PATH
COPY constraints.txt hashes.txt pyproject.toml README.md LICENSE ./
COPY scripts/requirements.py scripts/weights.py scripts/
# Packages come first: they change less often than Summit.
RUN python scripts/requirements.py --first > first.txt \
 && python scripts/requirements.py ${EXTRAS} > names.txt \
 && pip install --no-cache-dir --require-hashes --requirement first.txt \
 && pip install --no-cache-dir --constraint constraints.txt --constraint hashes.txt --build-constraint constraints.txt \
        --requirement names.txt
RUN python scripts/weights.py || echo "Without the model of meaning; memory searches by words alone."
COPY agents agents
COPY graph graph
COPY app app
ENV SUMMIT_WEIGHTS_DIR=/opt/summit/share/summit
RUN python -m app.voice.engines.starter || echo "Without a speech model; summit setup speech fetches one."
# pip compiles what it installs, as nobody may write there later.
RUN pip install --no-cache-dir --no-deps --no-build-isolation .

FROM base
RUN groupadd --gid 10001 summit \
 && useradd --create-home --uid 10001 --gid summit summit \
 && install --directory --owner=summit --group=summit --mode=0700 /var/lib/summit
COPY --from=build /opt/summit /opt/summit
ENV PATH=/opt/summit/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    SUMMIT_DATA_DIR=/var/lib/summit SUMMIT_WEIGHTS_DIR=/opt/summit/share/summit
# Started from a folder without sources, so that what was installed is what runs.
WORKDIR /var/lib/summit
USER 10001:10001
VOLUME /var/lib/summit
EXPOSE 8000
# Of the API; a worker listens nowhere.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["summit", "serve"]
