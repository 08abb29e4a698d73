# The base is named by its digest, so that nobody can put another one in its place. A newer one: take the digest that
# `docker buildx imagetools inspect python:3.13-slim` shows, here or with --build-arg PYTHON=python:3.13-slim@sha256:DIGEST
ARG PYTHON=python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

FROM ${PYTHON} AS build
WORKDIR /src
RUN python -m venv /opt/signalbox
COPY requirements.txt requirements-build.txt ./
RUN /opt/signalbox/bin/pip install --no-cache-dir --require-hashes -r requirements.txt -r requirements-build.txt
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
RUN /opt/signalbox/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /opt/signalbox/bin/pip uninstall --yes setuptools
# What is in the image, for whoever has to know: docs/operations.md
COPY image image
ARG PYTHON
RUN /opt/signalbox/bin/python image/components.py "${PYTHON}" > /opt/signalbox/components.cdx.json

FROM ${PYTHON}
ARG PYTHON
LABEL org.opencontainers.image.title=signalbox \
    org.opencontainers.image.licenses=Apache-2.0 \
    org.opencontainers.image.base.name="${PYTHON}"
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin signalbox \
    && install --directory --owner=signalbox --group=signalbox --mode=0700 /data
COPY --from=build /opt/signalbox /opt/signalbox
ENV PATH=/opt/signalbox/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    PORT=3000
USER signalbox
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python", "-c", "import os, urllib.request as r; r.build_opener(r.ProxyHandler({})).open(f\"http://127.0.0.1:{os.environ['PORT']}/readyz\", timeout=4)"]
CMD ["signalbox", "serve"]
