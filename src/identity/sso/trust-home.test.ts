import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestResponse, TestTeam } from '../../../test/harness.ts';
import { type Forger, startForger } from '../../../test/identity-provider.ts';
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

const manage = '/api/v1/team/sso';
let service: SsoService;
let forger: Forger;
let other: Forger;
before(async () => {
  [service, forger, other] = [await startForSso(), await startForger(), await startForger()];
});
after(async () => {
  await service.stop();
  await Promise.all([forger.close(), other.close()]);
});

type Away = TestTeam & { connection: any };
/** A person who signed in at home, and another team of theirs. */
type World = { home: SsoTeam; session: SsoSession; away: Away };

async function world({ role = 'member', email = 'ada', away = {} }: { role?: string; email?: string; away?: object } = {}): Promise<World> {
  const home = await connectedTeam(service, oidcConnection(forger));
  const session = await ssoSession(service, await signInAtForger(service, home, forger, { sub: email, email: `${email}@${home.domain}` }));
  const team = await service.chancery.team();
  await service.chancery.pool.query(
    `INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role)
     SELECT $1, id, email, email_key, first_name, last_name, $3 FROM person WHERE id = $2`,
    [team.id, session.sub, role],
  );
  return { home, session, away: await connectedTeam(service, { ...oidcConnection(other), trustHome: true, ...away }, team) };
}
const enter = ({ session, away }: World): Promise<TestResponse> =>
  service.chancery.call('POST', `${authPath}/switch-team`, { token: session.accessToken, body: { teamId: away.id } });
const is = (answer: TestResponse, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);
const isOpen = async (token: string): Promise<boolean> =>
  (await service.chancery.call('GET', `${authPath}/profile`, { token })).status === 200;
const patch = (team: TestTeam, id: string, body: object) =>
  service.chancery.call('PATCH', `${manage}/${id}`, { token: team.owner.token, body });

/** Enters the other team and returns its access token. */
async function entered(of: World): Promise<string> {
  const answer = await enter(of);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.accessToken;
}

test('a sign-in at home opens another team that trusts homes, also at a refresh', async () => {
  const of = await world();
  const token = await entered(of);
  assert.equal((await service.chancery.call('GET', `${authPath}/profile`, { token })).body.teamId, of.away.id);
  const another = await world();
  const body = { refreshToken: another.session.refreshToken, teamId: another.away.id };
  assert.equal((await service.chancery.call('POST', `${authPath}/refresh`, { body })).status, 200);
});

test('a sign-in at home opens no team that does not trust homes', async () => {
  is(await enter(await world({ away: { trustHome: false } })), 401, 'reauthentication_required');
  is(await enter(await world({ away: { isActive: false } })), 401, 'reauthentication_required');
});

test('a sign-in at home opens a team that enforces a connection only if that connection trusts homes', async () => {
  for (const trustHome of [true, false]) {
    const of = await world({ away: { trustHome } });
    const { connection } = of.away;
    await service.chancery.pool.query('UPDATE sso_domain SET verified_at = NULL WHERE connection_id = $1', [of.home.connection.id]);
    await service.chancery.pool.query(
      `WITH enforced AS (UPDATE sso_connection SET is_enforced = true WHERE id = $1)
       INSERT INTO federated_identity (team_id, id, issuer, subject, account_id, connection_id, created_at, last_used_at)
       VALUES ($2, gen_random_uuid(), $3, 'ada', $4, $1, now(), now())`,
      [connection.id, of.away.id, other.issuer, of.session.sub],
    );
    is(await enter(of), 403, 'sso_required');
    await service.chancery.pool.query('UPDATE sso_domain SET verified_at = now() WHERE connection_id = $1', [of.home.connection.id]);
    const answer = await enter(of);
    if (trustHome) assert.equal(answer.status, 200, answer.text);
    else is(answer, 403, 'sso_required');
  }
});

