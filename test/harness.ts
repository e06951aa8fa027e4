import { insertMember, insertSessions } from './memberships.ts';
import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { type Dispatcher, request } from 'undici';
import { createAccessTokens } from '#accounts';
import { clientLookup } from '#clients';
import { openKeyRing } from '#keys';
import { type Role as PersonRole, scopesOfRole } from '../src/identity/accounts/roles.ts';
import { type Config, readConfig } from '../src/config.ts';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import type { App } from '../src/platform/http/server.ts';
import { type Role, startService } from '../src/service.ts';
import { testDatabaseLimits } from './database-limits.ts';
import { checkEvents } from './events.ts';
import { type HostedService, startHosted } from './hosted-service.ts';
import { type Described, openDescription } from './openapi.ts';
import { badMailLinks } from './mail-links.ts';
import { createTestDatabase, testPool } from './postgres.ts';
import { shareChancery } from './shared-chancery.ts';
import { firstStaff } from './staff.ts';

export type User = { id: string; email: string; team: string; role: PersonRole; token: string; sessionId: string };
export type TestTeam = { id: string; owner: User };
export type TestClient = { id: string; secret: string; scopes: string[]; token: string };
export type TestResponse = { status: number; headers: Headers; body: any; text: string };
export type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string>; unchecked?: boolean };

/** A running service with a separate database, test factories, a client that checks every response, and a check of every event at the end. */
export type Chancery = {
  /** Returns the application of a service that runs in this process (`inProcess`). */
  app(): App;
  url: string;
  config: Config;
  database: Database;
  /** A superuser pool, to read rows and to create state that no operation creates. */
  pool: pg.Pool;
  databaseUrl: string;
  masterKey: string;
  description: Described;
  team(name?: string): Promise<TestTeam>;
  user(team: TestTeam | string, options?: { role?: PersonRole; firstName?: string }): Promise<User>;
  /** Creates an API client through the API, with a token. By default it has every scope of its creator that is open to API clients. */
  client(by: User, scopes?: string[]): Promise<TestClient>;
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  folder(user: User, members?: Record<string, unknown>): Promise<any>;
  document(user: User, members?: Record<string, unknown>): Promise<any>;
  /** Starts another node on the same database. */
  node(role: Role, settings?: Record<string, string>): Promise<HostedService>;
  /** Stops everything. Rejects if a recorded event does not fit the schema of its type. */
  stop(): Promise<void>;
};

export type HarnessOptions = {
  role?: Role;
  /** Settings that override those of the tests, by environment variable. */
  settings?: Record<string, string>;
  /** Connects the service to its database another way, such as through a proxy. `pool` and `database` connect directly. */
  through?: (databaseUrl: string) => Promise<string>;
  /** Runs the service in the process of the test, with access to its application and globals. By default it runs in a separate process. */
  inProcess?: boolean;
  /** The clock of a service in this process. */
  clock?: () => Date;
  /**
   * Skips text extraction and page rendering of documents. For a file that creates hundreds of documents and uses neither, which would take a third
   * of its time.
   */
  withoutReading?: boolean;
};

/** Marks each job as done at once. */
const dropReading = `
  CREATE FUNCTION drop_job() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$;
  CREATE TRIGGER drop_job BEFORE INSERT ON job FOR EACH ROW WHEN (NEW.name IN ('document-text', 'document-preview')) EXECUTE FUNCTION drop_job()`;

function headersOf(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(given)) for (const value of [values].flat()) headers.append(name, value);
  return headers;
}

type Encoded = { headers: Record<string, string>; body?: string | Uint8Array };

/** Encodes a body for sending. A form becomes bytes first, because a streamed form fails when the service responds before it has read the end. */
async function encodedBody(body: unknown, headers: Record<string, string>): Promise<Encoded> {
  if (body === undefined) return { headers };
  if (typeof body === 'string' || body instanceof Uint8Array) return { headers, body };
  if (!(body instanceof FormData)) return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  const form = new Response(body);
  const bytes = new Uint8Array(await form.arrayBuffer());
  return { headers: { 'content-type': form.headers.get('content-type') ?? '', ...headers }, body: bytes };
}

const descriptions = new Map<string, string>();

type RunOptions = { settings: Record<string, string>; config: Config; options: HarnessOptions };

/** A started service. It has an application if it runs in this process. */
type StartedService = HostedService & { app?: App };

