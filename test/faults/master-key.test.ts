import assert from 'node:assert/strict';
import { seedBooking } from '../operations/bookings.ts';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { activeSeal } from '#keys';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { loadMasterKey } from '../../src/platform/crypto/master-key.ts';
import { resolveMasterKey } from '../../src/platform/database/service-state.ts';
import { reencrypt } from '../../src/platform/database/reencrypt.ts';
import { createResponseCipher } from '../../src/platform/http/idempotency.ts';
import { sealedColumns } from '../../src/domains.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { signInServerBody } from '../mcp-tools.ts';
import { authPath, cookieOf, enrolled, goodPassword, registered, secretOf, signIn } from '../people.ts';
import { askToSign, outToSign } from '../signatures.ts';
import { spawnService } from '../spawned.ts';
import { firstStaff, staffPath, staffToken } from '../staff.ts';

/* The master key is replaced: all data stays readable, and in the end nothing needs the old key. */

const newKey = randomBytes(32).toString('base64');
const kept = 4_000;
let chancery: Chancery;
let owner: User;
let made: {
  enrolled: Awaited<ReturnType<typeof enrolled>>;
  client: any;
  clientKey: string;
  endpoint: any;
  refreshToken: string;
};

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', ...firstStaff } });
  ({ owner } = await chancery.team());
  const ok = async (method: string, path: string, body?: unknown, options: object = {}) => {
    const answer = await chancery.call(method, path, { token: owner.token, ...(body === undefined ? {} : { body }), ...options });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const clientKey = randomUUIDv7();
  const withFactor = await enrolled(chancery);
  const begun = await registered(chancery);
  await ok('POST', `${authPath}/2fa/enable-init`, undefined, { token: begun.token });
  const endpoint = await ok('POST', '/api/v1/webhooks/', { name: 'E', url: 'https://receiver.example/', events: ['*'] });
  await ok('PUT', `/api/v1/webhooks/${endpoint.id}/settings`, { headers: { 'x-own': 'of the owner' } });
  const rotated = await ok('POST', `/api/v1/webhooks/${endpoint.id}/rotate-secret`, {});
  await ok('POST', '/api/v1/team/sso', {
    issuer: 'https://login.example',
    clientId: 'c',
    clientSecret: 'of the provider',
    domains: ['a.example'],
  });
  await ok('POST', '/ws/api/agents/mcp-servers', {
    slug: 'crm',
    name: 'C',
    url: 'https://crm.example/mcp',
    credential: { value: 'Bearer of the team' },
  });
  const askingServer = await ok('POST', '/ws/api/agents/mcp-servers', await signInServerBody());
  await ok('POST', `/ws/api/agents/mcp-servers/${askingServer.id}/sign-in`, {});
  const form = await ok('POST', '/api/v1/interfaces/', {
    title: 'A form',
    type: 'form',
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
  });
  await ok('POST', `/api/v1/interfaces/${form.id}/publish`, { revision: 1 });
  await seedBooking(chancery, owner.team, form.id, owner.token);
  await ok('POST', `/api/v1/interfaces/${form.id}/calendar/feed`);
  await ok('PUT', `/api/v1/interfaces/${form.id}/calendar/busy`, {
    addresses: [{ name: 'Private', url: 'https://calendar.example/private.ics' }],
  });
  const body = { name: 'C', scopes: ['tasks:read'] };
  const client = await ok('POST', '/api/v1/security/clients/', body, { headers: { 'idempotency-key': clientKey } });
  const staff = await staffToken(chancery);
  const setUp = async () => ok('POST', `${staffPath}/totp/setup-init`, undefined, { token: staff });
  const { setupId, totpUri } = await setUp();
  await ok('POST', `${staffPath}/totp/setup-confirm`, { setupId, code: totpAt(secretOf(totpUri), totpStep(new Date())) }, { token: staff });
  const old = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
  // The test restarts the set-up directly, because a second set-up through the API needs a new confirmation.
  await chancery.pool.query(
    `INSERT INTO staff_totp_setup (staff_id, id, secret, backup_hashes, expires_at) SELECT id, gen_random_uuid(), totp_secret, '{}', now() + interval '1 hour' FROM staff
     WHERE totp_secret IS NOT NULL`,
  );
  // As many stored responses as after a busy day.
  const answers = createResponseCipher(old);
  const rows = Array.from({ length: kept }, (_, n) => ({ key: `k${n}`, sealed: answers.seal('{}', `${owner.team} ${owner.id} k${n}`) }));
  await chancery.pool.query(
    "INSERT INTO idempotent_response (team_id, actor_id, key, fingerprint, response) SELECT $1, $2, k, '', a FROM unnest($3::text[], $4::bytea[]) AS r(k, a)",
    [owner.team, owner.id, rows.map(({ key }) => key), rows.map(({ sealed }) => sealed)],
  );
  // A key that a database has after an earlier rotation.
  const keptKey = old.box('kept-keys').seal(old.lasting('client-secrets'), 'kept_key client-secrets');
  await chancery.pool.query("INSERT INTO kept_key VALUES ('client-secrets', $1)", [keptKey]);
  await outToSign(chancery, (await askToSign(chancery, owner)).id);
  await activeSeal(chancery.database, old, { name: 'A seal', baseUrl: chancery.config.BASE_URL });
  const session = await signIn(chancery, begun.email);
  made = {
    enrolled: withFactor,
    client,
    clientKey,
    endpoint: { ...endpoint, secret: rotated.secret },
    refreshToken: cookieOf(session, 'refresh_token'),
  };
});
after(() => chancery.stop());

