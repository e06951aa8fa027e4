import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import type { TestResponse, TestTeam } from '../../../test/harness.ts';
import { type Forger, startForger } from '../../../test/identity-provider.ts';
import { insertSessions } from '../../../test/memberships.ts';
import { authPath } from '../../../test/people.ts';
import {
  connectedTeam,
  oidcConnection,
  signInAtForger,
  type SsoService,
  type SsoSession,
  type SsoTeam,
  ssoSession,
  startForSso,
} from '../../../test/single-sign-on.ts';

/*
 * A provider confirms an identity for its own team alone. Its administrator can sign in as each member of the team, so a sign-in through it shows and
 * changes nothing of the person's other teams.
 */

let service: SsoService;
let forger: Forger;
let home: SsoTeam;
let other: TestTeam;
let session: SsoSession;
/** A sign-in of the same person with a password in the other team. */
let elsewhere: string;
let people = 0;

before(async () => {
  [service, forger] = [await startForSso(), await startForger()];
  home = await connectedTeam(service, oidcConnection(forger));
  other = await service.chancery.team('Confidential matter');
});
after(async () => {
  await service.stop();
  await forger.close();
});

const signIn = async (sub: string) =>
  ssoSession(service, await signInAtForger(service, home, forger, { sub, email: `${sub}@${home.domain}` }));
const call = (method: string, path: string, body?: object): Promise<TestResponse> =>
  service.chancery.call(method, path, { token: session.accessToken, ...(body ? { body } : {}) });

beforeEach(async () => {
  session = await signIn(`ada${(people += 1)}`);
  const { pool } = service.chancery;
  await pool.query(
    `INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role)
     SELECT $1, id, email, email_key, first_name, last_name, 'member' FROM person WHERE id = $2`,
    [other.id, session.sub],
  );
  elsewhere = randomUUIDv7();
  await insertSessions(pool, other.id, session.sub, [elsewhere], { ip: "'203.0.113.9'", user_agent: "'Private browser'" });
});

/** Makes the sign-in one in which the person has used the password too. */
const prove = () => service.chancery.pool.query('UPDATE sign_in SET own_proof_at = now(), auth_time = now() WHERE id = $1', [session.sid]);

const idsOf = (answer: TestResponse): string[] => {
  assert.equal(answer.status, 200, answer.text);
  return answer.body.map(({ id }: { id: string }) => id);
};

test('a sign-in through a provider lists only the team of the provider', async () => {
  assert.deepEqual(idsOf(await call('GET', `${authPath}/teams`)), [home.id]);
  await prove();
  assert.deepEqual(idsOf(await call('GET', `${authPath}/teams`)), [home.id, other.id]);
});

test('a sign-in through a provider lists sessions through the provider, and none that was opened elsewhere', async () => {
  const { sid } = await signIn(`ada${people}`);
  assert.deepEqual(idsOf(await call('GET', `${authPath}/sessions`)).toSorted(), [session.sid, sid].toSorted());
  await prove();
  assert.deepEqual(idsOf(await call('GET', `${authPath}/sessions`)).toSorted(), [session.sid, sid, elsewhere].toSorted());
});

test('a sign-in through a provider ends sessions through the provider only', async () => {
  const { sid } = await signIn(`ada${people}`);
  assert.equal((await call('DELETE', `${authPath}/sessions/${elsewhere}`)).status, 404);
  assert.equal((await call('DELETE', `${authPath}/sessions/${sid}`)).status, 204);
  await prove();
  assert.equal((await call('DELETE', `${authPath}/sessions/${elsewhere}`)).status, 204);
});

test('a sign-in through a provider does not rename a person with another team', async () => {
  const answer = await call('PUT', `${authPath}/profile`, { firstName: 'The', lastName: 'Chairman' });
  assert.deepEqual([answer.status, answer.body.code], [401, 'reauthentication_required'], answer.text);
  assert.equal((await call('PUT', `${authPath}/profile`, { timezone: 'Europe/Berlin' })).status, 200);
  await prove();
  assert.equal((await call('PUT', `${authPath}/profile`, { firstName: 'Augusta' })).status, 200);
});

test('a sign-in through a provider renames a person of one team', async () => {
  session = await signIn(`alone${people}`);
  assert.equal((await call('PUT', `${authPath}/profile`, { firstName: 'Augusta' })).status, 200);
});

test('a sign-in through a provider does not rename a passkey', async () => {
  const id = randomUUIDv7();
  await service.chancery.pool.query(
    `INSERT INTO passkey (id, person_id, credential_id, public_key, sign_count, transports, synced, name, created_at)
     VALUES ($1, $2, decode(md5($1::uuid::text), 'hex'), '\\x00', 0, '{}', false, 'Key', now())`,
    [id, session.sub],
  );
  const rename = () => call('PATCH', `${authPath}/passkeys/${id}`, { name: 'Another' });
  const answer = await rename();
  assert.deepEqual([answer.status, answer.body.code], [401, 'reauthentication_required'], answer.text);
  await prove();
  assert.equal((await rename()).status, 200);
});

test('a sign-in through a provider lists no invitation of another team', async () => {
  const third = await service.chancery.team('Another confidential matter');
  const body = { email: `ada${people}@${home.domain}`, role: 'member' };
  assert.equal((await service.chancery.call('POST', '/api/v1/team/invitations', { token: third.owner.token, body })).status, 201);
  assert.deepEqual(idsOf(await call('GET', '/api/v1/team/invitations/received')), []);
  await prove();
  assert.equal(idsOf(await call('GET', '/api/v1/team/invitations/received')).length, 1);
});