async function startHere({ config, options }: RunOptions): Promise<StartedService> {
  const log = pino({ level: config.LOG_LEVEL });
  const role = options.role ?? 'all';
  const clock = options.clock ? { clock: options.clock } : {};
  const service = await startService({ config, role, log, databaseLimits: testDatabaseLimits, ...clock });
  const { app, address } = service;
  return { app, address, description: (await app.inject({ url: '/openapi.json' })).body, stop: () => service.stop() };
}

/**
 * Starts the service and reads the description of its operations. Generating a description takes as long as a start. It depends only on the address
 * and the kind of API (suites/description.test.ts).
 */
async function startDescribed(run: RunOptions): Promise<{ service: StartedService; description: Described }> {
  const { settings, config, options } = run;
  const key = `${config.BASE_URL} ${config.API_DOCS} ${config.production}`;
  const isHere = options.inProcess === true || options.clock !== undefined;
  const service: StartedService = isHere
    ? await startHere(run)
    : await startHosted({ settings, role: options.role ?? 'all', describe: !descriptions.has(key) });
  const text = descriptions.get(key) ?? service.description ?? '';
  descriptions.set(key, text);
  return { service, description: openDescription(text) };
}

/** The parts of a started service. */
type RunningService = {
  service: StartedService;
  url: string;
  pool: pg.Pool;
  database: Database;
  tokens: ReturnType<typeof createAccessTokens>;
  description: Described;
  nodes: HostedService[];
};

type Opening = RunOptions & { masterKey: string };

async function open(databaseUrl: string, { settings, config, masterKey, options }: Opening): Promise<RunningService> {
  const { service, description } = await startDescribed({ settings, config, options });
  const pool = testPool(databaseUrl, 4);
  if (options.withoutReading) await pool.query(dropReading);
  const database = openDatabase({ url: databaseUrl }, { applicationName: 'chancery-test', maxConnections: 4, limits: testDatabaseLimits });
  const keys = await openKeyRing(database, await loadMasterKey({ configured: masterKey, dataDir: config.DATA_DIR, generate: 'never' }), {
    accessAlgorithm: config.SIGNING_ALGORITHM,
  });
  const tokens = createAccessTokens({
    database,
    keys,
    issuer: config.BASE_URL,
    receivesRevocations: () => false,
    liveClient: clientLookup(database),
  });
  return { service, url: service.address ?? '', pool, database, tokens, description, nodes: [] };
}

/**
 * Starts the service that test files without settings share. Each worker process has a separate database. Teams isolate the tests: each test creates
 * its team and reads no row of another. The worker process stops the service.
 */
export function sharedChancery(role: Role = 'api'): Promise<Chancery> {
  return shareChancery(role, () => startChancery({ role, settings: { ALTCHA: 'off', ...firstStaff } }));
}

/** The token of the mail system. */
export const bounceToken = 'the token of the mail system'.replaceAll(' ', '-');

