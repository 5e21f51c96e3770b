# One node of Vitrine. Its data is in /data; its settings are environment variables (docs/reference/configuration.md).
# Both stages use the version of Node that package.json names.
FROM node:26.10.0-slim AS package
WORKDIR /app
COPY . .
# The commit that "vitrine --version" names: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=unknown
RUN npm ci --ignore-scripts
RUN npm run release -- --package --commit "$COMMIT"

FROM node:26.10.0-slim

COPY --from=package /app/release/vitrine-*.tgz /tmp/
RUN npm install --global --ignore-scripts /tmp/vitrine-*.tgz \
 && npm cache clean --force \
 && rm /tmp/vitrine-*.tgz

# The folder of the data belongs to the user that the service runs as; the program belongs to root.
RUN mkdir --mode=700 /data \
 && chown 1000:1000 /data
# By number: Kubernetes compares it with runAsNonRoot.
USER 1000:1000
ENV NODE_ENV=production DATA_DIR=/data
VOLUME /data
EXPOSE 8080

HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# The command is a shell file that becomes Node by exec: signals reach the service itself.
ENTRYPOINT ["vitrine"]
CMD ["serve"]
