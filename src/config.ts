import { Resolver } from 'node:dns';
import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { isMasterKey } from './platform/crypto/master-key.ts';
import { lifetimeFault, lifetimeSettings } from './platform/lifetimes.ts';
import { limitSettings } from './platform/limits/settings.ts';
import { integer, setting } from './platform/settings.ts';

const optional = (value: string) => (value === '' ? undefined : value);

function oneOf<const Choices extends string>(...choices: Choices[]) {
  return (value: string): Choices => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

const flag = (value: string): boolean => {
  if (['true', 'on', '1', 'yes'].includes(value)) return true;
  if (['false', 'off', '0', 'no'].includes(value)) return false;
  throw new Error('must be true or false');
};

/** Name servers as `address` or `address:port`. */
function nameServers(value: string): string[] {
  const servers = list(value);
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new Error('must be addresses of name servers, such as 10.0.0.2 or 10.0.0.2:5353, separated by commas');
  }
  return servers;
}

const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A list each of whose items must be so. */
function listOf(is: (item: string) => boolean, sentence: string) {
  return (value: string): string[] => {
    const items = list(value);
    if (!items.every(is)) throw new Error(sentence);
    return items;
  };
}

const isBlock = (item: string) => ipaddr.isValidCIDR(item);
const isAddress = (item: string) => ipaddr.IPv4.isValidFourPartDecimal(item) || ipaddr.IPv6.isValid(item);
/** An origin as browsers send it: no path, no slash, no default port. */
const isOrigin = (item: string) => URL.canParse(item) && /^https?:/.test(item) && new URL(item).origin === item;

function host(value: string): string {
  if (isAddress(value) || /^(?=.{1,253}$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) return value;
  throw new Error('must be an address or a name of this machine, such as 127.0.0.1, without a port');
}

/** A name that browsers bind passkeys to: a host name, never an address (WebAuthn §5.1.2, RP ID). */
function relyingParty(value: string): string | undefined {
  if (value === '') return undefined;
  if (!isAddress(value) && /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/.test(value)) return value;
  throw new Error('must be a host name in small letters, such as example.com, without scheme and port');
}

function mailbox(value: string): string {
  if (/^[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/u.test(value)) return value;
  throw new Error('must be an address, such as Chancery <no-reply@example.com>');
}

function masterKey(value: string): string | undefined {
  if (value === '' || isMasterKey(value)) return value || undefined;
  throw new Error('must be 32 bytes as base64 or hex, for example from `openssl rand -base64 32`');
}

function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || `${url.search}${url.hash}${url.username}${url.password}` !== '') {
    throw new Error('must be an http or https address, such as https://api.example.com');
  }
  return url.href.replace(/\/$/, '');
}

function keyName(value: string): string {
  if (/[\s+\p{Cc}]/u.test(value)) throw new Error('must have no spaces and no plus, such as audit.example.com/tlog');
  return value;
}

function databaseUrl(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value))
    throw new Error('must look like postgres://user:password@host:5432/database');
  return value;
}

/** The folder that a `file:` address names. */
function storageUrl(value: string): string | undefined {
  if (value === '') return undefined;
  try {
    const folder = fileURLToPath(value.replace(/^file:(?!\/\/)/, 'file://'));
    if (value.startsWith('file:/') && isAbsolute(folder)) return folder;
  } catch {
    // Falls through to the refusal.
  }
  throw new Error('must name a folder by its whole path, such as file:/var/lib/chancery/files');
}

function smtpUrl(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^smtps?:\/\//.test(value) || !URL.canParse(value)) throw new Error('must look like smtp://user:password@host:587 or smtps://…');
  return value;
}