/** Starts a service for one test file, with real HTTP and a real PostgreSQL. */
export async function startChancery(options: HarnessOptions = {}): Promise<Chancery> {
  const own = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-test-data-'));
  const masterKey = randomBytes(32).toString('base64');
  const settings = {
    NODE_ENV: 'test',
    PORT: '0',
    HEALTH_PORT: '0',
    BASE_URL: 'http://localhost:8080',
    DATA_DIR: dataDir,
    DATABASE_URL: options.through ? await options.through(own.url) : own.url,
    DATABASE_CONNECTIONS: '10',
    READ_LIMIT_SECONDS: '30',
    WRITE_LIMIT_SECONDS: '60',
    MASTER_KEY: masterKey,
    BOUNCE_ADDRESS: 'bounces@chancery.example',
    BOUNCE_TOKEN: bounceToken,
    RATE_LIMIT_PER_MINUTE: '0',
    FORM_SUBMITS_PER_MINUTE: '0',
    FORM_SUBMITS_PER_ADDRESS: '0',
    FORM_REPORTS_PER_ADDRESS: '0',
    TEAM_WRITES_PER_SECOND: '100000',
    TEAM_DELIVERIES_PER_HOUR: '10000000',
    TEAM_AGENTS: '10000',
    AGENT_MODEL_PROTOCOL: 'simulated',
    TEAM_MAILS_PER_DAY: '1000000',
    TEAM_MAILS_TO_ADDRESS_PER_HOUR: '100000',
    WEBHOOK_RETRY_SCHEDULE: '20ms,50ms',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    ...options.settings,
  };
  const config = readConfig(settings);
  let running: RunningService | undefined = await open(own.url, { settings, config, masterKey, options });
  /**
   * Returns the parts of the service. All functions use this getter, because references in closures would stay in memory as long as the test file.
   */
  const here = (): RunningService => {
    if (running === undefined) throw new Error('This service has ended.');
    return running;
  };
  const { url, description } = running;
  let people = 0;

  const user: Chancery['user'] = async (teamOrId, { role = 'member', firstName = 'Ada' } = {}) => {
    people += 1;
    const team = typeof teamOrId === 'string' ? teamOrId : teamOrId.id;
    const [id, sessionId] = [randomUUIDv7(), randomUUIDv7()];
    const email = `person${people}.${id.slice(-6)}@example.org`;
    await insertMember(here().pool, { team, id, email, firstName, lastName: `Number${people}`, role });
    await insertSessions(here().pool, team, id, [sessionId]);
    const token = await here().tokens.issue({ accountId: id, team, role, sessionId, authTime: new Date(), amr: ['pwd'], acr: 'aal1' });
    return { id, email, team, role, token, sessionId };
  };

  const call: Chancery['call'] = async (method, path, { token, body, headers, unchecked } = {}) => {
    // `fetch` would take a tenth of the time of all tests, because of its streams.
    const response = await request(`${url}${path}`, {
      method: method as Dispatcher.HttpMethod,
      ...(await encodedBody(body, {
        'user-agent': 'node',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      })),
    });
    const text = await response.body.text();
    const answered = headersOf(response.headers);
    const json = /[/+]json/.test(answered.get('content-type') ?? '');
    const answer = { status: response.statusCode, headers: answered, body: json && text !== '' ? JSON.parse(text) : undefined, text };
    if (!unchecked) description.check(method, path, answer);
    return answer;
  };

  const make =
    (path: string, title: 'name' | 'title') =>
    async (by: User, members: Record<string, unknown> = {}) => {
      const answer = await call('POST', path, { token: by.token, body: { [title]: `Thing ${randomUUIDv7()}`, ...members } });
      if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    };

  const client: Chancery['client'] = async (by, given) => {
    const scopes = given ?? scopesOfRole(by.role).filter((scope) => !scope.startsWith('profile:'));
    const made = await call('POST', '/api/v1/security/clients/', { token: by.token, body: { name: 'Test client', scopes } });
    if (made.status !== 201) throw new Error(`the client was not created: ${made.text}`);
    const { clientId, clientSecret } = made.body;
    const issued = await call('POST', '/oauth/token', {
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    if (issued.status !== 200) throw new Error(`the client got no token: ${issued.text}`);
    return { id: made.body.id, secret: clientSecret, scopes: made.body.scopes, token: issued.body.access_token };
  };

  const chancery: Chancery = {
    app() {
      const { app } = here().service;
      if (app === undefined) throw new Error('This service runs in another process: start it with `inProcess`.');
      return app;
    },
    url,
    config,
    database: running.database,
    pool: running.pool,
    databaseUrl: own.url,
    masterKey,
    description,
    user,
    client,
    call,
    folder: make('/api/v1/smartdoc/folders/', 'name'),
    document: make('/api/v1/smartdoc/documents/', 'title'),
    async team(name = 'Test & Partners') {
      const id = randomUUIDv7();
      await here().pool.query('INSERT INTO team (team_id, name) VALUES ($1, $2)', [id, name]);
      return { id, owner: await user(id, { role: 'owner' }) };
    },
    async node(role, more = {}) {
      const node = await startHosted({ settings: { ...settings, ...more }, role, describe: false });
      here().nodes.push(node);
      return node;
    },
    async stop() {
      const { service, database, pool, nodes } = here();
      try {
        await Promise.all(nodes.map((node) => node.stop()));
        const badLinks = await badMailLinks(pool, { url, baseUrl: config.BASE_URL });
        await service.stop();
        await checkEvents(pool);
        assert.deepEqual(badLinks, [], 'each link in a mail has a page');
      } finally {
        await database.close();
        await pool.end();
        await own.drop();
        await rm(dataDir, { recursive: true, force: true });
        // Test files keep their references until the process ends: 10 MB for each service, which each garbage collection scans.
        running = undefined;
        Object.assign(chancery, { database: undefined, pool: undefined });
      }
    },
  };
  return chancery;
}
