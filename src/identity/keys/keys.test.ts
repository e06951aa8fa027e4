import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { openKeyRing, type Purpose, rotateKey } from '#keys';
import { settingsOf, typedCommand } from '../../../test/command-line.ts';
import { type Chancery, type TestClient, startChancery, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { loadMasterKey, type MasterKey } from '../../platform/crypto/master-key.ts';
import type { Database } from '../../platform/database/database.ts';
import { maintainKeys } from './jobs.ts';
import type { AccessAlgorithm } from './rotation.ts';

let chancery: Chancery;
let owner: User;
let client: TestClient;
let masterKey: MasterKey;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  ({ owner } = await chancery.team());
  client = await chancery.client(owner, ['tasks:read']);
  masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
});
after(() => chancery.stop());

const settings = (accessAlgorithm: AccessAlgorithm = 'ES256') => ({ accessAlgorithm, rotationDays: 90 });
const tend = (alg: AccessAlgorithm = 'ES256') => maintainKeys(chancery.database, masterKey, settings(alg));
const rotate = (when: 'now' | 'once published', purpose: Purpose = 'access') =>
  rotateKey(chancery.database, masterKey, settings(), { purpose, when });
/** Shifts the creation, activation and retirement of keys with a status into the past. */
const age = (status: string, interval: string, purpose: Purpose = 'access') =>
  chancery.pool.query(
    `UPDATE signing_key SET created_at = created_at - $2::interval, activated_at = activated_at - $2::interval,
       activates_at = activates_at - $2::interval, retired_at = retired_at - $2::interval WHERE status = $1 AND purpose = $3`,
    [status, interval, purpose],
  );
const keysOf = async (purpose: Purpose, status: string): Promise<string[]> =>
  (
    await chancery.pool.query('SELECT kid FROM signing_key WHERE purpose = $1 AND status = $2 ORDER BY created_at', [purpose, status])
  ).rows.map(({ kid }) => kid);
const published = async (purpose: Purpose = 'access', base = chancery.url): Promise<any[]> =>
  ((await (await fetch(`${base}/.well-known/${purpose === 'access' ? '' : 'witness-'}jwks.json`)).json()) as { keys: any[] }).keys;

