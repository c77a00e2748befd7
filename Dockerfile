# Octavo's page, HTTP API and tools for agents. Runs as nobody in particular, with a root that is read only; all that is kept
# lies in the volume /data. docs/install.md says how it is started. What no container uses (tests of libraries, drivers of
# graphics processors) is left out: 0.76 GB of packages instead of 0.88.
FROM debian:trixie-slim AS build
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
COPY packages /src/packages
COPY examples/handbook.pdf /src/examples/handbook.pdf
WORKDIR /src
RUN python3 -m venv /opt/octavo \
 && /opt/octavo/bin/pip install --no-cache-dir --disable-pip-version-check \
      './packages/octavo_documents[ocr]' ./packages/octavo ./packages/octavo_methods \
      './packages/octavo_server[mcp]' ./packages/octavo_lab \
 && /opt/octavo/bin/pip uninstall --yes --quiet pip \
 && find /opt/octavo -type d \( -name tests -o -name test \) -prune -exec rm -rf {} + \
 && find /opt/octavo \( -name '*.pyi' -o -name 'libopenvino_intel_[gn]pu*' \) -delete \
 && /opt/octavo/bin/octavo --version

FROM debian:trixie-slim
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin octavo
COPY --from=build /opt/octavo /opt/octavo
ENV PATH=/opt/octavo/bin:$PATH HOME=/data OCTAVO_CORPUS=/data/corpus PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python3", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/health', timeout=4)"]
ENTRYPOINT ["octavo"]
CMD ["serve", "--host", "0.0.0.0"]
