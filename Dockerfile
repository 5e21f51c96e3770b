# One node of Vitrine. Its data is in /data; its settings are environment variables (docs/reference/configuration.md).
# Both stages use the version of Node that package.json names.
FROM node:26.10.0-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY contract contract
COPY client/package.json client/
COPY engine engine
COPY psd/package.json psd/
COPY service/package.json service/
COPY dashboard dashboard
COPY live live
COPY embed embed
RUN npm ci --ignore-scripts
RUN npm run prepare

FROM node:26.10.0-slim

WORKDIR /app

# The packages first: they change seldom. The image brings Node 26, so the Node from npm is taken out again.
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY engine/package.json engine/
COPY psd/package.json psd/
COPY service/package.json service/
RUN npm ci --omit=dev --ignore-scripts -w contract -w engine -w psd -w service \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node \
 && npm cache clean --force
# The packages of the lock file, those that are compiled into the pages too.
RUN npm sbom --sbom-format=cyclonedx --omit=dev --package-lock-only > sbom.cdx.json

COPY LICENSE THIRD-PARTY-NOTICES.md ./
COPY contract contract
COPY engine engine
COPY psd psd
COPY client/src client/src
COPY service service
COPY templates templates
COPY --from=pages /app/dashboard/dist dashboard/dist
COPY --from=pages /app/embed/dist embed/dist

# The folder of the data belongs to the user that the service runs as; the program belongs to root.
RUN mkdir --mode=700 /data \
 && chown 1000:1000 /data \
 && ln -s /app/service/bin/vitrine /usr/local/bin/vitrine
# By number: Kubernetes compares it with runAsNonRoot.
USER 1000:1000
ENV NODE_ENV=production DATA_DIR=/data
VOLUME /data
EXPOSE 8080

HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# The command is a shell file that becomes Node by exec: signals reach the service itself.
ENTRYPOINT ["vitrine"]
CMD ["serve"]
