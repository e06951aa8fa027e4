import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type TestResponse, type Chancery, sharedChancery } from '../harness.ts';
import { authPath, cookieOf, goodPassword, mailsTo, registered } from '../people.ts';
import { firstStaff, staffPath } from '../staff.ts';
import { eventually } from '../webhook-receiver.ts';

// Uses the default settings, so that the grace period for old refresh tokens is the default.
let chancery: Chancery;
let nodes: string[];
before(async () => {
  chancery = await sharedChancery();
  nodes = [chancery.url, (await chancery.node('api')).address ?? ''];
});

/** Refresh tokens of users and staff have the same rules, but separate tables. */
type Kind = {
  prefix: string;
  cookie: string;
  table: string;
  idle: string;
  whole: string;
  signIn(): Promise<{ refreshToken: string; token: string; session: string; email: string }>;
};
async function ofStaff() {
  await chancery.pool.query('DELETE FROM throttle');
  const email = firstStaff.STAFF_BOOTSTRAP_EMAIL;
  const signed = await chancery.call('POST', `${staffPath}/login`, { body: { email, password: goodPassword } });
  const token = signed.body.accessToken;
  return { refreshToken: cookieOf(signed, 'staff_refresh_token'), token, session: String(decodeJwt(token).sid), email };
}
async function ofPeople() {
  const { refreshToken, token, email } = await registered(chancery);
  return { refreshToken, token, session: String(decodeJwt(token).sid), email };
}
const kinds: Record<string, Kind> = {
  people: { prefix: authPath, cookie: 'refresh_token', table: 'sign_in', idle: '30 days', whole: '90 days', signIn: ofPeople },
  staff: { prefix: staffPath, cookie: 'staff_refresh_token', table: 'staff_session', idle: '8 hours', whole: '24 hours', signIn: ofStaff },
};

