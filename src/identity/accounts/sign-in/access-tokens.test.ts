import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openKeyRing } from '#keys';
import { type Chancery, startChancery, type User } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { loadMasterKey } from '../../../platform/crypto/master-key.ts';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';

const profile = '/api/v1/security/auth/profile';
let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

/** Ends a session in the database without a notification. */
const endSilently = ({ sessionId }: User) => chancery.pool.query('UPDATE sign_in SET revoked_at = now() WHERE id = $1', [sessionId]);
const person = async () => (await chancery.team()).owner;

describe('a cached token', () => {
  let isListening = true;
  async function believing(remembered = 100): Promise<AccessTokens> {
    const masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
    return createAccessTokens({
      database: chancery.database,
      keys: await openKeyRing(chancery.database, masterKey, { accessAlgorithm: 'ES256' }),
      issuer: chancery.config.BASE_URL,
      receivesRevocations: () => isListening,
      liveClient: async () => undefined,
      remembered,
    });
  }

  test('ends with its session, also after other tokens were used', async () => {
    const tokens = await believing(2);
    const [one, two, three] = [await person(), await person(), await person()];
    assert.ok(await tokens.verify(one.token));
    assert.ok(await tokens.verify(two.token));
    // The first is now the most recently used; the third replaces the second.
    assert.ok(await tokens.verify(one.token));
    assert.ok(await tokens.verify(three.token));
    await endSilently(one);
    assert.ok(await tokens.verify(one.token), 'it is cached');
    tokens.forget(one.sessionId);
    assert.equal(await tokens.verify(one.token), undefined);
    assert.ok(await tokens.verify(three.token));
  });

  test('expires after a minute without a received revocation', async (t) => {
    const tokens = await believing();
    const one = await person();
    assert.ok(await tokens.verify(one.token));
    await endSilently(one);
    const started = Date.now();
    const clock = t.mock.method(Date, 'now', () => started + 59_000);
    assert.ok(await tokens.verify(one.token), 'a lost notification has this delay');
    clock.mock.mockImplementation(() => started + 61_000);
    assert.equal(await tokens.verify(one.token), undefined);
  });

  test('is not used while revocations are not received', async () => {
    const tokens = await believing();
    const one = await person();
    assert.ok(await tokens.verify(one.token));
    await endSilently(one);
    isListening = false;
    assert.equal(await tokens.verify(one.token), undefined);
    const two = await person();
    assert.ok(await tokens.verify(two.token));
    isListening = true;
    await endSilently(two);
    assert.equal(await tokens.verify(two.token), undefined, 'reads during that time are not cached');
  });

  test('is not stored if the revocation arrives during the database read', async () => {
    const tokens = await believing();
    const one = await person();
    const verified = tokens.verify(one.token);
    tokens.forget(one.sessionId);
    assert.ok(await verified);
    await endSilently(one);
    assert.equal(await tokens.verify(one.token), undefined);
  });
});

test('a node without notifications rejects revoked tokens, during the interruption and after it', async () => {
  const node = await chancery.node('api');
  const opens = async ({ token }: User) =>
    (await fetch(`${node.address}${profile}`, { headers: { authorization: `Bearer ${token}` } })).status === 200;
  const [meanwhile, afterwards] = [await person(), await person()];
  assert.deepEqual([await opens(meanwhile), await opens(afterwards)], [true, true]);
  const listening = async () =>
    (
      await chancery.pool.query(
        "SELECT pid FROM pg_stat_activity WHERE application_name IN ('chancery-listen', 'chancery-listen-api') AND datname = current_database()",
      )
    ).rows.map(({ pid }) => pid);
  // New connections are rejected while the test wants it; open ones continue.
  const letIn = (whether: boolean) =>
    chancery.pool.query('UPDATE pg_database SET datallowconn = $1 WHERE datname = current_database()', [whether]);
  await letIn(false);
  try {
    await chancery.pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS x(pid)', [await listening()]);
    for (const one of [meanwhile, afterwards]) await endSilently(one);
    await eventually('it reads the database', async () => !(await opens(meanwhile)));
    await eventually('nobody hears', async () => (await listening()).length === 0);
  } finally {
    await letIn(true);
  }
  await eventually('it receives notifications and uses the cache again', async () => {
    const one = await person();
    const opened = await opens(one);
    await endSilently(one);
    return opened && (await opens(one));
  });
  assert.equal(await opens(afterwards), false, 'but not the tokens cached before');
  await node.stop();
});