async function newToken(base = chancery.url): Promise<string> {
  const response = await fetch(`${base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const reads = async (token: string, base = chancery.url) =>
  (await fetch(`${base}/api/v1/tasks/`, { headers: { authorization: `Bearer ${token}` } })).status;
/** Waits until the running service signs with a key. */
const signsWith = (kid: string, base = chancery.url) => eventually(`${kid} signs`, async () => kidOf(await newToken(base)) === kid);

async function command(args: string[], more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await typedCommand(['keys', ...args], { ...settingsOf(chancery), ...more });
  return { code, output: stdout + stderr };
}

test('each set has the active and the next key without private members, is cacheable, and shares no key with others', async () => {
  const [access, witness] = [await published('access'), await published('witness')];
  assert.deepEqual([access.length, witness.length], [2, 2]);
  assert.equal(access[0].kid, kidOf(await newToken()), 'the active key is first');
  for (const key of [...access, ...witness]) {
    assert.ok(!['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].some((member) => member in key));
    assert.deepEqual([key.use, typeof key.kid, typeof key.alg], ['sig', 'string', 'string']);
  }
  assert.ok(witness.every((key) => key.kty === 'OKP' && key.crv === 'Ed25519'));
  assert.ok(!access.some(({ kid, x }) => witness.some((other) => other.kid === kid || other.x === x)));
  const url = `${chancery.url}/.well-known/jwks.json`;
  const first = await fetch(url);
  assert.match(first.headers.get('cache-control') ?? '', /max-age=300/);
  assert.equal(first.headers.get('access-control-allow-origin'), '*');
  assert.equal((await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })).status, 304);
  assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(url, { method: 'POST' })).status, 405);
});

test('private keys are encrypted at rest, bound to their key, and only the master key decrypts them', async () => {
  const { rows } = await chancery.pool.query("SELECT kid, private_jwk FROM signing_key WHERE status IN ('active', 'next')");
  assert.equal(rows.length, 8, 'the active and the next key of each of four purposes');
  for (const { private_jwk: sealed } of rows) assert.ok(!sealed.toString('latin1').includes('"d"'));
  const other = await loadMasterKey({ configured: randomBytes(32).toString('base64'), dataDir: '', generate: 'never' });
  await assert.rejects(openKeyRing(chancery.database, other, settings()), /another master key/);
});

test('keys rotate activates a long-published next key at once, and tokens of the old key stay valid', async () => {
  const old = await newToken();
  await age('next', '1 day');
  const [next = ''] = await keysOf('access', 'next');
  const { code, output } = await command(['rotate']);
  assert.equal(code, 0, output);
  assert.match(output, new RegExp(`${next} signs from now on`));
  await signsWith(next);
  assert.deepEqual([await reads(old), await reads(owner.token), await reads(await newToken())], [200, 200, 200]);
  const set = await published();
  assert.deepEqual(
    set.map(({ kid }) => kid),
    [next, ...(await keysOf('access', 'next')), kidOf(old)],
  );
  const { rows } = await chancery.pool.query('SELECT private_jwk FROM signing_key WHERE kid = $1', [kidOf(old)]);
  assert.equal(rows[0].private_jwk, null, 'the old private key is no longer stored');
  const acts = await chancery.pool.query("SELECT actor_type, data FROM audit_entry WHERE type = 'key.rotated' AND target_id = $1", [next]);
  assert.deepEqual(acts.rows, [
    { actor_type: 'system', data: { alg: 'ES256', reason: 'command', purpose: 'access', previous: kidOf(old) } },
  ]);
});

test('a newly published next key waits ten minutes, unless --now is set', async () => {
  const [active = '', next = ''] = [...(await keysOf('access', 'active')), ...(await keysOf('access', 'next'))];
  const waiting = await command(['rotate']);
  assert.equal(waiting.code, 0, waiting.output);
  assert.match(waiting.output, new RegExp(`${next} was published less than 10 minutes ago and signs from 20`));
  await tend();
  assert.deepEqual(await keysOf('access', 'active'), [active], 'not yet');
  await age('next', '10 minutes');
  await tend();
  assert.deepEqual(await keysOf('access', 'active'), [next], 'the job activates it at its time');
  const now = await command(['rotate', '--purpose', 'access', '--now']);
  assert.match(now.output, /signs from now on/);
  assert.notDeepEqual(await keysOf('access', 'active'), [next]);
});

test('the keys command rejects unknown arguments and a wrong master key, and changes nothing', async () => {
  const active = await keysOf('access', 'active');
  for (const [code, args, more] of [
    [2, ['rotate', '--purpose', 'other'], {}],
    [2, ['forge'], {}],
    [2, [], {}],
    [1, ['rotate', '--now'], { MASTER_KEY: randomBytes(32).toString('base64') }],
  ] as [number, string[], Record<string, string>][])
    assert.equal((await command(args, more)).code, code, args.join(' '));
  assert.deepEqual(await keysOf('access', 'active'), active);
});

test('after ninety days fifty concurrent runs of the job rotate each purpose once', async () => {
  const next = { access: await keysOf('access', 'next'), witness: await keysOf('witness', 'next') };
  for (const purpose of ['access', 'witness'] as const) {
    await age('active', '90 days', purpose);
    await age('next', '10 minutes', purpose);
  }
  await Promise.all(Array.from({ length: 50 }, () => tend()));
  assert.deepEqual(await keysOf('access', 'active'), next.access);
  assert.deepEqual(await keysOf('witness', 'active'), next.witness);
  const { rows } = await chancery.pool.query(
    "SELECT data->>'reason' AS reason FROM audit_entry WHERE type = 'key.rotated' AND target_id = ANY ($1)",
    [[...next.access, ...next.witness]],
  );
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    ['age', 'age'],
  );
});

test('of fifty concurrent rotation requests one succeeds, and the others get the key after it', async () => {
  await age('next', '1 day');
  const [next] = await keysOf('access', 'next');
  const answers = await Promise.all(Array.from({ length: 50 }, () => rotate('once published')));
  assert.deepEqual(
    answers.filter(({ signs }) => signs === 'now').map(({ kid }) => kid),
    [next],
  );
  assert.deepEqual(await keysOf('access', 'active'), [next]);
  assert.deepEqual([...new Set(answers.filter(({ signs }) => signs === 'later').map(({ kid }) => kid))], await keysOf('access', 'next'));
});

test('a retired access key leaves the set after its last token has expired; a witness key stays', async () => {
  const retired = await keysOf('witness', 'retired');
  assert.ok(retired.length > 0);
  const old = await newToken();
  await rotate('now');
  await eventually('the key retires', async () => kidOf(await newToken()) !== kidOf(old));
  await age('retired', '20 minutes');
  await tend();
  assert.ok((await keysOf('access', 'retired')).includes(String(kidOf(old))), 'not yet');
  await age('retired', '5 minutes');
  await age('retired', '5 years', 'witness');
  await tend();
  assert.deepEqual(await keysOf('access', 'retired'), []);
  await eventually('the set is without it', async () => !(await published()).some(({ kid }) => kid === kidOf(old)));
  // A token that was not seen before, because verified tokens are cached for up to a minute.
  assert.equal(await reads(old), 401);
  assert.deepEqual(
    (await published('witness'))
      .map(({ kid }) => kid)
      .filter((kid) => retired.includes(kid))
      .toSorted(),
    retired.toSorted(),
  );
});

test('compromised keys verify nothing on any node, and new keys sign', async () => {
  const old = await newToken();
  assert.equal(await reads(old), 200, 'the token is cached as valid');
  const known = [...(await keysOf('access', 'active')), ...(await keysOf('access', 'next'))];
  const { code, output } = await command(['rotate', '--compromised']);
  assert.equal(code, 0, output);
  await eventually('the old token is rejected', async () => (await reads(old)) === 401);
  const set = await published();
  assert.equal(set.length, 2);
  assert.ok(!set.some(({ kid }) => known.includes(kid)));
  assert.equal(await reads(await newToken()), 200);
  const { rows } = await chancery.pool.query(
    "SELECT data->>'reason' AS reason FROM audit_entry WHERE type = 'key.rotated' AND target_id = $1",
    [set[0].kid],
  );
  assert.deepEqual(rows, [{ reason: 'compromised' }]);
});

for (const [alg, kty] of [
  ['EdDSA', 'OKP'],
  ['RS256', 'RSA'],
  ['ES256', 'EC'],
] as [AccessAlgorithm, string][]) {
  test(`with SIGNING_ALGORITHM ${alg} the next key has that algorithm and signs after ten minutes`, async () => {
    const old = await newToken();
    await tend(alg);
    assert.equal(kidOf(await newToken()), kidOf(old), 'not at once');
    await age('next', '10 minutes');
    await tend(alg);
    const [active = ''] = await keysOf('access', 'active');
    await signsWith(active);
    const token = await newToken();
    assert.equal(decodeProtectedHeader(token).alg, alg);
    assert.equal((await published())[0].kty, kty);
    await jwtVerify(token, createRemoteJWKSet(new URL(`${chancery.url}/.well-known/jwks.json`)), { typ: 'at+jwt' });
    assert.deepEqual([await reads(token), await reads(old)], [200, 200]);
  });
}

test('a witness key in any state verifies no access token, and an access key verifies no checkpoint', async () => {
  await rotate('now', 'witness');
  const ring = await openKeyRing(chancery.database, masterKey, settings());
  const { payload } = await jwtVerify(await newToken(), createRemoteJWKSet(new URL(`${chancery.url}/.well-known/jwks.json`)));
  const forged = (purpose: Purpose) => {
    const { key, kid, alg } = ring.signer(purpose);
    return new SignJWT({ ...payload, jti: randomUUIDv7() }).setProtectedHeader({ alg, kid, typ: 'at+jwt' }).sign(key);
  };
  assert.equal(await reads(await forged('access')), 200, 'the forgery differs only in the key');
  assert.equal(await reads(await forged('witness')), 401);
  for (const [purpose, other] of [
    ['access', 'witness'],
    ['witness', 'access'],
  ] as [Purpose, Purpose][]) {
    const kids = ring.publicKeys(purpose).map(({ kid }) => String(kid));
    assert.ok(kids.length >= 2);
    for (const kid of kids) {
      assert.ok(ring.verifier(purpose, kid));
      assert.equal(ring.verifier(other, kid), undefined);
      assert.equal(await ring.find(other, kid), undefined);
    }
  }
  const witness = createRemoteJWKSet(new URL(`${chancery.url}/.well-known/witness-jwks.json`));
  await assert.rejects(jwtVerify(await forged('access'), witness), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

test('a worker schedules key rotation and the deletion of expired client data', async () => {
  await chancery.node('worker');
  const noted = async () => (await chancery.pool.query('SELECT name FROM job_schedule')).rows.map(({ name }) => name);
  await eventually('both are scheduled', async () => new Set(await noted()).isSupersetOf(new Set(['key-rotation', 'client-drop'])));
});

/** The same database with a count of key reads. */
function counted(database: Database): { database: Database; reads: () => number } {
  let count = 0;
  return {
    reads: () => count,
    database: {
      ...database,
      asSystem: (reason, work) => {
        count += 1;
        return database.asSystem(reason, work);
      },
    },
  };
}

test('a ring without notification finds a new key with one shared read, and invented ids cause one read in 30 seconds', async () => {
  const { database, reads: readCount } = counted(chancery.database);
  let now = 0;
  const ring = await openKeyRing(database, masterKey, settings(), () => now);
  await rotate('now');
  await rotate('now');
  const [active = ''] = await keysOf('access', 'active');
  assert.equal(ring.verifier('access', active), undefined, 'the ring was not notified');
  const start = readCount();
  const found = await Promise.all(Array.from({ length: 50 }, () => ring.find('access', active)));
  assert.ok(
    found.every((key) => key?.kid === active),
    'each concurrent caller gets the key',
  );
  assert.equal(ring.signer('access').kid, active);
  assert.equal(readCount() - start, 1);

  await Promise.all(Array.from({ length: 500 }, () => ring.find('access', randomUUIDv7())));
  assert.equal(readCount() - start, 1, 'no read within the cooldown');
  now += 30_000;
  await Promise.all(Array.from({ length: 500 }, () => ring.find('access', randomUUIDv7())));
  assert.equal(readCount() - start, 2);
  now += 29_999;
  await ring.find('access', randomUUIDv7());
  assert.equal(readCount() - start, 2);
});

test('if the keys cannot be read, an unknown id is an error and not “unknown”, and the next request retries', async () => {
  let away = false;
  const ring = await openKeyRing(
    {
      ...chancery.database,
      asSystem: (reason, work) => (away ? Promise.reject(new Error('away')) : chancery.database.asSystem(reason, work)),
    },
    masterKey,
    settings(),
  );
  await rotate('now');
  await rotate('now');
  const [active = ''] = await keysOf('access', 'active');
  away = true;
  await assert.rejects(ring.find('access', active), /away/);
  away = false;
  assert.equal((await ring.find('access', active))?.kid, active);
});

test('a node that lost a notification accepts a token of the new key at once, and reconnects automatically', async () => {
  const deaf = async () => {
    await chancery.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'chancery-listen' AND datname = current_database()",
    );
  };
  const node = await chancery.node('api');
  const base = String(node.address);
  await deaf();
  await rotate('now');
  await rotate('now');
  const ring = await openKeyRing(chancery.database, masterKey, settings());
  const { payload } = await jwtVerify(await newToken(), createRemoteJWKSet(new URL(`${chancery.url}/.well-known/jwks.json`)));
  const { key, kid, alg } = ring.signer('access');
  const token = await new SignJWT({ ...payload, jti: randomUUIDv7() }).setProtectedHeader({ alg, kid, typ: 'at+jwt' }).sign(key);
  assert.equal(await reads(token, base), 200);
  await signsWith(kid, base);
  await signsWith(kid);
});

test('no verification fails during rotations under load: two nodes sign, and jose verifies with the key set of the other node', async () => {
  const node = await chancery.node('api');
  const bases = [chancery.url, String(node.address)];
  // Publication takes ten minutes and caches live five, here a thousand times faster. Reloads for unknown keys are switched off, so that
  // only the early publication can help. One verifier keeps its defaults.
  const cacheMaxAge = 100;
  const scaled = bases.map((base) =>
    createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`), { cacheMaxAge, cooldownDuration: 3_600_000 }),
  );
  const usual = createRemoteJWKSet(new URL(`${chancery.url}/.well-known/jwks.json`));
  const first = await newToken();
  await jwtVerify(first, usual);
  /** The keys that the verifier with defaults has read: it reads again after ten minutes. */
  const readOnce = new Set(usual.jwks()?.keys.map((key) => key.kid));
  let running = true;
  let verified = 0;
  const kids = new Set<string | undefined>();
  const failures: string[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work();
      verified += 1;
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const load = Array.from({ length: 8 }, async (_, index) => {
    while (running) {
      const [signer = '', other = ''] = index % 2 === 0 ? bases : bases.toReversed();
      const token = await newToken(signer);
      kids.add(kidOf(token));
      await attempt('jose', () => jwtVerify(token, index % 2 === 0 ? (scaled[1] ?? usual) : (scaled[0] ?? usual), { typ: 'at+jwt' }));
      await attempt('service', async () => assert.equal(await reads(token, other), 200));
      await attempt('old token', async () => assert.equal(await reads(first, other), 200));
      if (readOnce.has(kidOf(token))) await attempt('jose as it comes', () => jwtVerify(token, usual));
    }
  });
  const rotations = 5;
  for (let rotation = 0; rotation < rotations; rotation += 1) {
    await sleep(2 * cacheMaxAge + 100);
    await age('next', '10 minutes');
    assert.equal((await rotate('once published')).signs, 'now');
    const [active] = await keysOf('access', 'active');
    await eventually('the load reaches the active key', () => kids.has(active));
  }
  await sleep(2 * cacheMaxAge);
  running = false;
  await Promise.all(load);
  assert.deepEqual(failures.slice(0, 5), []);
  assert.ok(kids.size >= rotations, `tokens of ${kids.size} keys were verified`);
  assert.ok(verified > kids.size * 3, `${verified} verifications`);
});
