import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { ConfigError, describeSettings, readConfig } from './config.ts';
import { createTestDatabase } from '../test/postgres.ts';
import { limitSettings } from './platform/limits/settings.ts';
import { startService } from './service.ts';

const key = randomBytes(32).toString('base64');
const production = { NODE_ENV: 'production', MASTER_KEY: key, BASE_URL: 'https://api.example.org' };

/** Returns the message that rejects an invalid setting. */
function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  throw new Error(`taken: ${JSON.stringify(environment)}`);
}

const wrong: [string, ...string[]][] = [
  ['NODE_ENV', 'prod', 'Production', 'staging'],
  ['PORT', 'http', '-1', '65536', '80.5', '0x50', '8e3', '80 81'],
  ['HEALTH_PORT', 'http', '65536'],
  ['HOST', 'localhost:80', 'a b', 'http://localhost', '-a', '[::1]'],
  ['BASE_URL', 'api.example.org', 'ftp://a', 'https://', 'https://a?b', 'https://a/#x', 'https://user:hunter2secret@a.example'],
  ['BACKUP_DATABASE_URL', 'mysql://root:hunter2secret@x/y', 'localhost'],
  ['DATABASE_URL', 'mysql://root:hunter2secret@x/y', 'localhost', 'postgres:', 'postgres://[hunter2secret'],
  ['MIGRATE_AT_START', 'maybe'],
  ['DATABASE_CONNECTIONS', '1', '501', 'many'],
  ...Object.keys(limitSettings).map((name): [string, ...string[]] => [name, '-1', '99999999999', 'many']),
  ['MASTER_KEY', 'hunter2secret', 'c2hvcnQ=', `${key}${key}`, 'z'.repeat(64), randomBytes(31).toString('base64')],
  ['METRICS_TOKEN', 'hunter2secret', 'with a space in it, hunter2secret'],
  ['BOUNCE_ADDRESS', 'bounces', 'Bounces <a@b.example>', 'a+b@c.example', `${'a'.repeat(19)}@b.example`, 'bounces@b.example'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'grpc://a', 'https://user:hunter2secret@a.example'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2secret', 'a=hunter2secret,b', 'a=%hunter2secret', 'a b=c'],
  ['OTEL_SERVICE_NAME', 'a'.repeat(101)],
  ['OTEL_RESOURCE_ATTRIBUTES', 'no pair', '=a'],
  ['OTEL_TRACES_SAMPLER', 'always', 'jaeger_remote'],
  ['OTEL_BSP_SCHEDULE_DELAY', '0', 'soon'],
  ['OTEL_TRACES_SAMPLER_ARG', '-0.1', '1.1', 'half', '1e-3'],
  ['BOUNCE_TOKEN', 'hunter2secret', 'with a space in it, hunter2secret'],
  ['API_DOCS', 'maybe', 'ON'],
  ['MASTER_KEYS_ACCEPTED', 'hunter2secret', `${key},hunter2secret`, 'c2hvcnQ='],
  ['SMTP_URL', 'mail.example.org', 'http://user:hunter2secret@mail', 'smtp:hunter2secret'],
  ['MAIL_FROM', 'Chancery', 'a@b@c', 'a <b', 'x@y\nbcc: z@y', '<@>'],
  ['ALTCHA', 'true', 'yes', 'ON'],
  [
    'STORAGE_URL',
    '/var/files',
    'file:relative',
    'file://host/share',
    'file:',
    's3://key:hunter2secret@bucket',
    's3:bucket',
    's3://Bucket/../x',
  ],
  [
    'STORAGE_URL',
    's3://bucket?secret=hunter2secret',
    's3://bucket?endpoint=s3.example.org',
    's3://bucket?endpoint=http://h/path',
    's3://b/%2e',
  ],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].map((name): [string, ...string[]] => [
    name,
    'hunter2secret hunter2',
  ]),
  ['MAX_UPLOAD_MB', '0', '10241', '1.5', '100MB'],
  ['BARRIER_JOB_DOCUMENTS', '-1', '1000001', '1.5', 'many'],
  [
    'CORS_ORIGINS',
    '*',
    'https://a.example/',
    'https://a.example/path',
    'a.example',
    'https://a.example, b',
    'https://a.example:443',
    'null',
  ],
  ['TRUSTED_PROXIES', 'proxy', '10.0.0.0/33', '10.0.0', '10.0.0.1; 10.0.0.2', 'true', '1'],
  ['RATE_LIMIT_PER_MINUTE', '-1', 'none', '1000001'],
  ['FORM_SUBMITS_PER_MINUTE', '-1', '601', 'many'],
  ['FORM_SUBMITS_PER_ADDRESS', '-1', '601', 'many'],
  ['PASSWORD_MIN_LENGTH', '7', '65', '8.0'],
  ['REFRESH_RETRY_GRACE_SECONDS', '-1', '301', '20s'],
  ['ACCESS_TOKEN_SECONDS', '0', '901', '15m'],
  // Shorter than the default lifetime of an access token, too long, not a number.
  ['SESSION_IDLE_SECONDS', '60', '7776001', '30d'],
  ['SESSION_SECONDS', '86400', '31622401', 'forever'],
  ['SIGN_IN_CHALLENGE_SECONDS', '4', '901'],
  ['MAILED_CODE_SECONDS', '4', '3601'],
  ['RESET_LINK_SECONDS', '4', '86401'],
  ['INVITATION_SECONDS', '4', '2592001'],
  ['HASH_CONCURRENCY', '0', '65'],
  ['SIGNING_ALGORITHM', 'HS256', 'none', 'es256'],
  ['WEBHOOKS_ALLOW_PRIVATE', 'maybe', 'TRUE', '2'],
  ['WEBHOOKS_ALLOW_CIDRS', '10.0.0.1', '10.0.0.0/99', 'all'],
  ['WEBHOOK_TIMEOUT_SECONDS', '0', '61', '15s'],
  ['WEBHOOK_LEASE_SECONDS', '1', '601', '15'],
  ['KEY_ROTATION_DAYS', '0', '3651', 'quarterly'],
  ['PASSKEY_RP_ID', 'https://example.com', 'example.com:443', '10.0.0.1', 'Example.com', 'elsewhere.example', '.com'],
  ['SSO_ALLOW_PRIVATE', 'maybe', 'TRUE'],
  ['SSO_ALLOW_CIDRS', '10.0.0.1', 'all'],
  ['SSO_DNS_SERVERS', 'dns.example', '10.0.0.300'],
  ['SUGGEST_PROVIDER', 'google', 'Photon'],
  [
    'SUGGEST_URL',
    'photon.example.org',
    'ftp://photon.example.org',
    'https://user:hunter2secret@photon.example.org',
    'https://a.example/#b',
  ],
  ['SUGGEST_AUTHORIZATION', 'Token hunter2secret\u0007', 'Tökén hunter2secret'],
  ['SUGGEST_MAPPING', '/results', '{"items": "results", "value": "/a"}', '{"items": "/results"}'],
  ['SUGGEST_TIMEOUT_MS', '99', '10001', '2s'],
  ['FORM_UPLOADS_PER_ADDRESS', '-1', '601', 'many'],
  ['FORM_REPORTS_PER_ADDRESS', '-1', '601', 'many'],
  ['TEAM_AGENT_RUNS_AT_ONCE', '0', '101', 'many'],
  ['CLAMD_ADDRESS', 'clamd', 'relative/clamd.sock', '127.0.0.1:0', '127.0.0.1:65536', 'http://127.0.0.1:3310'],
  ['SUGGEST_PER_MINUTE', '-1', '10001', 'many'],
  ['SUGGEST_CACHE_MINUTES', '-1', '10081', 'forever'],
  ['REGISTRATION', 'closed', 'Open'],
  ['CONSOLE_URL', 'console.example', 'ftp://console.example', 'https://console.example/app?a=b'],
  ['STAFF_REQUIRE_TOTP', 'maybe', 'TRUE'],
  ['STAFF_BOOTSTRAP_EMAIL', 'root', 'a@b@c', 'someone@example.org'],
  ['STAFF_BOOTSTRAP_PASSWORD', 'hunter2secret'],
  ['SEAL_NAME', 'x'.repeat(61), 'two\nlines'],
  ['TIMESTAMP_URL', 'tsa.example', 'ftp://tsa.example', 'https://user:hunter2secret@tsa.example'],
  ['WEBHOOKS_DNS_SERVERS', 'dns.example', '10.0.0.300'],
  ['CALENDARS_ALLOW_PRIVATE', 'maybe'],
  ['CALENDARS_ALLOW_CIDRS', '10.20.0.0', 'intranet.example'],
  ['CALENDARS_DNS_SERVERS', 'dns.example', '10.0.0.300'],
  ['CONNECTED_APPS_ALLOW_PRIVATE', 'maybe'],
  ['MCP_SERVERS_ALLOW_PRIVATE', 'maybe'],
  ['MCP_SERVERS_ALLOW_CIDRS', '10.20.0.0', 'intranet.example'],
  ['MCP_SERVERS_DNS_SERVERS', 'dns.example', '10.0.0.300'],
  ['AUDIT_ADDRESS_DAYS', '-1', '36501', 'never'],
  ['TEAM_AGENT_RUNS_AT_ONCE', '0', '101', 'many'],
  ['TEAM_AGENT_TOKENS_A_DAY', '999', '2000000001', 'many'],
  [
    'AGENT_MODEL_URL',
    'models.example',
    'ftp://models.example',
    'https://user:hunter2secret@models.example/v1',
    'https://models.example/v1?a=b',
  ],
  ['AGENT_MODELS', 'x'.repeat(201)],
  ['AGENT_MODEL_PROTOCOL', 'grpc', 'OpenAI'],
  ['AGENT_MODEL_TIMEOUT_SECONDS', '0', '601', '2m'],
  ['AGENT_MODEL_PRICES', 'small', 'small=1', 'small=a/b'],
  ['LOG_LEVEL', 'verbose', 'INFO', 'fatal'],
];
for (const [name, ...values] of wrong) {
  test(`${name}: an invalid value is rejected with one sentence that names the setting and does not contain the value`, () => {
    for (const value of values) {
      const sentence = refusal({ [name]: value });
      assert.match(sentence, new RegExp(`^${name} must `), value);
      assert.match(sentence, /\.$/);
      assert.ok(!sentence.includes('\n'));
      assert.doesNotMatch(sentence, /hunter2secret/);
      if (value.length > 12) assert.ok(!sentence.includes(value), value);
    }
  });
}