const settings = (more: Record<string, string>) => ({
  DATABASE_URL: chancery.databaseUrl,
  DATA_DIR: chancery.config.DATA_DIR,
  BASE_URL: chancery.config.BASE_URL,
  ALTCHA: 'off',
  ...more,
});
const both = () => settings({ MASTER_KEY: newKey, MASTER_KEYS_ACCEPTED: chancery.masterKey });

/** Runs `keys rotate-master`. Kills it after `until` lines of output. */
async function rotate(
  environment: Record<string, string>,
  until = Number.POSITIVE_INFINITY,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['packages/chancery/bin/chancery.js', 'keys', 'rotate-master'], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.split('\n').length > until) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, output };
}

const columnsOfBytes = async (): Promise<{ table: string; column: string }[]> =>
  (
    await chancery.pool.query(
      `SELECT c.relname AS table, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE a.atttypid = 'bytea'::regtype AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0
       ORDER BY 1, 2`,
    )
  ).rows;

/**
 * The other binary columns: hashes and their salts, public keys, files and texts. The master key encrypts none of them, and a hash stays verifiable with
 * its salt after a rotation. A SAML response is encrypted for a minute only, until the browser returns. The address of a download gives the key of its
 * credential.
 */
const notSealed =
  /hash|hmac|fingerprint|^audit_|public_key|credential_id|body$|digest|^throttle\.key$|^(?:altcha_spent|submission_proof)\.id$|^(?:registry_import|agent_skill_file|document_template_file)\.content$|^team_brand\.logo$|^saml_certificate\.certificate$|^approval_round\.input_salt$|^download_address\.credential$|^saml_response\.sealed$|^seal_.*\.(?:certificate|revocation_list)$|^signature_signer\.mark_png$/;

const sealedBy = async (keyText: string): Promise<string[]> => {
  const key = await loadMasterKey({ configured: keyText, dataDir: '', generate: 'never' });
  const ids = [...new Set(sealedColumns.map(({ purpose }) => purpose))].map((purpose) => key.box(purpose).newest);
  const found = await Promise.all(
    (await columnsOfBytes()).map(async ({ table, column }) => {
      const { rows } = await chancery.pool.query(
        `SELECT FROM ${table} WHERE octet_length(${column}) > 33 AND get_byte(${column}, 0) = 1 AND substring(${column} FROM 2 FOR 4) = ANY ($1) LIMIT 1`,
        [ids],
      );
      return rows.length > 0 ? [`${table}.${column}`] : [];
    }),
  );
  return found.flat();
};
const named = sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted();

test('each binary column is either re-encrypted or independent of the master key', async () => {
  const all = (await columnsOfBytes()).map(({ table, column }) => `${table}.${column}`);
  assert.deepEqual(
    all.filter((name) => !named.includes(name) && !notSealed.test(name)),
    [],
    'add it to the encrypted columns of its domain, or add it to the list in this test',
  );
  assert.deepEqual(
    named.filter((name) => notSealed.test(name) || !all.includes(name)),
    [],
  );
  assert.deepEqual(
    (await sealedBy(chancery.masterKey)).toSorted(),
    named,
    'each encrypted column has a value here, and no other column is encrypted',
  );
});

test('a new key without the previous one is rejected, and a rotation without a second key is rejected', async () => {
  const alone = await rotate(settings({ MASTER_KEY: newKey }));
  assert.equal(alone.code, 1);
  assert.match(alone.output, /MASTER_KEYS_ACCEPTED/);
  const stranger = randomBytes(32).toString('base64');
  const wrong = await rotate(settings({ MASTER_KEY: newKey, MASTER_KEYS_ACCEPTED: stranger }));
  assert.equal(wrong.code, 1);
  assert.match(wrong.output, /does not match this database/);
  assert.ok(![newKey, stranger, chancery.masterKey].some((key) => `${alone.output}${wrong.output}`.includes(key)));
});

