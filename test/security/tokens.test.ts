import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { base64url, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { openKeyRing } from '#keys';
import { loadMasterKey } from '../../src/platform/crypto/master-key.ts';
import { type Chancery, sharedChancery, type User } from '../harness.ts';
import { eventually } from '../webhook-receiver.ts';
import { notificationMs } from '../signals.ts';
import { staffPath, staffToken } from '../staff.ts';

const profile = '/api/v1/security/auth/profile';
let chancery: Chancery;
let owner: User;
let header: Record<string, unknown>;
let claims: Record<string, unknown>;
let ring: Awaited<ReturnType<typeof openKeyRing>>;

before(async () => {
  chancery = await sharedChancery();
  owner = (await chancery.team()).owner;
  const [first = '', second = ''] = owner.token.split('.');
  header = JSON.parse(Buffer.from(first, 'base64url').toString());
  claims = JSON.parse(Buffer.from(second, 'base64url').toString());
  const masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
  ring = await openKeyRing(chancery.database, masterKey, { accessAlgorithm: 'ES256' });
});

const encode = (value: object) => base64url.encode(JSON.stringify(value));
const unsigned = (head: object, body: object, signature = '') => `${encode(head)}.${encode(body)}.${signature}`;
const refused = async (token: string, why: string) => {
  const answer = await chancery.call('GET', profile, { token });
  assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], why);
  assert.match(answer.headers.get('www-authenticate') ?? '', /invalid_token/, why);
};
/** Creates a token with the key of the service and other claims or another type. */
const signed = (changed: Record<string, unknown>, typ = 'at+jwt', purpose: 'access' | 'witness' = 'access') => {
  const { key, kid, alg } = ring.signer(purpose);
  return new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg, kid, typ }).sign(key);
};

test('a token with the claims of the service is accepted; each forgery below differs in one part', async () => {
  assert.equal((await chancery.call('GET', profile, { token: await signed({}) })).status, 200);
});

for (const alg of ['none', 'None', 'NONE', 'nOnE']) {
  test(`a token with alg ${alg} is rejected`, () => refused(unsigned({ ...header, alg }, claims), alg));
}

