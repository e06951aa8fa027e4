import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

/** One setting: what it is for, its default as text, and how its text is read. A reader throws a sentence without the name. */
type Setting<T> = { help: string; fallback: string | undefined; read: (text: string) => T };

function setting<T>(help: string, fallback: string | undefined, read: (text: string) => T): Setting<T> {
  return { help, fallback, read };
}

const text = (value: string) => value;
const optional = (value: string) => (value === '' ? undefined : value);

function integer(min: number, max: number) {
  return (value: string) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max) throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

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

const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
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

function storageUrl(value: string): string | undefined {
  if (value === '') return undefined;
  if (!value.startsWith('file:')) throw new Error('must begin with file: (a folder)');
  return value;
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
  HOST: setting('address to listen on', '127.0.0.1', text),
  BASE_URL: setting('public address, used in links, tokens and cookies; by default http://HOST:PORT', '', (value) =>
    value === '' ? undefined : httpUrl(value),
  ),
  DATA_DIR: setting('folder of the embedded database, files and the generated master key', './data', (value) => resolve(value)),
  DATABASE_URL: setting('PostgreSQL 15 or later; without it an embedded one is started in DATA_DIR', '', databaseUrl),
  DATABASE_CONNECTIONS: setting('connections of the pool', '16', integer(2, 500)),
  MASTER_KEY: setting('32 bytes, base64 or hex, that encrypt secrets at rest; generated into DATA_DIR when embedded', '', optional),
  SMTP_URL: setting('mail server; without it mails are kept for /dev/mail', '', smtpUrl),
  MAIL_FROM: setting('sender of mails', 'Chancery <no-reply@localhost>', text),
  ALTCHA: setting('proof of work on registration and reset: on in production, off in development unless set', '', (value) =>
    value === '' ? undefined : oneOf('on', 'off')(value),
  ),
  STORAGE_URL: setting('where files are kept: file:/folder; by default DATA_DIR/files', '', storageUrl),
  MAX_UPLOAD_MB: setting('largest document, in MiB', '100', integer(1, 10_240)),
  CORS_ORIGINS: setting('browser origins that may call the API, separated by commas', '', list),
  TRUSTED_PROXIES: setting('addresses or CIDR blocks of proxies whose X-Forwarded-For is believed', '', list),
  RATE_LIMIT_PER_MINUTE: setting('requests a minute from one address; 0 is no limit', '1200', integer(0, 1_000_000)),
  PASSWORD_MIN_LENGTH: setting('shortest password, in code points', '8', integer(8, 64)),
  REFRESH_RETRY_GRACE_SECONDS: setting('how long a used refresh token gets the same successor again', '20', integer(0, 300)),
  HASH_CONCURRENCY: setting(
    'passwords hashed at once; by default as many as there are cores, at most 3: files and name look-ups share their threads',
    String(Math.min(availableParallelism(), 3)),
    integer(1, 64),
  ),
  SIGNING_ALGORITHM: setting('of access tokens', 'ES256', oneOf('ES256', 'EdDSA', 'RS256')),
  WEBHOOKS_ALLOW_PRIVATE: setting(
    'http and private addresses as webhook targets: true in development, false in production unless set',
    '',
    (value) => (value === '' ? undefined : flag(value)),
  ),
  WEBHOOKS_ALLOW_CIDRS: setting('private blocks that webhooks may reach nevertheless', '', list),
  WEBHOOKS_CA_FILE: setting('PEM file of certificate authorities that webhook targets may use besides the public ones', '', optional),
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
  LOG_LEVEL: setting('trace, debug, info, warn, error or silent', 'info', oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent')),
} as const;

type Settings = typeof settings;
type Values = { [Name in keyof Settings]: ReturnType<Settings[Name]['read']> };

/** Every setting read and checked, with what follows from one another decided. */
export type Config = Omit<Values, 'BASE_URL' | 'ALTCHA' | 'WEBHOOKS_ALLOW_PRIVATE' | 'AUDIT_ORIGIN'> & {
  BASE_URL: string;
  AUDIT_ORIGIN: string;
  ALTCHA: 'on' | 'off';
  WEBHOOKS_ALLOW_PRIVATE: boolean;
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
  if (read.WEBHOOK_LEASE_SECONDS <= read.WEBHOOK_TIMEOUT_SECONDS)
    throw new ConfigError(
      'WEBHOOK_LEASE_SECONDS must be longer than WEBHOOK_TIMEOUT_SECONDS, or two workers would send the same delivery.',
    );
  const baseUrl = read.BASE_URL ?? `http://${read.HOST.includes(':') ? `[${read.HOST}]` : read.HOST}:${read.PORT}`;
  return {
    ...read,
    production,
    BASE_URL: baseUrl,
    // A log is named by where its tiles stand, without the scheme (C2SP tlog-tiles, Parameters).
    AUDIT_ORIGIN: read.AUDIT_ORIGIN ?? `${baseUrl.replace(/^https?:\/\//, '')}/tlog`,
    ALTCHA: read.ALTCHA ?? (production ? 'on' : 'off'),
    WEBHOOKS_ALLOW_PRIVATE: read.WEBHOOKS_ALLOW_PRIVATE ?? !production,
  };
}

/** The settings as `doctor` and the documentation list them. */
export function describeSettings(): { name: string; fallback: string; help: string }[] {
  return Object.entries(settings).map(([name, { fallback, help }]) => ({ name, fallback: fallback ?? '', help }));
}