for (const role of ['owner', 'admin'])
  test(`a sign-in at home opens no team of which the person is the ${role}`, async () => {
    const of = await world();
    if (role === 'owner')
      await service.chancery.pool.query("UPDATE account SET role = 'admin' WHERE team_id = $1 AND role = 'owner'", [of.away.id]);
    await service.chancery.pool.query('UPDATE account SET role = $3 WHERE team_id = $1 AND id = $2', [of.away.id, of.session.sub, role]);
    is(await enter(of), 401, 'reauthentication_required');
  });

test('a provider does not vouch elsewhere for an address of a domain that its team has not verified', async () => {
  const of = await world();
  await service.chancery.pool.query(
    `WITH moved AS (UPDATE person SET email = $2, email_key = $2 WHERE id = $1 RETURNING credential_epoch)
     UPDATE sign_in SET epoch = moved.credential_epoch FROM moved WHERE person_id = $1`,
    [of.session.sub, `ada.${of.home.domain}@elsewhere.example`],
  );
  is(await enter(of), 401, 'reauthentication_required');
});

for (const [what, end] of [
  [
    'the membership at home is suspended',
    ({ home, session }) =>
      service.chancery.call('PATCH', `/api/v1/team/members/${session.sub}`, { token: home.owner.token, body: { isActive: false } }),
  ],
  [
    'the connection at home is deleted',
    ({ home }) => service.chancery.call('DELETE', `${manage}/${home.connection.id}`, { token: home.owner.token }),
  ],
  [
    'the session at home ends',
    ({ home, session }) =>
      service.chancery.call('DELETE', `${manage}/${home.connection.id}/identities/${session.sub}`, { token: home.owner.token }),
  ],
] as [string, (of: World) => Promise<TestResponse>][])
  test(`access to the other team ends when ${what}`, async () => {
    const of = await world();
    const token = await entered(of);
    assert.equal(await isOpen(token), true);
    const ended = await end(of);
    assert.ok(ended.status < 300, ended.text);
    assert.equal(await isOpen(token), false);
    const body = { refreshToken: of.session.refreshToken, teamId: of.away.id };
    assert.notEqual((await service.chancery.call('POST', `${authPath}/refresh`, { body })).status, 200);
  });

for (const [what, change] of [
  ['stops trusting homes', ({ away }) => patch(away, away.connection.id, { trustHome: false })],
  ['deactivates the connection that trusts homes', ({ away }) => patch(away, away.connection.id, { isActive: false })],
  [
    'deletes the connection that trusts homes',
    ({ away }) => service.chancery.call('DELETE', `${manage}/${away.connection.id}`, { token: away.owner.token }),
  ],
  [
    'makes the member an administrator',
    ({ away, session }) =>
      service.chancery.call('PATCH', `/api/v1/team/members/${session.sub}`, { token: away.owner.token, body: { role: 'admin' } }),
  ],
] as [string, (of: World) => Promise<TestResponse>][])
  test(`access to the other team ends when that team ${what}, and stays at home`, async () => {
    const of = await world();
    const token = await entered(of);
    const changed = await change(of);
    assert.ok(changed.status < 300, changed.text);
    assert.equal(await isOpen(token), false);
    assert.equal(await isOpen(of.session.accessToken), true);
  });

test('a member who used the own password stays signed in when the team stops trusting homes', async () => {
  const of = await world();
  const token = await entered(of);
  await service.chancery.pool.query('UPDATE sign_in SET own_proof_at = now() WHERE id = $1', [of.session.sid]);
  assert.equal((await patch(of.away, of.away.connection.id, { trustHome: false })).status, 200);
  assert.equal(await isOpen(token), true);
});

test('a deactivated connection at home opens no further team', async () => {
  const of = await world();
  assert.equal((await patch(of.home, of.home.connection.id, { isActive: false })).status, 200);
  is(await enter(of), 401, 'reauthentication_required');
});