test('a token signed by HMAC with the public key is rejected', async () => {
  const key = JSON.stringify(ring.publicKeys('access')[0]);
  for (const secret of [key, Buffer.from(String(ring.publicKeys('access')[0]?.x), 'base64url')]) {
    const text = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
    await refused(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`, 'HS256');
  }
});

test('a token of a foreign key is rejected, also if it contains the key', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const make = (extra: object) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...extra }).sign(privateKey);
  await refused(await make({ kid: String(header.kid) }), 'the service’s own kid');
  await refused(await make({ kid: String(header.kid), jwk }), 'an embedded key');
  await refused(
    await make({ kid: String(header.kid), jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/cert' }),
    'the URL of a key',
  );
});

for (const kid of [
  '../../../etc/passwd',
  "' OR 1=1 --",
  'x'.repeat(10_000),
  '',
  undefined,
  { a: 1 },
  ['a'],
  0,
  '01999999-0000-7000-8000-000000000000',
]) {
  test(`an unknown key id is rejected: ${JSON.stringify(kid)?.slice(0, 30)}`, () =>
    refused(unsigned({ ...header, kid }, claims, owner.token.split('.')[2]), 'kid'));
}

test('the signature covers every claim', async () => {
  const [head = '', , signature = ''] = owner.token.split('.');
  const other = (await chancery.team()).owner;
  for (const changed of [{ sub: other.id }, { team: other.team }, { role: 'admin' }, { scope: 'everything' }, { exp: 9_999_999_999 }]) {
    await refused(`${head}.${encode({ ...claims, ...changed })}.${signature}`, JSON.stringify(changed));
  }
  await refused(`${head}.${owner.token.split('.')[1]}.${'A'.repeat(86)}`, 'an all-zero signature');
  await refused(`${head}.${owner.token.split('.')[1]}.`, 'no signature');
});

for (const [why, changed, typ] of [
  ['expired', { exp: 1_000_000_000 }],
  ['not valid yet', { nbf: 9_999_999_999 }],
  ['without an end', { exp: undefined }],
  ['with an end that is text', { exp: 'tomorrow' }],
  ['for another audience', { aud: 'staff-api' }],
  ['of another issuer', { iss: 'https://elsewhere.example' }],
  ['of another type', {}, 'JWT'],
  ['of a refresh type', {}, 'rt+jwt'],
  ['of another person’s session', { sub: '01999999-0000-7000-8000-000000000000' }],
  ['of another team', { team: '01999999-0000-7000-8000-000000000000' }],
  ['of no session', { sid: '01999999-0000-7000-8000-000000000000' }],
  ['whose session is no identifier', { sid: "x' OR 1=1" }],
] as [string, Record<string, unknown>, string?][]) {
  test(`a token that is ${why} is rejected, even with a signature of the service`, async () => refused(await signed(changed, typ), why));
}

test('a token signed by the witness key is rejected', async () => refused(await signed({}, 'at+jwt', 'witness'), 'witness'));

test('a token of an API client is bound to its client, its team and the secret it was issued for', async () => {
  const [one, other] = [await chancery.client(owner, ['tasks:read']), await chancery.client(owner, ['tasks:read'])];
  const elsewhere = await chancery.client((await chancery.team()).owner, ['tasks:read']);
  const own = decodeJwt(one.token);
  const { key, kid, alg } = ring.signer('access');
  const sign = (changed: object) => new SignJWT({ ...own, ...changed }).setProtectedHeader({ alg, kid, typ: 'at+jwt' }).sign(key);
  const opens = async (token: string) => (await chancery.call('GET', '/api/v1/tasks/', { token })).status;
  assert.equal(await opens(await sign({})), 200, 'a valid token is accepted; each forgery below differs in one claim');
  const forgeries: [string, object][] = [
    ['another client as subject', { sub: other.id }],
    ['another client', { sub: other.id, client_id: other.id }],
    ['another client’s secret', { sid: decodeJwt(other.token).sid }],
    ['another team', { team: elsewhere.id }],
    ['a client of another team', { sid: decodeJwt(elsewhere.token).sid }],
    ['a person as subject', { sub: owner.id }],
    ['no client', { client_id: undefined }],
    ['a person’s session', { sid: owner.sessionId }],
    ['a client id that is not text', { client_id: [one.id] }],
    ['no scope', { scope: undefined }],
    ['an invalid token id', { jti: 'x' }],
  ];
  for (const [why, changed] of forgeries) assert.equal(await opens(await sign(changed)), 401, why);
  const posed = await new SignJWT({ ...claims, client_id: owner.id }).setProtectedHeader({ alg, kid, typ: 'at+jwt' }).sign(key);
  assert.equal(await opens(posed), 401, 'a token of a person with the claims of a client');
  const wider = await chancery.call('GET', '/api/v1/security/audit', { token: await sign({ scope: 'tasks:read audit:read' }) });
  assert.deepEqual([wider.status, wider.body.code], [403, 'insufficient_scope'], 'a scope the client does not have');
});

test('a key of another algorithm is not accepted as the key of the service', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await refused(
    await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: String(header.kid), typ: 'at+jwt' }).sign(privateKey),
    'RS256',
  );
});

test('the header accepts one bearer token, with the scheme in any case, and no other value', async () => {
  const send = (headers: Record<string, string>, path = profile) => chancery.call('GET', path, { headers });
  assert.equal((await send({ authorization: `bearer ${owner.token}` })).status, 200);
  for (const authorization of [
    `Bearer  ${owner.token}`,
    `Bearer ${owner.token}, Bearer ${owner.token}`,
    `Basic ${owner.token}`,
    owner.token,
    'Bearer',
    `Token ${owner.token}`,
  ]) {
    assert.equal((await send({ authorization })).status, 401, authorization.slice(0, 12));
  }
  assert.equal((await send({}, `${profile}?access_token=${owner.token}`)).status, 401);
  assert.equal((await send({ cookie: `refresh_token=${owner.token}` })).status, 401);
});

test('a lowered role, a disabled account and a suspended team apply after the notification of the node', async () => {
  const team = await chancery.team();
  const admin = await chancery.user(team, { role: 'admin' });
  const list = () => chancery.call('GET', '/api/v1/security/audit', { token: admin.token });
  assert.equal((await list()).status, 200);
  const change = async (sql: string, status: number) => {
    await chancery.pool.query(sql, [admin.team, ...(sql.includes('$2') ? [admin.id] : [])]);
    await chancery.pool.query("SELECT pg_notify('revoked', $1)", [admin.sessionId]);
    await eventually(`${status} after ${sql}`, async () => (await list()).status === status, notificationMs);
  };
  await change("UPDATE account SET role = 'member' WHERE team_id = $1 AND id = $2", 403);
  assert.equal((await list()).body.code, 'insufficient_scope');
  await change("UPDATE account SET role = 'admin' WHERE team_id = $1 AND id = $2", 200);
  await change("UPDATE team SET status = 'suspended' WHERE team_id = $1", 401);
  await change("UPDATE team SET status = 'active' WHERE team_id = $1", 200);
  await change("UPDATE account SET status = 'disabled' WHERE team_id = $1 AND id = $2", 401);
});

test('a published key that does not match its private key is rejected', async () => {
  const forged = await exportJWK((await generateKeyPair('Ed25519', { extractable: true })).publicKey);
  const { rows } = await chancery.pool.query("SELECT kid, public_jwk FROM signing_key WHERE purpose = 'witness'");
  const [{ kid, public_jwk: kept }] = rows;
  await chancery.pool.query('UPDATE signing_key SET public_jwk = $2 WHERE kid = $1', [kid, JSON.stringify({ ...kept, x: forged.x })]);
  await assert.rejects(ring.reload(), new RegExp(`signing key ${kid} .* the row was altered`));
  await chancery.pool.query('UPDATE signing_key SET public_jwk = $2 WHERE kid = $1', [kid, JSON.stringify(kept)]);
  await ring.reload();
});

/** A separate reader validates staff tokens, so the same forgeries are tested on it. */
describe('a token of staff', () => {
  const place = `${staffPath}/profile`;
  let good: Record<string, unknown>;
  let head: Record<string, unknown>;
  let token: string;
  before(async () => {
    token = await staffToken(chancery);
    const [first = '', second = ''] = token.split('.');
    head = JSON.parse(Buffer.from(first, 'base64url').toString());
    good = JSON.parse(Buffer.from(second, 'base64url').toString());
  });
  const closed = async (forged: string, why: string) => {
    const answer = await chancery.call('GET', place, { token: forged });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], why);
  };
  const made = (changed: Record<string, unknown>, typ = 'at+jwt', purpose: 'access' | 'witness' = 'access') => {
    const { key, kid, alg } = ring.signer(purpose);
    return new SignJWT({ ...good, ...changed }).setProtectedHeader({ alg, kid, typ }).sign(key);
  };

  test('with the claims of the service is accepted; each forgery below differs in one part', async () => {
    assert.equal((await chancery.call('GET', place, { token: await made({}) })).status, 200);
  });

  test('without a signature, or signed by HMAC with the public key, is rejected', async () => {
    for (const alg of ['none', 'None', 'nOnE']) await closed(unsigned({ ...head, alg }, good), alg);
    await closed(unsigned(head, good), 'no signature');
    const text = `${encode({ ...head, alg: 'HS256' })}.${encode(good)}`;
    const secret = JSON.stringify(ring.publicKeys('access')[0]);
    await closed(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`, 'HS256');
  });

  test('of a foreign key, with any key id, is rejected', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    for (const extra of [
      { kid: String(head.kid) },
      { kid: String(head.kid), jwk },
      { kid: '../../../etc/passwd' },
      { kid: "' OR 1=1 --" },
      {},
    ])
      await closed(
        await new SignJWT(good).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...extra }).sign(privateKey),
        JSON.stringify(extra),
      );
    await closed(await made({}, 'at+jwt', 'witness'), 'the witness key');
  });

  for (const [why, changed, typ] of [
    ['expired', { exp: 1_000_000_000 }],
    ['not valid yet', { nbf: 9_999_999_999 }],
    ['without an end', { exp: undefined }],
    ['for another audience', { aud: 'user-api' }],
    ['for both audiences but this one', { aud: ['user-api', 'other'] }],
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['of another type', {}, 'JWT'],
    ['of another person’s session', { sub: '01999999-0000-7000-8000-000000000000' }],
    ['of no session', { sid: '01999999-0000-7000-8000-000000000000' }],
    ['whose session is no identifier', { sid: "x' OR 1=1" }],
  ] as [string, Record<string, unknown>, string?][])
    test(`that is ${why} is rejected, even with a signature of the service`, async () => closed(await made(changed, typ), why));

  test('of a session of a person is rejected, even with the audience of staff', async () => {
    await closed(await made({ sub: owner.id, sid: owner.sessionId }), 'a person as staff');
    await refused(await signed({ sub: good.sub, sid: good.sid }), 'staff as a person');
  });
});
