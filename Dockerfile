# One image for the API and for the workers; docker-compose.yml says which is which.
FROM python:3.11-slim

RUN useradd --create-home --uid 10001 summit
WORKDIR /srv/summit
# Empty leaves out openai-whisper and torch.
ARG EXTRAS=[whisper]

COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY agents agents
COPY graph graph
COPY app app
RUN pip install --no-cache-dir --constraint constraints.txt --upgrade pip setuptools \
 && pip install --no-cache-dir --constraint constraints.txt --build-constraint constraints.txt ".${EXTRAS}"

# Started from a folder without sources, so that what was installed is what runs.
WORKDIR /var/lib/summit
RUN chown summit:summit .
USER summit
ENV SUMMIT_DATA_DIR=/var/lib/summit PYTHONUNBUFFERED=1
VOLUME /var/lib/summit
EXPOSE 8000
CMD ["summit", "serve"]
