import { readdirSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMasterKey } from './crypto/master-key.ts';
import { urlPerHost } from './database/hosts.ts';
import { limitSettings } from './limits/settings.ts';
import type { ScannerAddress } from './storage/scanner.ts';
import { type S3Place, readS3Place } from './storage/s3/place.ts';
import {
  ConfigError,
  type Environment,
  flag,
  optionalFlag,
  integer,
  isAddress,
  isBlock,
  listOf,
  oneOf,
  secret,
  setting,
  type ValuesOf,
  valuesOf,
} from './settings.ts';

/** True for an origin as browsers send it: no path, no trailing slash, no default port. */
const isOrigin = (item: string) => URL.canParse(item) && /^https?:/.test(item) && new URL(item).origin === item;

function hostName(value: string): string {
  if (isAddress(value) || /^(?=.{1,253}$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) return value;
  throw new Error('must be an IP address or host name of this machine, such as 127.0.0.1, without a port');
}

function mailbox(value: string): string {
  if (/^[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/u.test(value)) return value;
  throw new Error('must be an email address, such as Chancery <no-reply@example.com>');
}

/** The local part leaves room for `+` and a token of 45 characters (RFC 5321 §4.5.3.1.1). */
function bounceAddress(value: string): string | undefined {
  if (/^([a-z\d][a-z\d._-]{0,17}@[a-z\d][a-z\d.-]*)?$/i.test(value)) return value || undefined;
  throw new Error(
    'must be an address whose part before @ has at most 18 letters, digits, dots, hyphens or underscores, such as bounces@example.com',
  );
}

function bearerToken(value: string): string | undefined {
  if (value === '' || /^[\x21-\x7e]{16,200}$/.test(value)) return value || undefined;
  throw new Error('must be 16 to 200 characters without spaces, for example from `openssl rand -hex 24`');
}

function masterKey(value: string): string | undefined {
  if (value === '' || isMasterKey(value)) return value || undefined;
  throw new Error('must be 32 bytes as base64 or hex, for example from `openssl rand -base64 32`');
}

function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || `${url.search}${url.hash}${url.username}${url.password}` !== '') {
    throw new Error('must be an http or https URL, such as https://api.example.com');
  }
  return url.href.replace(/\/$/, '');
}

function databaseUrl(value: string): string | undefined {
  if (value === '') return undefined;
  urlPerHost(value);
  return value;
}

/** Returns the folder of a `file:` URL, or the bucket of an `s3:` URL. */
function storageUrl(value: string): string | S3Place | undefined {
  if (value === '') return undefined;
  if (value.startsWith('s3:')) return readS3Place(value);
  try {
    const folder = fileURLToPath(value.replace(/^file:(?!\/\/)/, 'file://'));
    if (value.startsWith('file:/') && isAbsolute(folder)) return folder;
  } catch {
    // The error is thrown below.
  }
  throw new Error('must be a folder with an absolute path, such as file:/var/lib/chancery/files, or a bucket, such as s3://bucket');
}

function credential(value: string): string | undefined {
  if (/^[\x21-\x7e]{0,4096}$/.test(value)) return value || undefined;
  throw new Error('must have at most 4096 characters without spaces');
}

function smtpUrl(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^smtps?:\/\//.test(value) || !URL.canParse(value)) throw new Error('must look like smtp://user:password@host:587 or smtps://…');
  return value;
}

function readableFolder(value: string): string | undefined {
  if (value === '') return undefined;
  try {
    readdirSync(value);
  } catch (error) {
    throw new Error('must be a readable folder', { cause: error });
  }
  return resolve(value);
}

/** Parses `key=value` pairs with percent-encoded values, separated by commas (W3C Baggage). */
function baggage(value: string): Record<string, string> {
  try {
    return Object.fromEntries((value === '' ? [] : value.split(',')).map(baggagePair));
  } catch {
    throw new Error('must be pairs such as key=value, separated by commas, with percent-encoded values');
  }
}

function baggagePair(pair: string): [key: string, value: string] {
  const [, key, value] = /^\s*([\w.-]+)\s*=\s*([^\s;,]*)\s*$/.exec(pair) ?? [];
  if (key === undefined || value === undefined) throw new Error('not a pair');
  return [key, decodeURIComponent(value)];
}

function serviceName(value: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(value)) return value;
  throw new Error('must have 1 to 100 characters without control characters');
}