test(
  'a rotation killed in the middle is incomplete: it needs both keys, and everything works with both',
  { timeout: 600_000 },
  async () => {
    const cut = await rotate(both(), 20);
    assert.equal(cut.code, null, cut.output);
    assert.match(cut.output, /idempotent_response\.response: \d+ of \d+ re-encrypted/);
    assert.ok((await sealedBy(newKey)).includes('idempotent_response.response'));
    assert.ok((await sealedBy(chancery.masterKey)).includes('idempotent_response.response'), 'some rows still use the old key');
    for (const MASTER_KEY of [newKey, chancery.masterKey])
      await assert.rejects(spawnService(settings({ MASTER_KEY }), ['--role', 'api']), /being replaced/);
    const node = await spawnService(both(), ['--role', 'api']);
    await works(node.url);
    const refreshed = await fetch(`${node.url}${authPath}/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken: made.refreshToken }),
    });
    assert.equal(refreshed.status, 200, 'an earlier session stays valid');
    assert.equal(await node.stop(), 0);
  },
);

test(
  'two concurrent repeated rotations complete: no row uses the old key, and the new key decrypts everything',
  { timeout: 600_000 },
  async () => {
    const [one, two] = await Promise.all([rotate(both()), rotate(both())]);
    assert.deepEqual([one.code, two.code], [0, 0], `${one.output}\n${two.output}`);
    assert.match(one.output, /Remove MASTER_KEYS_ACCEPTED from/);
    assert.deepEqual(await sealedBy(chancery.masterKey), []);
    assert.deepEqual((await sealedBy(newKey)).toSorted(), named);
    await assert.rejects(spawnService(settings({ MASTER_KEY: chancery.masterKey }), ['--role', 'api']), /does not match this database/);
    const node = await spawnService(settings({ MASTER_KEY: newKey }), ['--role', 'api']);
    await works(node.url);
    assert.equal(await node.stop(), 0);
  },
);

test('a value that no key decrypts is reported and does not stop the rotation, and values written during the rotation are re-encrypted', async () => {
  const third = randomBytes(32).toString('base64');
  const load = (configured: string, others: string[]) => loadMasterKey({ configured, others, dataDir: '', generate: 'never' });
  const key = await resolveMasterKey(chancery.database, await load(third, [newKey]));
  await chancery.pool.query('UPDATE sso_connection SET client_secret = set_byte(client_secret, 40, get_byte(client_secret, 40) # 1)');
  await assert.rejects(reencrypt(chancery.database, key, sealedColumns, { atOnce: 7 }), /1 encrypted values cannot be decrypted/);
  await assert.rejects(resolveMasterKey(chancery.database, await load(third, [])), /being replaced/);
  await chancery.pool.query('UPDATE sso_connection SET client_secret = set_byte(client_secret, 40, get_byte(client_secret, 40) # 1)');
  const before_ = await resolveMasterKey(chancery.database, await load(newKey, [third]));
  const answers = createResponseCipher(before_);
  const put: Promise<unknown>[] = [];
  const replace = () =>
    reencrypt(chancery.database, key, sealedColumns, {
      onProgress: () => {
        // A node that still encrypts with the previous key.
        if (put.length > 3) return;
        const name = `behind ${put.length}`;
        const values = [owner.team, owner.id, name, answers.seal('{}', `${owner.team} ${owner.id} ${name}`)];
        put.push(chancery.pool.query("INSERT INTO idempotent_response VALUES ($1, $2, $3, '', $4)", values));
      },
    });
  // The final check finds rows that were written after the last pass, and requires another round.
  await replace().catch((error: Error) => assert.match(error.message, /A node still encrypts with another master key/));
  // The next check finds rows that were written after that check.
  await Promise.all(put);
  await replace();
  assert.deepEqual(await sealedBy(newKey), []);
  await resolveMasterKey(chancery.database, await load(third, []));
});

/** Checks all features of a node that depend on the master key. */
async function works(url: string): Promise<void> {
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  // A password and the second factor.
  await chancery.pool.query('UPDATE two_factor SET last_step = 0');
  const { email, secret } = made.enrolled;
  const challenge = await send(`${authPath}/login`, { email, password: goodPassword });
  assert.equal(challenge.body.twoFactorRequired, true, JSON.stringify(challenge.body));
  const code = totpAt(secret, totpStep(new Date()));
  const signed = await send(`${authPath}/verify-totp`, { challengeId: challenge.body.challengeId, code });
  assert.equal(signed.status, 200, JSON.stringify(signed.body));
  // The secret of a client and a signed token.
  const { clientId, clientSecret } = made.client;
  const issued = await send('/oauth/token', `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.equal(issued.status, 200, JSON.stringify(issued.body));
  // A stored response that contains a secret.
  const replay = await send(
    '/api/v1/security/clients/',
    { name: 'C', scopes: ['tasks:read'] },
    { authorization: `Bearer ${owner.token}`, 'idempotency-key': made.clientKey },
  );
  assert.deepEqual([replay.status, replay.body.clientSecret, replay.headers.get('idempotency-replayed')], [201, clientSecret, 'true']);
  // The encrypted settings of an endpoint.
  const shown = await fetch(`${url}/api/v1/webhooks/${made.endpoint.id}/settings`, { headers: { authorization: `Bearer ${owner.token}` } });
  assert.deepEqual(((await shown.json()) as any).headers, { 'x-own': 'of the owner' });
  // A member of staff.
  const staff = await send(`${staffPath}/login`, { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password: goodPassword });
  assert.equal(staff.status, 200, JSON.stringify(staff.body));
}
