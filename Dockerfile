# The bank as a container: docker build -t sandbox-server . && docker run --rm -p 127.0.0.1:3300:3300 sandbox-server
#
# Every flag of `sandbox-server start` is an environment variable: --allow-host is SANDBOX_ALLOW_HOST, and so on.
#
# SANDBOX_ALLOW_HOST    Host names by which other containers call the bank, with commas. A Compose service named `bank` is
#                       called as http://bank:3300, so its clients send `Host: bank`: set SANDBOX_ALLOW_HOST=bank.
# SANDBOX_CONTROL_TOKEN Opens the control API under /_sandbox to callers outside the container, who send it as a bearer
#                       token. Without one, a random token is generated and printed at the start.

FROM node:22-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-fund --no-audit
RUN npm pack --pack-destination .. && mv ../sandbox-server-*.tgz package.tgz

FROM node:22-slim
WORKDIR /bank
COPY --from=build /build/package.tgz /build/scripts/container-start.mjs ./
RUN npm install --omit=dev --no-fund --no-audit --no-save ./package.tgz && rm package.tgz
ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0 SANDBOX_PORT=3300
EXPOSE 3300
USER node
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "container-start.mjs", "--check"]
ENTRYPOINT ["node", "container-start.mjs"]
