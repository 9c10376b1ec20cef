# Each can be named by its digest; see docker-compose.yml.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG SWIFT_RUNTIME_IMAGE=swift:6.3-bookworm-slim
ARG PYTHON_IMAGE=python:3.12-slim-bookworm

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        libpq-dev libssl-dev libzip-dev libsimdjson-dev libgeos-dev zlib1g-dev libbrotli-dev libzstd-dev libdeflate-dev libsqlite3-dev libpango1.0-dev libfreetype-dev \
        pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The versions of packages are those of the last release, so that the same sources give the same program tomorrow.
RUN cp deploy/package-versions.json Package.resolved \
    && swift build -c release --product venue --force-resolved-versions \
    && install -D --strip "$(swift build -c release --show-bin-path)/venue" /out/venue \
    && cp -r "$(swift build -c release --show-bin-path)/VenueSync_WebConsole.resources/Web" /out/console

# The console's map library: fetched and checked, and none of what fetches it stays.
FROM ${PYTHON_IMAGE} AS library
COPY Scripts/functions.sh Scripts/install-map-library /source/Scripts/
RUN /source/Scripts/install-map-library /out/maplibre

FROM ${SWIFT_RUNTIME_IMAGE}
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        libpq5 libssl3 libcurl4 libzip4 libsimdjson14 libgeos-c1v5 zlib1g libbrotli1 libzstd1 libdeflate0 libsqlite3-0 \
        libpangocairo-1.0-0 libpangoft2-1.0-0 libfreetype6 fonts-noto-cjk fonts-dejavu-core ca-certificates tzdata curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --home-dir /var/lib/venuesync --create-home --shell /usr/sbin/nologin venuesync
COPY --from=build /out/venue /usr/local/bin/venue
COPY --from=build /out/console /usr/share/venuesync/console
COPY --from=library /out/maplibre /usr/share/venuesync/maplibre
USER venuesync
WORKDIR /var/lib/venuesync
EXPOSE 8080
ENTRYPOINT ["venue"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