test('every setting is in the list above or is read at startup', () => {
  const untested = describeSettings().filter(({ name }) => !wrong.some(([tested]) => tested === name));
  assert.deepEqual(untested.map(({ name }) => name).toSorted(), [
    'AGENT_MODEL_KEY',
    'AGENT_MODEL_REGION',
    'AUDIT_ORIGIN',
    'AUDIT_WITNESSES',
    'DATA_DIR',
    'FONTS_DIR',
    'SEAL_PKCS12',
    'SEAL_PKCS12_PASSWORD',
    'VERIFY_TRUST',
    'WEBHOOKS_CA_FILE',
    'WEBHOOK_RETRY_SCHEDULE',
  ]);
});

test('settings with secrets are never shown, and no setting with such a name is missing', () => {
  const secrets = describeSettings().filter(({ secret }) => secret);
  assert.deepEqual(secrets.map(({ name }) => name).toSorted(), [
    'AGENT_MODEL_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'BACKUP_DATABASE_URL',
    'BOUNCE_TOKEN',
    'DATABASE_URL',
    'MASTER_KEY',
    'MASTER_KEYS_ACCEPTED',
    'METRICS_TOKEN',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'SEAL_PKCS12_PASSWORD',
    'SMTP_URL',
    'STAFF_BOOTSTRAP_PASSWORD',
    'SUGGEST_AUTHORIZATION',
    'SUGGEST_URL',
    'TIMESTAMP_URL',
  ]);
  const named = /(?:KEYS?|TOKEN|SECRET|PASSWORD|AUTHORIZATION)(?:_ACCEPTED)?$/;
  for (const { name, secret } of describeSettings()) if (named.test(name)) assert.ok(secret, name);
  // NAME_FILE of a secret names its file.
  for (const { name } of secrets) assert.ok(!describeSettings().some((other) => other.name === `${name}_FILE`), name);
});

