# One image for the API and for the workers; docker-compose.yml says which is which.
FROM python:3.11-slim

RUN useradd --create-home --uid 10001 summit
WORKDIR /srv/summit
# [openai-whisper] adds that engine, with torch: several gigabytes.
ARG EXTRAS=

COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY agents agents
COPY graph graph
COPY app app
RUN pip install --no-cache-dir --constraint constraints.txt --upgrade pip setuptools \
 && pip install --no-cache-dir --constraint constraints.txt --build-constraint constraints.txt ".${EXTRAS}"
# What Python compiles at a first start, as nobody may write here later.
RUN cd / && python -c "from app.cli.quick_imports import import_quickly; import_quickly('app.cli.serve')"
COPY scripts/weights.py scripts/weights.py
RUN python scripts/weights.py || echo "Without the model of meaning; memory searches by words alone."
ENV SUMMIT_WEIGHTS_DIR=/usr/local/share/summit
RUN python -m app.speech.starter || echo "Without a speech model; summit setup speech fetches one."

# Started from a folder without sources, so that what was installed is what runs.
WORKDIR /var/lib/summit
RUN chown summit:summit .
USER summit
ENV SUMMIT_DATA_DIR=/var/lib/summit PYTHONUNBUFFERED=1
VOLUME /var/lib/summit
EXPOSE 8000
CMD ["summit", "serve"]
