import { availableParallelism } from 'node:os'
import { DEFAULT_POOL_SIZE } from '../database/pool-size.ts'
import { DEFAULT_QUEUE_LIMIT } from '../mockups/limits.ts'
import {
  bucketName,
  choice,
  collectorUrl,
  contactList,
  databaseUrl,
  documentUrl,
  headerList,
  host,
  hostList,
  integer,
  keyPrefix,
  mailSender,
  nameValueList,
  portList,
  publicUrl,
  redisUrls,
  regionName,
  type SettingType,
  secret,
  share,
  text,
  trustedProxies,
  url,
  urlPath,
} from './setting-types.ts'

/** A setting. Without a `defaultValue` it is unset by default. */
export type SettingDescriptor<Value = unknown> = {
  readonly type: SettingType<Value>
  readonly defaultValue?: Value
  /** A description of the default, if it depends on the machine. */
  readonly defaultText?: string
  /** Errors name a secret but never show its value. */
  readonly isSecret?: true
  /** What it does and why one would change it. */
  readonly reason: string
}

/** All settings, by environment variable. */
export const settingDescriptors = {
  PORT: {
    type: integer(0, 65535),
    defaultValue: 8080,
    reason: 'Port that the service listens on; 0 takes any free one.',
  },
  HOST: {
    type: host,
    defaultValue: '0.0.0.0',
    reason: 'Address that the service listens on. 127.0.0.1 makes it reachable only from this machine.',
  },
  DATA_DIR: {
    type: text,
    defaultValue: './data',
    reason: 'Folder for the database, objects and temporary files; created if missing.',
  },
  FREE_DISK_MEGABYTES_MIN: {
    type: integer(0, 1_000_000_000),
    defaultValue: 100,
    reason:
      'Below this free space on the disk of DATA_DIR, /readyz answers 503, so that a load balancer sends no more requests.',
  },
  PUBLIC_URL: {
    type: publicUrl,
    defaultText: 'the listening address',
    reason: 'Address under which clients reach the service; thumbnail addresses and links in mails begin with it.',
  },
  DATABASE_URL: {
    type: databaseUrl,
    isSecret: true,
    defaultText: 'SQLite in DATA_DIR',
    reason: 'PostgreSQL database. Needed to run several nodes.',
  },
  DATABASE_POOL_SIZE: {
    type: integer(2, 1000),
    defaultValue: DEFAULT_POOL_SIZE,
    reason:
      'The most connections of this process to PostgreSQL, plus one while it migrates. The server must allow those of all nodes together (max_connections), or a pooler in transaction mode must.',
  },
  REDIS_URL: {
    type: redisUrls,
    isSecret: true,
    defaultText: 'counters in the database',
    reason:
      'Redis for rate-limit counters of several nodes; rediss:// with TLS. User, password and database are those of the first URL.',
  },
  REDIS_TOPOLOGY: {
    type: choice(['single', 'cluster', 'sentinel']),
    defaultValue: 'single',
    reason: 'What REDIS_URL names: one server, nodes of a Redis Cluster, or sentinels that know the server.',
  },
  REDIS_SENTINEL_NAME: {
    type: text,
    defaultValue: 'mymaster',
    reason: 'Name under which the sentinels know the servers, with REDIS_TOPOLOGY=sentinel.',
  },
  REDIS_SENTINEL_PASSWORD: {
    type: secret(1),
    isSecret: true,
    reason: 'Password of the sentinels themselves; that of the servers is in REDIS_URL.',
  },
  REDIS_CA_FILE: {
    type: text,
    defaultText: 'public certificate authorities',
    reason: 'File with the certificates (PEM) of the authorities that rediss:// is verified with.',
  },
  S3_ENDPOINT: {
    type: publicUrl,
    defaultText: 'objects in DATA_DIR',
    reason: 'Object storage for templates and saved answers. Needs S3_BUCKET and credentials.',
  },
  S3_REGION: { type: regionName, defaultValue: 'auto', reason: 'Region of the object storage.' },
  S3_BUCKET: { type: bucketName, reason: 'Bucket of the object storage.' },
  S3_ADDRESSING: {
    type: choice(['path', 'host']),
    defaultValue: 'path',
    reason:
      'Where requests name the bucket: in the path of S3_ENDPOINT, or before its host name (virtual-hosted style).',
  },
  S3_KEY_PREFIX: {
    type: keyPrefix,
    defaultText: 'none',
    reason: 'Folder in the bucket for all objects, if the bucket is shared.',
  },
  S3_CREDENTIALS: {
    type: choice(['keys', 'web-identity', 'container', 'instance']),
    defaultValue: 'keys',
    reason:
      'Where the credentials of the object storage come from: the settings of the keys, a role by web identity (AWS_ROLE_ARN), the role of the container (ECS, EKS Pod Identity), or that of the instance (EC2).',
  },
  S3_ACCESS_KEY_ID: { type: secret(1), isSecret: true, reason: 'Access key of the object storage.' },
  S3_SECRET_ACCESS_KEY: { type: secret(1), isSecret: true, reason: 'Secret key of the object storage.' },
  S3_SESSION_TOKEN: {
    type: secret(1),
    isSecret: true,
    reason: 'Session token, if the keys are temporary. The service does not renew it: prefer a role.',
  },
  AWS_ROLE_ARN: { type: text, reason: 'Role to assume with S3_CREDENTIALS=web-identity.' },
  AWS_WEB_IDENTITY_TOKEN_FILE: { type: text, reason: 'File with the token for it, which may change at any time.' },
  AWS_ENDPOINT_URL_STS: {
    type: publicUrl,
    defaultText: 'https://sts.S3_REGION.amazonaws.com',
    reason: 'Service that gives the credentials of AWS_ROLE_ARN.',
  },
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: {
    type: urlPath,
    reason: 'Path of the credentials with S3_CREDENTIALS=container, as ECS sets it.',
  },
  AWS_CONTAINER_CREDENTIALS_FULL_URI: {
    type: documentUrl,
    reason: 'Address of the credentials with S3_CREDENTIALS=container, as EKS Pod Identity sets it.',
  },
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: {
    type: text,
    reason: 'File with the token that is sent to that address.',
  },
  AWS_EC2_METADATA_SERVICE_ENDPOINT: {
    type: publicUrl,
    defaultValue: 'http://169.254.169.254',
    reason: 'Service of the credentials with S3_CREDENTIALS=instance.',
  },
  RENDER_WORKERS: {
    type: integer(1, 256),
    defaultValue: availableParallelism(),
    defaultText: 'number of cores',
    reason: 'Render processes. More than cores gains nothing; each may use several hundred megabytes.',
  },
  RENDER_QUEUE_LIMIT: {
    type: integer(1, 10_000),
    defaultValue: DEFAULT_QUEUE_LIMIT,
    reason:
      'Requests that may wait for a render process; accounts share these places. Further ones are answered 503 at once.',
  },
  UNPAID_RENDER_SECONDS: {
    type: integer(1, 1_000_000),
    // About 20 of the most expensive mockups, or 2,000 of the default one.
    defaultValue: 60,
    reason:
      'Processor seconds of failed and cancelled renders allowed per account in ten minutes; beyond them the account is answered 503 until the budget recovers. Each node counts separately.',
  },
  CONNECTIONS_MAX: {
    type: integer(1, 1_000_000),
    defaultValue: 8192,
    reason:
      'Concurrent client connections, never more than half of the file descriptors that the process may open. Each takes about 25 KB.',
  },
  RATE_LIMIT_PER_MINUTE: {
    type: integer(1, 1_000_000_000),
    defaultValue: 100,
    reason: 'Requests per key in a window of 60 seconds.',
  },
  RATE_LIMIT_PER_DAY: {
    type: integer(1, 1_000_000_000),
    defaultValue: 10_000,
    reason: 'Requests per key in a window of 24 hours.',
  },
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: {
    type: integer(1, 1_000_000_000),
    defaultValue: 60,
    reason: 'Requests without a valid key per client address in 60 seconds; only attempts to guess keys need more.',
  },
  ARTWORK_TIMEOUT_SECONDS: {
    type: integer(1, 25),
    defaultValue: 15,
    reason: 'Deadline of one artwork download. Clients give up after 30 seconds, so more than 25 is useless.',
  },
  ARTWORK_ALLOWED_PRIVATE_HOSTS: {
    type: hostList,
    defaultValue: [],
    reason: 'Hosts that artwork may be fetched from although their addresses are not public.',
  },
  ARTWORK_ALLOWED_PORTS: {
    type: portList,
    defaultText: 'any',
    reason:
      'Ports that artwork is fetched from, behind redirects too; "80, 443" keeps callers from using others. Hosts of ARTWORK_ALLOWED_PRIVATE_HOSTS have the ports named there.',
  },
  TRUST_PROXY: {
    type: trustedProxies,
    defaultValue: false,
    reason:
      'Proxies trusted to report the client address (X-Forwarded-For). Addresses and networks list them: no others are trusted. A number says how many are in front of the service, each of which appends an address: 1 is a single one. Warning: with a number, as with true, a client that bypasses the proxies chooses its address, and with it its limits: use them only if nothing but the proxies can connect. true also needs a first proxy that overwrites the header.',
  },
  TEMPLATE_QUOTA_MIB: {
    type: integer(1, 1_000_000_000),
    defaultValue: 2048,
    reason:
      'Storage per account for its own templates in MiB, including earlier versions, the oldest of which are dropped to make room, and those removed within the last hour.',
  },
  STORED_MOCKUPS_MIB: {
    type: integer(0, 1_000_000_000),
    defaultValue: 1024,
    reason:
      'Mockups of one account that were rendered in the dashboard and are stored for My mockups, in MiB: some 4,000 of 2,000 px. New ones replace the oldest. 0 stores none.',
  },
  STORED_MOCKUPS_DAYS: {
    type: integer(1, 3650),
    defaultValue: 30,
    reason: 'Days for which they are stored: a shop returns to a run within its season, and disks are not archives.',
  },
  TEMPLATE_CACHE_MIB: {
    type: integer(1, 1_000_000_000),
    defaultValue: 10_240,
    reason:
      'Copies of templates in cache/templates of DATA_DIR in MiB; beyond it the least recently used ones are removed, and copied again when needed.',
  },
  PREPARED_CACHE_MIB: {
    type: integer(0, 1_000_000_000),
    defaultValue: 1024,
    reason:
      'Templates prepared for an output width, in cache/prepared of DATA_DIR in MiB, so that they are ready soon after a restart: 22 MB each at 2,000 px, 80 at 4,000; beyond it the least recently used ones are removed. 0 stores none.',
  },
  STRIPE_SECRET_KEY: { type: secret(8), isSecret: true, reason: 'Sells credit packs through Stripe.' },
  STRIPE_WEBHOOK_SECRET: {
    type: secret(8),
    isSecret: true,
    reason: 'Verifies the events that Stripe sends. Needed with STRIPE_SECRET_KEY.',
  },
  SMTP_URL: {
    type: url(['smtp', 'smtps']),
    isSecret: true,
    defaultText: 'links are written to the log',
    reason: 'Mail server for sign-in and confirmation mails.',
  },
  SMTP_FROM: { type: mailSender, reason: 'Sender of mails. Needed with SMTP_URL.' },
  SIGN_UP: {
    type: choice(['open', 'closed']),
    defaultValue: 'closed',
    reason: 'Whether anyone may create an account; with closed only the operator may.',
  },
  SIGN_UPS_PER_HOUR: {
    type: integer(1, 1_000_000),
    defaultValue: 100,
    reason: 'Sign-ups per hour in total, if SIGN_UP is open; further ones are asked to wait.',
  },
  MAILS_PER_HOUR: {
    type: integer(1, 1_000_000),
    defaultValue: 500,
    reason:
      'Mails of each kind (password links; sign-up mails) that strangers can cause per hour; further ones are dropped, which is logged.',
  },
  AUTH_SECRET: {
    type: secret(32),
    isSecret: true,
    defaultText: 'generated at the first start, stored in DATA_DIR',
    reason: 'Signs sessions of the dashboard. Several nodes need the same one.',
  },
  SECURITY_CONTACT: {
    type: contactList,
    defaultValue: [],
    defaultText: 'no /.well-known/security.txt',
    reason: 'Where to report vulnerabilities of this installation: published in /.well-known/security.txt (RFC 9116).',
  },
  SHUTDOWN_DELAY_SECONDS: {
    type: integer(0, 300),
    defaultText: '5 with DATABASE_URL, else 0',
    reason:
      'How long after SIGTERM /readyz answers 503 while everything else is served, so that a proxy sends new requests elsewhere; then requests in progress get 18 s. Whatever kills the process must wait for both.',
  },
  METRICS_TOKEN: {
    type: secret(16),
    isSecret: true,
    defaultText: '/metrics answers only this machine',
    reason: 'Bearer token that opens /metrics to other machines; this machine then needs it, too.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: collectorUrl,
    defaultText: 'nothing is sent',
    reason:
      'Address of an OpenTelemetry collector, OTLP over HTTP: traces and the metrics of /metrics are sent to /v1/traces and /v1/metrics below it.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: headerList,
    isSecret: true,
    reason: 'Headers for the collector, such as `authorization=Bearer%20…`.',
  },
  OTEL_SERVICE_NAME: { type: text, defaultValue: 'vitrine', reason: 'Name of this service in traces and metrics.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    type: nameValueList,
    reason: 'Attributes of this node in traces and metrics, such as `deployment.environment=production`.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: share,
    defaultValue: 1,
    reason: 'Share of traced requests, 0 to 1, unless the caller decides by `traceparent`.',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    type: integer(100, 3_600_000),
    defaultValue: 60_000,
    reason: 'Milliseconds between exports of the metrics to the collector.',
  },
  LOG_LEVEL: {
    type: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    defaultValue: 'info',
    reason: 'Lowest severity that is logged.',
  },
} as const satisfies Record<string, SettingDescriptor>

export type SettingName = keyof typeof settingDescriptors