test('any text in a setting is read or rejected with the name of the setting and without the text', () => {
  const names = describeSettings().map(({ name }) => name);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ minLength: 20, maxLength: 60 }), (name, value) => {
      try {
        readConfig({ [name]: value });
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
        assert.ok(error.message.startsWith(`${name} `), error.message);
        assert.ok(!error.message.includes(value.trim()));
      }
    }),
    { numRuns: 500 },
  );
});

describe('a secret in a file', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'chancery-secrets-'))));
  after(() => rm(folder, { recursive: true, force: true }));
  const store = async (content: string) => {
    const file = join(folder, randomBytes(8).toString('hex'));
    await writeFile(file, content);
    return file;
  };
  const secrets = describeSettings().filter(({ secret }) => secret);
  const anySecret = fc.constantFrom(...secrets.map(({ name }) => name));

  test('is read as in the variable, without the newline at its end', async () => {
    const file = await store(`${key}\n`);
    assert.equal(readConfig({ MASTER_KEY_FILE: file }).MASTER_KEY, key);
    assert.equal(readConfig({ MASTER_KEY_FILE: file, MASTER_KEY: '' }).MASTER_KEY, key);
    assert.equal(readConfig({ SEAL_PKCS12_PASSWORD_FILE: await store(' two words \r\n') }).SEAL_PKCS12_PASSWORD, ' two words ');
    assert.ok(readConfig({ NODE_ENV: 'production', MASTER_KEY_FILE: file, BASE_URL: production.BASE_URL }).production);
  });

  test('of each secret setting is accepted or rejected as the same text in the variable', async () => {
    const outcome = (environment: Record<string, string>) => {
      try {
        return readConfig(environment);
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
        return error.message.replace(/, read from \S+,/, '').replaceAll('_FILE', '');
      }
    };
    const text = fc.oneof(fc.constant(key), fc.stringMatching(/^[!-~]{20,60}$/), fc.constant('postgres://a:b@c/d'));
    await fc.assert(
      fc.asyncProperty(anySecret, text, async (name, value) => {
        const file = await store(`${value}\n`);
        assert.deepEqual(outcome({ [`${name}_FILE`]: file }), outcome({ [name]: value }));
      }),
      { numRuns: 200 },
    );
  });

  test('with invalid content is rejected with the setting and the path, and without the content', async () => {
    const invalid = await store('c2hvcnQ=');
    assert.match(refusal({ MASTER_KEY_FILE: invalid }), new RegExp(`^MASTER_KEY, read from ${invalid}, must be 32 bytes`));
    const anyContent = fc.string({ minLength: 20, maxLength: 60 }).filter((text) => text.trim().length > 12);
    await fc.assert(
      fc.asyncProperty(anySecret, anyContent, async (name, content) => {
        const file = await store(content);
        try {
          readConfig({ [`${name}_FILE`]: file });
        } catch (error) {
          assert.ok(error instanceof ConfigError, String(error));
          assert.ok(error.message.startsWith(name), error.message);
          assert.ok(!error.message.includes(content.trim()));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('is rejected beside the variable, if it cannot be read and if it is empty', async () => {
    const file = await store(`${key}\n`);
    const empty = await store('\n');
    const missing = join(folder, 'none');
    for (const { name } of secrets) {
      const fileName = `${name}_FILE`;
      assert.equal(refusal({ [name]: key, [fileName]: file }), `${name} and ${fileName} are both set. Set only one of them.`);
      assert.equal(refusal({ [fileName]: missing }), `${fileName} names the file ${missing}, which cannot be read: ENOENT.`);
      assert.equal(refusal({ [fileName]: folder }), `${fileName} names the file ${folder}, which cannot be read: EISDIR.`);
      assert.equal(refusal({ [fileName]: empty }), `${fileName} names the file ${empty}, which is empty.`);
    }
  });

  test('is not read for other settings', () => {
    assert.equal(readConfig({ PORT_FILE: join(folder, 'none') }).PORT, 8080);
  });
});

test('one URL names the bucket, with or without an endpoint, and requires credentials', () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const place = (STORAGE_URL: string) => readConfig({ STORAGE_URL, ...credentials }).STORAGE_URL;
  assert.deepEqual(place('s3://bucket.of.ours/a/b/?endpoint=http://10.0.0.5:9000&region=eu-1'), {
    endpoint: 'http://10.0.0.5:9000',
    region: 'eu-1',
    bucket: 'bucket.of.ours',
    prefix: 'a/b/',
    pathStyle: true,
  });
  assert.deepEqual(place('s3://bucket?region=eu-west-1'), {
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
    region: 'eu-west-1',
    bucket: 'bucket',
    prefix: '',
    pathStyle: false,
  });
  assert.match(
    refusal({ STORAGE_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'id' }),
    /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set/,
  );
});

test('valid values are accepted in their usual spellings', () => {
  const config = readConfig({
    PORT: ' 0 ',
    HOST: '::1',
    MASTER_KEY: randomBytes(32).toString('hex'),
    STORAGE_URL: 'file:/var/lib/my%20files',
    CORS_ORIGINS: 'https://a.example, http://localhost:3000,',
    TRUSTED_PROXIES: '10.0.0.5, 10.1.0.0/16, ::1, fd00::/8',
    WEBHOOKS_ALLOW_PRIVATE: 'off',
    MAIL_FROM: 'Kanzlei Müller <post@example.org>',
    BASE_URL: 'https://api.example.org/sub/',
  });
  assert.deepEqual(
    [config.PORT, config.STORAGE_URL, config.CORS_ORIGINS, config.TRUSTED_PROXIES, config.WEBHOOKS_ALLOW_PRIVATE, config.BASE_URL],
    [
      0,
      '/var/lib/my files',
      ['https://a.example', 'http://localhost:3000'],
      ['10.0.0.5', '10.1.0.0/16', '::1', 'fd00::/8'],
      false,
      'https://api.example.org/sub',
    ],
  );
});

test('passkeys are bound to the host of BASE_URL or to the given domain, and pages within it can use them', () => {
  const of = (environment: Record<string, string>) => {
    const { PASSKEY_RP_ID, passkeyOrigins } = readConfig(environment);
    return [PASSKEY_RP_ID, passkeyOrigins];
  };
  const pages = { CORS_ORIGINS: 'https://app.example.org,https://example.com' };
  assert.deepEqual(of({ BASE_URL: 'https://api.example.org' }), ['api.example.org', ['https://api.example.org']]);
  assert.deepEqual(of({ BASE_URL: 'https://api.example.org', PASSKEY_RP_ID: 'example.org', ...pages }), [
    'example.org',
    ['https://api.example.org', 'https://app.example.org'],
  ]);
  assert.deepEqual(of({ BASE_URL: 'https://api.example.org', PASSKEY_RP_ID: 'example.com', ...pages }), [
    'example.com',
    ['https://example.com'],
  ]);
  assert.deepEqual(of({ PORT: '8080' }), ['localhost', ['http://localhost:8080']]);
  assert.deepEqual(of({ BASE_URL: 'http://notexample.org', PASSKEY_RP_ID: 'notexample.org', CORS_ORIGINS: 'https://xnotexample.org' }), [
    'notexample.org',
    ['http://notexample.org'],
  ]);
});

describe('production', () => {
  test('requires MASTER_KEY and an https BASE_URL', () => {
    const { MASTER_KEY: _key, ...keyless } = production;
    const { BASE_URL: _url, ...homeless } = production;
    assert.match(refusal(keyless), /^MASTER_KEY must be set in production: .*openssl rand/);
    for (const environment of [homeless, { ...production, BASE_URL: 'http://api.example.org' }])
      assert.match(refusal(environment), /^BASE_URL must be set to the public https URL/);
    assert.ok(readConfig(production).production);
    assert.match(refusal({ ...production, AGENT_MODEL_PROTOCOL: 'simulated' }), /must not be simulated in production/);
  });

  test('enables proof of work and disables private webhook targets by default; development does the opposite', () => {
    const of = (environment: Record<string, string>) => {
      const { ALTCHA, WEBHOOKS_ALLOW_PRIVATE } = readConfig(environment);
      return [ALTCHA, WEBHOOKS_ALLOW_PRIVATE];
    };
    assert.deepEqual(of(production), ['on', false]);
    assert.deepEqual(of({}), ['off', true]);
    assert.deepEqual(of({ ...production, ALTCHA: 'off', WEBHOOKS_ALLOW_PRIVATE: 'true' }), ['off', true]);
  });
});

test('the documentation lists each setting with its default and its description', async () => {
  const page = `${await readFile('docs/reference/configuration.md', 'utf8')}\n${await readFile('docs/reference/generated/limits.md', 'utf8')}`;
  for (const { name, fallback, help } of describeSettings()) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    assert.ok(row?.includes(help), `${name}: ${help}`);
    if (name !== 'HASH_CONCURRENCY') assert.ok(row?.includes(fallback === '' ? '–' : `\`${fallback}\``), `${name} by default ${fallback}`);
  }
});

test('the documentation lists the settings whose value can be in a file', async () => {
  const [, section = ''] = /\n## Secrets in files\n([\s\S]*?)\n## /.exec(await readFile('docs/reference/configuration.md', 'utf8')) ?? [];
  const listed = Array.from(section.matchAll(/`([A-Z0-9_]+)_FILE`/g), ([, name]) => name).filter((name) => name !== 'NAME');
  assert.deepEqual(
    listed.toSorted(),
    describeSettings()
      .filter(({ secret }) => secret)
      .map(({ name }) => name)
      .toSorted(),
  );
});

describe('settings that are checked at startup', () => {
  let folder: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chancery-config-'));
    await writeFile(join(folder, 'file'), 'no folder and no certificate');
    await mkdir(join(folder, 'taking-none'));
    // No file can be created below it, not even by root.
    await symlink('/proc/self', join(folder, 'taking-none', 'incoming'));
    database = await createTestDatabase();
  });
  after(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [what, settings, expected] of [
    ['an invalid schedule', () => ({ WEBHOOK_RETRY_SCHEDULE: '5 minutes' }), /^WEBHOOK_RETRY_SCHEDULE must be/],
    [
      'a missing file with certificate authorities',
      () => ({ WEBHOOKS_CA_FILE: join(folder, 'none.pem') }),
      /^WEBHOOKS_CA_FILE names a file that cannot be read/,
    ],
    ['a missing folder with fonts', () => ({ FONTS_DIR: join(folder, 'none') }), /^FONTS_DIR must be a readable folder/],
    [
      'a file without certificate authorities',
      () => ({ WEBHOOKS_CA_FILE: join(folder, 'file') }),
      /^WEBHOOKS_CA_FILE must name a PEM file/,
    ],
    ['a file without trusted certificates', () => ({ VERIFY_TRUST: join(folder, 'file') }), /^VERIFY_TRUST must name a PEM file/],
    [
      'a folder for files that cannot exist',
      () => ({ STORAGE_URL: `file:${join(folder, 'file', 'below')}` }),
      /^STORAGE_URL names the folder/,
    ],
    ['a file as the folder for files', () => ({ STORAGE_URL: `file:${join(folder, 'file')}` }), /^STORAGE_URL names the folder/],
    ['a folder of files where none can be made', () => ({ STORAGE_URL: 'file:/proc/chancery' }), /^STORAGE_URL names the folder/],
    [
      'a folder for files that is not writable',
      () => ({ STORAGE_URL: `file:${join(folder, 'taking-none')}` }),
      /^STORAGE_URL names the folder/,
    ],
    ['a data directory where none can be made', () => ({ DATA_DIR: '/proc/chancery' }), /^DATA_DIR names the folder/],
    ['a data directory that cannot exist', () => ({ DATA_DIR: join(folder, 'file') }), /^DATA_DIR names the folder/],
    [
      'a database that does not respond',
      () => ({ DATABASE_URL: 'postgres://user:hunter2secret@127.0.0.1:1/x' }),
      /^DATABASE_URL cannot be used to connect/,
    ],
    [
      'a database with an unknown host',
      () => ({ DATABASE_URL: 'postgres://user:hunter2secret@nowhere.invalid/x' }),
      /^DATABASE_URL cannot be used/,
    ],
    [
      'a database on localhost that responds neither over IPv4 nor IPv6',
      () => ({ DATABASE_URL: 'postgres://user:hunter2secret@localhost:1/x' }),
      /^DATABASE_URL cannot be used/,
    ],
    [
      'a database that does not exist',
      () => ({ DATABASE_URL: database.url.replace(/\/t_\w+/, '/no_such_database') }),
      /^DATABASE_URL cannot be used/,
    ],
    [
      'a user that the database does not know',
      () => ({ DATABASE_URL: database.url.replace('//', '//nobody_known:hunter2secret@').replace(/@[^@/]+@/, '@') }),
      /^DATABASE_URL cannot be used/,
    ],
  ] as [string, () => Record<string, string>, RegExp][]) {
    for (const role of ['all', 'api'] as const) {
      test(`${what} stops the start of ${role} with the name of the setting and without the secret`, async () => {
        const environment = {
          NODE_ENV: 'test',
          PORT: '0',
          DATABASE_URL: database.url,
          DATA_DIR: join(folder, 'data'),
          MASTER_KEY: key,
          ...settings(),
        };
        const start = async () => startService({ config: readConfig(environment), role, log: pino({ level: 'silent' }) });
        await assert.rejects(start, (error: Error) => {
          assert.match(error.message, expected);
          assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /hunter2secret/);
          return true;
        });
      });
    }
  }
});
