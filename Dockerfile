# The bot as a container: not root, nothing but /app/var and /tmp is ever written to.
#
#     docker build -t croupier .
#     docker run --read-only --tmpfs /tmp -v croupier:/app/var -e DISCORD_TOKEN=... croupier

# A tag moves on; the workflow that builds releases passes the digest that it stands for (python@sha256:...).
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS built

WORKDIR /app
RUN python -m venv /venv
COPY requirements.txt ./
RUN /venv/bin/pip install --no-cache-dir --disable-pip-version-check --no-input --require-hashes -r requirements.txt


FROM ${BASE}

ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    LOG_FORMAT=json

RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin croupier \
    && install --directory --owner=croupier --group=croupier /app/var

WORKDIR /app
COPY --from=built /venv /venv
COPY bot.py settings.py ./
COPY engine engine
COPY data data
COPY cogs cogs
# Now, since it cannot be done later on a file system that only reads.
RUN python -m compileall -q bot.py settings.py engine data cogs

USER 10001:10001
VOLUME /app/var

# The monitor must listen on the container's loopback (as it does by default), or on all its addresses.
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8766/healthz', timeout=2)"]

STOPSIGNAL SIGTERM
ENTRYPOINT ["python", "bot.py"]