for (const [who, { prefix, cookie, table, idle, whole, signIn }] of Object.entries(kinds)) {
  const renew = (refreshToken: string): Promise<TestResponse> => chancery.call('POST', `${prefix}/refresh`, { body: { refreshToken } });
  const opens = async (token: string, url = chancery.url) =>
    (await fetch(`${url}${prefix}/profile`, { headers: { authorization: `Bearer ${token}` } })).status === 200;
  const change = (session: string, set: string) => chancery.pool.query(`UPDATE ${table} SET ${set} WHERE id = $1`, [session]);
  const rotated = (session: string, seconds: number) => change(session, `rotations = ARRAY[now() - interval '${seconds} seconds']`);
  const entries = async (type: string, session: string) =>
    (await chancery.pool.query('SELECT FROM audit_entry WHERE type = $1 AND target_id = $2', [type, session])).rowCount;

  describe(`a refresh token of ${who}`, () => {
    test('used in fifty concurrent requests on two nodes, by body and cookie, is rotated once and keeps the session', async () => {
      const { refreshToken, session } = await signIn();
      const raced = await Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          const answer = await fetch(`${nodes[n % 2]}${prefix}/refresh`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...(n % 3 === 0 ? { cookie: `${cookie}=${refreshToken}` } : {}) },
            body: n % 3 === 0 ? '{}' : JSON.stringify({ refreshToken }),
          });
          return { status: answer.status, body: (await answer.json()) as { refreshToken: string; accessToken: string } };
        }),
      );
      assert.deepEqual([...new Set(raced.map(({ status }) => status))], [200]);
      const [next = '', ...more] = new Set(raced.map(({ body }) => body.refreshToken));
      assert.deepEqual(more, []);
      for (const url of nodes) assert.ok(await opens(raced[0]?.body.accessToken ?? '', url));
      const { rows } = await chancery.pool.query(`SELECT refresh_counter::int AS n FROM ${table} WHERE id = $1`, [session]);
      assert.equal(rows[0].n, 1, 'fifty requests caused one rotation');
      assert.equal((await renew(next)).status, 200);
    });

    test('can be reused for 20 s, and later reuse ends the token family', async () => {
      const { refreshToken, token, session } = await signIn();
      const next = await renew(refreshToken);
      for (const url of nodes) assert.ok(await opens(token, url));
      await rotated(session, 19);
      const late = await renew(refreshToken);
      assert.deepEqual([late.status, late.body.refreshToken], [200, next.body.refreshToken]);
      await rotated(session, 21);
      assert.equal((await renew(refreshToken)).body.error, 'refresh_token_reused');
      for (const dead of [token, next.body.accessToken, late.body.accessToken]) {
        assert.equal(await opens(dead), false);
        await eventually('the other node is notified', async () => !(await opens(dead, nodes[1])));
      }
      assert.equal((await renew(next.body.refreshToken)).body.error, 'invalid_refresh_token');
    });

    test('in fifty concurrent replays ends the token family once, with one journal entry and one mail', async () => {
      const { refreshToken, session, email } = await signIn();
      await renew(refreshToken);
      await rotated(session, 30);
      const raced = await Promise.all(Array.from({ length: 50 }, () => renew(refreshToken)));
      for (const { status, body } of raced)
        assert.ok(status === 401 && ['refresh_token_reused', 'invalid_refresh_token'].includes(body.error), body.error);
      assert.equal(await entries(who === 'staff' ? 'staff.token.reused' : 'token.reused', session), 1);
      if (who !== 'people') return;
      const notices = (await mailsTo(chancery, email)).filter(({ subject }) => /One of your sessions was ended/.test(subject));
      assert.equal(notices.length, 1);
    });

    test('is accepted only with its keyed hash, not with another session, owner, count or spelling', async () => {
      const [mine, other] = [await signIn(), await signIn()];
      const bytes = Buffer.from(mine.refreshToken.slice(3), 'base64url');
      const foreign = Buffer.from(other.refreshToken.slice(3), 'base64url');
      const with_ = (from: number, value: Buffer) => {
        const forged = Buffer.from(bytes);
        value.copy(forged, from);
        return `rt_${forged.toString('base64url')}`;
      };
      for (const [what, forged] of Object.entries({
        'another session': with_(16, foreign.subarray(16, 32)),
        'another session and owner': with_(0, foreign.subarray(0, 32)),
        'a later count': with_(32, Buffer.from([0, 0, 0, 1])),
        'another hash': with_(67, Buffer.from([(bytes[67] ?? 0) ^ 1])),
        'the hash of another': with_(36, foreign.subarray(36)),
        'no hash': with_(36, Buffer.alloc(32)),
        'a hash cut short': `rt_${bytes.subarray(0, 60).toString('base64url')}`,
        padding: `${mine.refreshToken}=`,
        'white space': `${mine.refreshToken} `,
        'other unused bits': mine.refreshToken.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
        'base64 of other letters': `rt_${bytes.toString('base64')}`,
        'no prefix': mine.refreshToken.slice(3),
      }))
        assert.equal((await renew(forged)).body.error, 'invalid_refresh_token', what);
      for (const { refreshToken } of [mine, other])
        assert.equal((await renew(refreshToken)).status, 200, 'the token families are unchanged');
    });

    test(`ends after ${idle} without use, and ${whole} after the sign-in`, async () => {
      const one = await signIn();
      await change(one.session, `last_used_at = now() - interval '${idle}' + interval '1 minute'`);
      const next = await renew(one.refreshToken);
      assert.equal(next.status, 200);
      await change(one.session, `last_used_at = now() - interval '${idle}' - interval '1 second'`);
      assert.equal((await renew(next.body.refreshToken)).body.error, 'invalid_refresh_token');
      const two = await signIn();
      const ends = async () =>
        (
          await chancery.pool.query(
            `SELECT expires_at, expires_at - created_at = interval '${whole}' AS whole FROM ${table} WHERE id = $1`,
            [two.session],
          )
        ).rows[0];
      const first = await ends();
      assert.equal(first.whole, true);
      const renewed = await renew(two.refreshToken);
      assert.deepEqual(await ends(), first, 'a use does not delay the end');
      await change(two.session, 'expires_at = now()');
      assert.equal((await renew(renewed.body.refreshToken)).body.error, 'invalid_refresh_token');
    });
  });
}

test('a refresh applies a lowered role, a disabled account and a suspended team', async () => {
  const person = await registered(chancery);
  const renew = (refreshToken: string) => chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken } });
  assert.equal(decodeJwt(person.token).role, 'owner');
  await chancery.pool.query("UPDATE account SET role = 'viewer' WHERE id = $1", [person.id]);
  const lowered = await renew(person.refreshToken);
  const { role, scope } = decodeJwt(lowered.body.accessToken);
  assert.equal(role, 'viewer');
  assert.doesNotMatch(String(scope), /team:write|audit:write/);
  const set = (table: 'account' | 'team', status: string) =>
    chancery.pool.query(`UPDATE ${table} SET status = '${status}' WHERE team_id = $1`, [person.team]);
  await set('team', 'suspended');
  assert.equal((await renew(lowered.body.refreshToken)).body.error, 'team_closed');
  await set('team', 'active');
  const renewed = await renew(lowered.body.refreshToken);
  assert.equal(renewed.status, 200, 'the session was rejected, but not ended');
  await set('account', 'disabled');
  assert.equal((await renew(renewed.body.refreshToken)).body.error, 'team_closed');
  assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: renewed.body.accessToken })).status, 401);
  await set('account', 'active');
  const opened = await renew(renewed.body.refreshToken);
  assert.equal(opened.body.error, 'team_closed', 'a reactivated member signs in again');
});