function share(value: string): number {
  if (/^(?:0?\.\d+|[01](?:\.0+)?)$/.test(value)) return Number(value);
  throw new Error('must be a number from 0 to 1, such as 0.1');
}

function scannerAddress(value: string): ScannerAddress | undefined {
  if (value === '') return undefined;
  if (isAbsolute(value)) return { path: value };
  const [, host = '', port = ''] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(value) ?? [];
  if (host !== '' && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
  throw new Error('must be the absolute path of a socket, or a host and port, such as 127.0.0.1:3310');
}

/** The settings of the platform. Each domain declares its settings in its `index.ts`. */
export const platformSettings = {
  NODE_ENV: setting(
    '`production` requires MASTER_KEY and an https BASE_URL, and hides the development pages',
    'development',
    oneOf('development', 'production', 'test'),
  ),
  PORT: setting('TCP port to listen on; 0 selects a free port', '8080', integer(0, 65_535)),
  HEALTH_PORT: setting('TCP port of `/healthz`, `/readyz` and `/metrics` of a worker; 0 selects a free port', '9090', integer(0, 65_535)),
  HOST: setting('IP address or host name to listen on', '127.0.0.1', hostName),
  BASE_URL: setting('public URL, used in links, tokens and cookies; by default http://HOST:PORT', '', (value) =>
    value === '' ? undefined : httpUrl(value),
  ),
  DATA_DIR: setting('folder of the embedded database, the files and the generated master key', './data', (value) => resolve(value)),
  CONSOLE_URL: setting('URL of the console, for links in mails; by default BASE_URL/app, where the service serves it', '', (value) =>
    value === '' ? undefined : httpUrl(value),
  ),
  REGISTRATION: setting(
    'who creates accounts: open for each visitor, or invited for people with an invitation, single sign-on, SCIM and `chancery team create`',
    'open',
    oneOf('open', 'invited'),
  ),
  DATABASE_URL: secret(
    'URL of PostgreSQL 15 or later, with one host or several separated by commas; if unset, an embedded server starts in DATA_DIR',
    '',
    databaseUrl,
  ),
  BACKUP_DATABASE_URL: secret(
    'URL of the database for `chancery backup`, with a role that has BYPASSRLS; by default DATABASE_URL',
    '',
    databaseUrl,
  ),
  MIGRATE_AT_START: setting(
    'whether a start migrates the database: on or off; by default off in production, where `chancery migrate` does it and nodes wait for it',
    '',
    optionalFlag,
  ),
  DATABASE_CONNECTIONS: setting(
    'connections for transactions. Each process opens more: a third of this number for fast reads and a quarter for slow reads. Sign-ins and refreshes use 2, notifications 1 and background work 2. In total 31 by default',
    '16',
    integer(2, 500),
  ),
  MASTER_KEY: secret(
    '32 bytes, base64 or hex, that encrypt secrets at rest; if unset with the embedded database, generated in DATA_DIR',
    '',
    masterKey,
  ),
  MASTER_KEYS_ACCEPTED: secret(
    'old master keys that still decrypt data while you replace MASTER_KEY, separated by commas: see below',
    '',
    listOf(isMasterKey, 'must be keys of 32 bytes as base64 or hex, separated by commas'),
  ),
  SMTP_URL: secret('mail server; if unset, mails are stored and shown at /dev/mail', '', smtpUrl),
  MAIL_FROM: setting('sender of mails', 'Chancery <no-reply@localhost>', mailbox),
  BOUNCE_ADDRESS: setting(
    'address that receives reports of undelivered mails, such as bounces@example.com. Your mail system passes them to Chancery: see operate/mail.md. Requires BOUNCE_TOKEN',
    '',
    bounceAddress,
  ),
  BOUNCE_TOKEN: secret('bearer token that your mail system sends with a report', '', bearerToken),
  STORAGE_URL: setting(
    'storage of files: file:/folder, or s3://bucket/prefix?endpoint=…&region=…&pathStyle=true; by default DATA_DIR/files',
    '',
    storageUrl,
  ),
  AWS_ACCESS_KEY_ID: secret('ID of the access key for the bucket in STORAGE_URL', '', credential),
  AWS_SECRET_ACCESS_KEY: secret('secret of the access key', '', credential),
  AWS_SESSION_TOKEN: secret('session token of the access key, if it is temporary', '', credential),
  CLAMD_ADDRESS: setting(
    'clamd that scans uploaded files for viruses, as the path of its socket or as host:port. If unset, files are not scanned. Uploads fail while clamd is unavailable',
    '',
    scannerAddress,
  ),
  MAX_UPLOAD_MB: setting('largest document, in MiB', '100', integer(1, 10_240)),
  FONTS_DIR: setting('folder with additional fonts (TTF, OTF) for characters that the bundled fonts of PDFs lack', '', readableFolder),
  CORS_ORIGINS: setting(
    'browser origins that may call the API, separated by commas',
    '',
    listOf(isOrigin, 'must be origins as browsers send them, such as https://app.example.com, separated by commas'),
  ),
  TRUSTED_PROXIES: setting(
    'IP addresses or CIDR blocks of the reverse proxies whose X-Forwarded-For header is trusted',
    '',
    listOf(
      (item) => isAddress(item) || isBlock(item),
      'must be IP addresses or CIDR blocks, such as 10.0.0.5,10.1.0.0/16, separated by commas',
    ),
  ),
  RATE_LIMIT_PER_MINUTE: setting('maximum requests per minute from one IP address; 0 disables the limit', '1200', integer(0, 1_000_000)),
  ...limitSettings,
  METRICS_TOKEN: secret(
    'bearer token that a collector of /metrics sends; if unset, only this machine can read the metrics',
    '',
    bearerToken,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'URL of an OpenTelemetry collector, such as http://localhost:4318, that receives traces (OTLP over HTTP); requires @chancery/otel. If unset, nothing is traced',
    '',
    (value) => (value === '' ? undefined : httpUrl(value)),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret('headers for the collector, such as authorization=Bearer%20…,x-team=legal', '', baggage),
  OTEL_SERVICE_NAME: setting('name of the service in traces', 'chancery', serviceName),
  OTEL_RESOURCE_ATTRIBUTES: setting(
    'attributes of all spans, such as deployment.environment.name=production,host.name=node-1',
    '',
    baggage,
  ),
  OTEL_TRACES_SAMPLER: setting(
    'traces to keep: always_on, always_off, traceidratio, or parentbased_ before one of them, which follows the caller’s traceparent',
    'parentbased_always_on',
    oneOf('always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'),
  ),
  OTEL_BSP_SCHEDULE_DELAY: setting('milliseconds between exports of spans', '5000', integer(10, 600_000)),
  OTEL_TRACES_SAMPLER_ARG: setting('share of traces for the ratio samplers; 0 to 1', '1', share),
  API_DOCS: setting('whether to serve the API description at /openapi.json, and the documentation at /docs: on or off', 'on', flag),
  LOG_LEVEL: setting('trace, debug, info, warn, error or silent', 'info', oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent')),
} as const;

type PlatformValues = ValuesOf<typeof platformSettings>;

/** The settings of the platform after defaults and checks across settings. */
export type PlatformConfig = Omit<PlatformValues, 'BASE_URL'> & { BASE_URL: string; production: boolean };

/**
 * Reads the settings of the platform from the environment. Throws a {@link ConfigError} that names the first invalid setting.
 * The message does not contain the value, because it can be a secret.
 */
export function readPlatformConfig(environment: Environment): PlatformConfig {
  const read = valuesOf(platformSettings, environment);
  const production = read.NODE_ENV === 'production';
  if (production && read.MASTER_KEY === undefined)
    throw new ConfigError('MASTER_KEY must be set in production: 32 random bytes, for example from `openssl rand -base64 32`.');
  if (production && !read.BASE_URL?.startsWith('https://'))
    throw new ConfigError('BASE_URL must be set to the public https URL in production.');
  if (typeof read.STORAGE_URL === 'object' && (read.AWS_ACCESS_KEY_ID === undefined || read.AWS_SECRET_ACCESS_KEY === undefined))
    throw new ConfigError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set if STORAGE_URL names a bucket.');
  if (read.BOUNCE_ADDRESS !== undefined && read.BOUNCE_TOKEN === undefined)
    throw new ConfigError('BOUNCE_ADDRESS must be set together with BOUNCE_TOKEN, which your mail system sends with each report.');
  const host = read.HOST.includes(':') ? `[${read.HOST}]` : read.HOST;
  return { ...read, production, BASE_URL: read.BASE_URL ?? `http://${host}:${read.PORT}` };
}