/** Every setting, by the name of its environment variable. Times carry their unit in the name or the help. */
const settings = {
  NODE_ENV: setting(
    '`production` asks for MASTER_KEY and an https BASE_URL, and hides the development pages',
    'development',
    oneOf('development', 'production', 'test'),
  ),
  PORT: setting('TCP port to listen on; 0 takes a free one', '8080', integer(0, 65_535)),
  HOST: setting('address to listen on', '127.0.0.1', host),
  BASE_URL: setting('public address, used in links, tokens and cookies; by default http://HOST:PORT', '', (value) =>
    value === '' ? undefined : httpUrl(value),
  ),
  DATA_DIR: setting('folder of the embedded database, files and the generated master key', './data', (value) => resolve(value)),
  DATABASE_URL: setting('PostgreSQL 15 or later; without it an embedded one is started in DATA_DIR', '', databaseUrl),
  DATABASE_CONNECTIONS: setting(
    'connections for transactions; a process opens a third as many besides for quick reads and a quarter for slow ones, 2 for sign-ins and refreshes, 1 for notifications and 2 for background work: 31 by default',
    '16',
    integer(2, 500),
  ),
  MASTER_KEY: setting('32 bytes, base64 or hex, that encrypt secrets at rest; generated into DATA_DIR when embedded', '', masterKey),
  MASTER_KEYS_ACCEPTED: setting(
    'further master keys that open what was sealed with them while MASTER_KEY is replaced, separated by commas: see below',
    '',
    listOf(isMasterKey, 'must be keys of 32 bytes as base64 or hex, separated by commas'),
  ),
  SMTP_URL: setting('mail server; without it mails are kept for /dev/mail', '', smtpUrl),
  MAIL_FROM: setting('sender of mails', 'Chancery <no-reply@localhost>', mailbox),
  ALTCHA: setting('proof of work on registration and reset: on in production, off in development unless set', '', (value) =>
    value === '' ? undefined : oneOf('on', 'off')(value),
  ),
  STORAGE_URL: setting('where files are kept: file:/folder; by default DATA_DIR/files', '', storageUrl),
  MAX_UPLOAD_MB: setting('largest document, in MiB', '100', integer(1, 10_240)),
  CORS_ORIGINS: setting(
    'browser origins that may call the API, separated by commas',
    '',
    listOf(isOrigin, 'must be origins as browsers send them, such as https://app.example.com, separated by commas'),
  ),
  TRUSTED_PROXIES: setting(
    'addresses or CIDR blocks of proxies whose X-Forwarded-For is believed',
    '',
    listOf((item) => isAddress(item) || isBlock(item), 'must be addresses or blocks, such as 10.0.0.5,10.1.0.0/16, separated by commas'),
  ),
  RATE_LIMIT_PER_MINUTE: setting('requests a minute from one address; 0 is no limit', '1200', integer(0, 1_000_000)),
  PASSWORD_MIN_LENGTH: setting('shortest password, in code points', '8', integer(8, 64)),
  REFRESH_RETRY_GRACE_SECONDS: setting('how long a used refresh token gets the same successor again', '20', integer(0, 300)),
  ...lifetimeSettings,
  HASH_CONCURRENCY: setting(
    'passwords hashed at once; by default one more than there are cores, at most 3: files and name look-ups share their threads',
    String(Math.min(availableParallelism() + 1, 3)),
    integer(1, 64),
  ),
  PASSKEY_RP_ID: setting(
    'name that passkeys are bound to, the host of their pages or a domain above it; by default the host of BASE_URL',
    '',
    relyingParty,
  ),
  SSO_ALLOW_PRIVATE: setting(
    'http and private addresses as providers of single sign-on: true in development, false in production unless set',
    '',
    (value) => (value === '' ? undefined : flag(value)),
  ),
  SSO_ALLOW_CIDRS: setting(
    'private blocks that providers of single sign-on may be in nevertheless',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  SSO_DNS_SERVERS: setting(
    'name servers that providers of single sign-on and proofs of domains are looked up with, instead of the system’s',
    '',
    nameServers,
  ),
  STAFF_REQUIRE_TOTP: setting('staff must have a second factor: true in production, false in development unless set', '', (value) =>
    value === '' ? undefined : flag(value),
  ),
  STAFF_BOOTSTRAP_EMAIL: setting('address of the first staff account, made while there is none', '', optional),
  STAFF_BOOTSTRAP_PASSWORD: setting('its password', '', optional),
  SIGNING_ALGORITHM: setting(
    'of access tokens: ES256, EdDSA or RS256; a change takes effect ten minutes after a start, with the next key',
    'ES256',
    oneOf('ES256', 'EdDSA', 'RS256'),
  ),
  KEY_ROTATION_DAYS: setting('days that a signing key signs, before the next one takes over', '90', integer(1, 3_650)),
  WEBHOOKS_ALLOW_PRIVATE: setting(
    'http and private addresses as webhook targets: true in development, false in production unless set',
    '',
    (value) => (value === '' ? undefined : flag(value)),
  ),
  WEBHOOKS_ALLOW_CIDRS: setting(
    'private blocks that webhooks may reach nevertheless',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  WEBHOOKS_CA_FILE: setting('PEM file of certificate authorities that webhook targets may use besides the public ones', '', optional),
  WEBHOOKS_DNS_SERVERS: setting('name servers that webhook targets are looked up with, instead of the system’s', '', nameServers),
  WEBHOOK_RETRY_SCHEDULE: setting('waits between attempts, such as 5s,5m,1h; without it exponential over 54 hours', '', optional),
  WEBHOOK_TIMEOUT_SECONDS: setting('deadline of one delivery, body included', '15', integer(1, 60)),
  WEBHOOK_LEASE_SECONDS: setting('how long a worker owns a claimed delivery; longer than the timeout', '30', integer(2, 600)),
  AUDIT_ORIGIN: setting(
    'name of the audit journal’s tree in its checkpoints; by default BASE_URL without its scheme, and /tlog',
    '',
    (value) => (value === '' ? undefined : keyName(value)),
  ),
  AUDIT_WITNESSES: setting(
    'outside witnesses that cosign checkpoints: verifier key, space, address; several separated by commas',
    '',
    optional,
  ),
  AUDIT_ADDRESS_DAYS: setting('after how many days the IP addresses in the journal are erased; 0 keeps them', '0', integer(0, 36_500)),
  ...limitSettings,
  METRICS_TOKEN: setting('what a collector of /metrics sends as bearer token; without it they are for this machine alone', '', (value) => {
    if (value === '' || /^[\x21-\x7e]{16,200}$/.test(value)) return value || undefined;
    throw new Error('must be 16 to 200 characters without spaces, for example from `openssl rand -hex 24`');
  }),
  API_DOCS: setting('the description of the API at /openapi.json and /docs: on or off', 'on', flag),
  LOG_LEVEL: setting('trace, debug, info, warn, error or silent', 'info', oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent')),
} as const;

type Settings = typeof settings;
type Values = { [Name in keyof Settings]: ReturnType<Settings[Name]['read']> };

/** Every setting read and checked, with what follows from one another decided. */
export type Config = Omit<
  Values,
  'BASE_URL' | 'ALTCHA' | 'WEBHOOKS_ALLOW_PRIVATE' | 'STAFF_REQUIRE_TOTP' | 'AUDIT_ORIGIN' | 'PASSKEY_RP_ID' | 'SSO_ALLOW_PRIVATE'
> & {
  BASE_URL: string;
  AUDIT_ORIGIN: string;
  PASSKEY_RP_ID: string;
  /** Where pages stand that may use passkeys. */
  passkeyOrigins: string[];
  ALTCHA: 'on' | 'off';
  WEBHOOKS_ALLOW_PRIVATE: boolean;
  SSO_ALLOW_PRIVATE: boolean;
  STAFF_REQUIRE_TOTP: boolean;
  production: boolean;
};

/** A setting that cannot be used; the message is one sentence that names it. */
export class ConfigError extends Error {}

/**
 * Reads the settings from an environment. Throws a {@link ConfigError} naming the first that is wrong; the value itself
 * is not repeated, since it may be a secret.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  for (const [name, { fallback, read }] of Object.entries(settings)) {
    try {
      values[name] = read(environment[name]?.trim() || (fallback ?? ''));
    } catch (error) {
      throw new ConfigError(`${name} ${error instanceof Error ? error.message : 'is not usable'}.`);
    }
  }
  const read = values as Values;
  const production = read.NODE_ENV === 'production';
  if (production && read.MASTER_KEY === undefined)
    throw new ConfigError('MASTER_KEY must be set in production: 32 random bytes, for example from `openssl rand -base64 32`.');
  if (production && !read.BASE_URL?.startsWith('https://'))
    throw new ConfigError('BASE_URL must be set to the public https address in production.');
  const bootstrap = ['STAFF_BOOTSTRAP_EMAIL', 'STAFF_BOOTSTRAP_PASSWORD'] as const;
  const given = bootstrap.filter((name) => read[name] !== undefined);
  if (given.length === 1) throw new ConfigError(`${given[0]} must be set together with ${bootstrap.find((name) => name !== given[0])}.`);
  if (read.WEBHOOK_LEASE_SECONDS <= read.WEBHOOK_TIMEOUT_SECONDS)
    throw new ConfigError(
      'WEBHOOK_LEASE_SECONDS must be longer than WEBHOOK_TIMEOUT_SECONDS, or two workers would send the same delivery.',
    );
  const fault = lifetimeFault(read);
  if (fault !== undefined) throw new ConfigError(fault);
  const baseUrl = read.BASE_URL ?? `http://${read.HOST.includes(':') ? `[${read.HOST}]` : read.HOST}:${read.PORT}`;
  const passkeys = passkeySettings(read.PASSKEY_RP_ID, baseUrl, read.CORS_ORIGINS);
  return {
    ...read,
    production,
    BASE_URL: baseUrl,
    PASSKEY_RP_ID: passkeys.rpId,
    passkeyOrigins: passkeys.origins,
    // A log is named by where its tiles stand, without the scheme (C2SP tlog-tiles, Parameters).
    AUDIT_ORIGIN: read.AUDIT_ORIGIN ?? `${baseUrl.replace(/^https?:\/\//, '')}/tlog`,
    ALTCHA: read.ALTCHA ?? (production ? 'on' : 'off'),
    WEBHOOKS_ALLOW_PRIVATE: read.WEBHOOKS_ALLOW_PRIVATE ?? !production,
    SSO_ALLOW_PRIVATE: read.SSO_ALLOW_PRIVATE ?? !production,
    STAFF_REQUIRE_TOTP: read.STAFF_REQUIRE_TOTP ?? production,
  };
}

/**
 * What passkeys are bound to, and the pages that may use them: the service's own and those of CORS_ORIGINS. Browsers bind
 * them to no address, so that a service on a loopback address goes by `localhost`.
 */
function passkeySettings(given: string | undefined, baseUrl: string, corsOrigins: readonly string[]): { rpId: string; origins: string[] } {
  const own = new URL(baseUrl);
  if (/^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(own.hostname)) own.hostname = 'localhost';
  const rpId = given ?? own.hostname;
  const origins = [...new Set([own.origin, ...corsOrigins])];
  const within = origins.filter((origin) => `.${new URL(origin).hostname}`.endsWith(`.${rpId}`));
  if (given !== undefined && within.length === 0)
    throw new ConfigError('PASSKEY_RP_ID must be the host of BASE_URL or of one of CORS_ORIGINS, or a domain above it.');
  return { rpId, origins: within };
}

/** The settings as `doctor` and the documentation list them. */
export function describeSettings(): { name: string; fallback: string; help: string }[] {
  return Object.entries(settings).map(([name, { fallback, help }]) => ({ name, fallback: fallback ?? '', help }));
}
