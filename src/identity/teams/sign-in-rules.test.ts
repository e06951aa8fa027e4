import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestResponse } from '../../../test/harness.ts';
import { authPath as auth, broughtIn, enrolled, registered, secretOf, signIn, withPreviousCode } from '../../../test/people.ts';
import { totpAt, totpStep } from '../../platform/crypto/totp.ts';

const path = '/api/v1/team/policy';
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const refusal = ({ status, body }: TestResponse) => [status, body?.code];
const put = (token: string, body: object) => chancery.call('PUT', path, { token, body });
const team = (token: string) => chancery.call('GET', '/api/v1/team', { token });

const noGuests = { guestDaysMax: 180, guestDomains: [], membersMaySponsor: false };

test('a team without rules shows none, and an owner without a second factor cannot require one', async () => {
  const { owner } = await chancery.team();
  assert.deepEqual((await chancery.call('GET', path, { token: owner.token })).body, { secondFactor: false, ...noGuests });
  assert.deepEqual(refusal(await put(owner.token, { secondFactor: true })), [409, 'policy_locks_you_out']);
});

test('a team that requires a second factor shows a member without one the own profile only, until they set it up', async () => {
  const owner = await enrolled(chancery);
  const member = await registered(chancery);
  const token = await broughtIn(chancery, owner, member);
  assert.equal((await team(token)).status, 200);
  const changed = await put(owner.token, { secondFactor: true });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await team(owner.token)).status, 200);
  assert.deepEqual(refusal(await team(token)), [403, 'second_factor_required']);
  const teams = (await chancery.call('GET', `${auth}/teams`, { token })).body;
  assert.equal(teams.find(({ id }: { id: string }) => id === owner.team).requires, 'second_factor');

  const begun = await chancery.call('POST', `${auth}/2fa/enable-init`, { token });
  assert.equal(begun.status, 200, begun.text);
  const secret = secretOf(begun.body.totpUri);
  const confirmed = await withPreviousCode(
    (step) => totpAt(secret, totpStep(new Date()) + step),
    (code) => chancery.call('POST', `${auth}/2fa/enable-confirm`, { token, body: { code, setupId: begun.body.setupId } }),
  );
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal((await team(token)).status, 200, 'with the same token');
});

test('after `sessionHours` a sign-in opens the team again only when it is proven again; other teams stay open', async () => {
  const { owner } = await chancery.team();
  const person = await registered(chancery);
  const folder = await chancery.call('POST', '/api/v1/smartdoc/folders', { token: person.token, body: { name: 'Own work' } });
  assert.equal(folder.status, 201, folder.text);
  await broughtIn(chancery, owner, person);
  const signed = await signIn(chancery, person.email);
  const { accessToken } = signed.body;
  assert.equal((await put(owner.token, { secondFactor: false, sessionHours: 12 })).status, 200);
  assert.equal((await team(accessToken)).status, 200);
  await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '13 hours' WHERE person_id = $1", [person.id]);
  await chancery.pool.query("SELECT pg_notify('revoked', '*')");
  const switched = await chancery.call('POST', `${auth}/switch-team`, { token: person.token, body: { teamId: owner.team } });
  assert.deepEqual(refusal(switched), [401, 'reauthentication_required']);
  const login = await signIn(chancery, person.email);
  assert.equal((await team(login.body.accessToken)).body.id, owner.team);
  assert.equal((await chancery.call('GET', `${auth}/profile`, { token: person.token })).status, 200);
});

test('only the owner sets the rules, with the version that they read', async () => {
  const { owner, id } = await chancery.team();
  const admin = await chancery.user(id, { role: 'admin' });
  assert.equal((await put(admin.token, { secondFactor: false })).status, 403);
  assert.equal((await put(owner.token, { secondFactor: false, sessionHours: 8 })).status, 200);
  const stale = await chancery.call('PUT', path, { token: owner.token, body: { secondFactor: false }, headers: { 'if-match': '"7"' } });
  assert.equal(stale.status, 412);
  assert.deepEqual((await chancery.call('GET', path, { token: owner.token })).body, { secondFactor: false, sessionHours: 8, ...noGuests });
});
