# Tabwright with Chromium: docker build -t tabwright . && docker run --rm --interactive --init tabwright
FROM python:3.11-slim AS wheel
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
LABEL io.modelcontextprotocol.server.name="io.github.tabwright/tabwright"
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium chromium-headless-shell fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*
COPY requirements/run.lock /tmp/run.lock
RUN pip install --no-cache-dir --no-deps --require-hashes -r /tmp/run.lock
COPY --from=wheel /wheels /tmp/wheels
RUN pip install --no-cache-dir --no-deps /tmp/wheels/*.whl
# Chrome does not get the rights of root. It does without its sandbox here, since containers keep it from its namespaces.
RUN useradd --create-home tabwright
USER tabwright
# Files come and go here; the home itself, with what the browser keeps, is no folder for them.
RUN mkdir /home/tabwright/files
WORKDIR /home/tabwright/files
ENTRYPOINT ["tabwright"]
# All in one process: a hub of its own would be nobody's in a container that ends with its client.
CMD ["mcp", "--embedded"]
