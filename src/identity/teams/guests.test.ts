import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type CallOptions, type Chancery, startChancery, type TestResponse, type TestTeam, type User } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { authPath, goodPassword, mailsTo, registered, signIn } from '../../../test/people.ts';
import { listeners } from '../../listeners.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { endDueGuests, remindOfEnds } from './guests.ts';

const team = '/api/v1/team';
const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
const dayMs = 86_400_000;
let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => chancery.stop());

const call = (by: { token: string }, method: string, path: string, body?: unknown, options: CallOptions = {}) =>
  chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }), ...options });
const refusal = ({ status, body }: TestResponse) => [status, body?.code];
async function made(by: { token: string }, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const newAddress = () => `guest.${randomUUIDv7()}@guests.example`;
const linkTo = async (email: string) =>
  (await mailsTo(chancery, email)).map(({ text }) => /accept-invitation#token=([\w-]{64})\b/.exec(text)?.[1]).find(Boolean) ?? '';

type Guest = { id: string; email: string; token: string };
async function accepted(email: string): Promise<Guest> {
  const body = { token: await linkTo(email), firstName: 'Gita', lastName: 'Guest', password: goodPassword };
  const answer = await chancery.call('POST', `${team}/invitations/accept`, { body });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.body.user.id, email, token: answer.body.accessToken };
}
async function guestOf(by: User, members: Record<string, unknown> = {}, email = newAddress()): Promise<Guest> {
  await made(by, 'POST', `${team}/invitations`, { email, role: 'guest', endsAt: inDays(30), ...members });
  return accepted(email);
}

/** Moves the end of a guest into the past, as the clock does. */
const passEnd = (guest: { id: string }) =>
  chancery.pool.query("UPDATE account SET ends_at = clock_timestamp() - interval '1 second' WHERE id = $1", [guest.id]);
/** A node without API has no tokens in memory. */
const worker = { tokens: { forget: () => undefined } as never, madeBy: [] };
const deps = () => ({ database: chancery.database, listeners, isolation: isolationOf(chancery) });
const endDue = () => doDueWork(deps(), endDueGuests(worker), new Date());
const remind = () => doDueWork(deps(), remindOfEnds, new Date());
const membership = async (guest: { id: string }, of: TestTeam) =>
  (await chancery.pool.query('SELECT * FROM account WHERE team_id = $1 AND id = $2', [of.id, guest.id])).rows[0];
const grantsTo = async (guest: { id: string }) =>
  (await chancery.pool.query('SELECT resource_id FROM access_grant WHERE user_id = $1', [guest.id])).rows.map(({ resource_id: id }) => id);
const entries = async (of: TestTeam, type: string) =>
  (await chancery.pool.query('SELECT target_id, data FROM audit_entry WHERE team_id = $1 AND type = $2 ORDER BY at, id', [of.id, type]))
    .rows;

async function office(): Promise<{ team: TestTeam; owner: User; member: User; folder: string; document: string; other: string }> {
  const own = await chancery.team();
  const member = await chancery.user(own);
  const folder = (await chancery.folder(member)).id;
  const document = (await chancery.document(member, { folderId: folder })).id;
  return { team: own, owner: own.owner, member, folder, document, other: (await chancery.folder(member)).id };
}

test('an accepted guest sees the named resources with the given relation, and nothing else', async () => {
  const { owner, member, folder, document, other } = await office();
  await made(member, 'POST', `${folders}/${other}/shares`, { team: true, access: 'write' });
  const guest = await guestOf(owner, { access: [{ type: 'folder', id: folder, relation: 'viewer' }] });
  assert.deepEqual(
    (await made(guest, 'GET', `${folders}/`)).map(({ id }: any) => id),
    [folder],
    'a share with the team includes no guest',
  );
  assert.equal((await call(guest, 'GET', `${documents}/${document}`)).status, 200);
  assert.deepEqual(refusal(await call(guest, 'GET', `${folders}/${other}`)), [404, 'not_found']);
  assert.equal((await call(guest, 'PUT', `${documents}/${document}`, { description: 'New' })).status, 403);
});

test('a guest with an editor grant changes the document', async () => {
  const { owner, document } = await office();
  const guest = await guestOf(owner, { access: [{ type: 'document', id: document, relation: 'editor' }] });
  assert.equal((await call(guest, 'PUT', `${documents}/${document}`, { description: 'New' })).status, 200);
});

test('a guest reaches no members, groups, clients, webhooks, invitations and journal', async () => {
  const { owner } = await office();
  const guest = await guestOf(owner);
  for (const path of [
    team,
    `${team}/members`,
    `${team}/members/${owner.id}`,
    `${team}/invitations`,
    `${team}/policy`,
    '/api/v1/groups/',
    '/api/v1/security/clients/',
    '/api/v1/security/audit',
    '/ws/api/agents/',
    '/api/v1/webhooks/',
    '/api/v1/registries/',
  ])
    assert.equal((await call(guest, 'GET', path)).status, 403, path);
  assert.equal((await call(guest, 'POST', `${team}/invitations`, { email: newAddress(), role: 'viewer' })).status, 403);
});

test('a guest needs an end in the future and within the limit of the policy', async () => {
  const { owner } = await office();
  const invite = (endsAt?: string) => call(owner, 'POST', `${team}/invitations`, { email: newAddress(), role: 'guest', endsAt });
  assert.deepEqual(refusal(await invite()), [422, 'end_required']);
  assert.deepEqual(refusal(await invite(inDays(-1))), [422, 'end_required']);
  assert.deepEqual(refusal(await invite(inDays(181))), [422, 'end_too_far']);
  await made(owner, 'PUT', `${team}/policy`, { secondFactor: false, guestDaysMax: 10 });
  assert.deepEqual(refusal(await invite(inDays(11))), [422, 'end_too_far']);
  assert.equal((await invite(inDays(9))).status, 201);
});

test('the policy decides the domains of guests, and a domain that the team has verified is refused (13.46)', async () => {
  const { team: own, owner } = await office();
  const invite = (domain: string) =>
    call(owner, 'POST', `${team}/invitations`, { email: `a.${randomUUIDv7().slice(-9)}@${domain}`, role: 'guest', endsAt: inDays(5) });
  await made(owner, 'PUT', `${team}/policy`, { secondFactor: false, guestDomains: ['Auditors.example'] });
  assert.deepEqual(refusal(await invite('other.example')), [422, 'guest_domain_refused']);
  assert.equal((await invite('AUDITORS.example')).status, 201);
  const connection = randomUUIDv7();
  await chancery.pool.query(
    `INSERT INTO sso_connection (team_id, id, issuer, client_id, client_secret, default_role, is_enforced, trusts_mfa, is_active, created_at, updated_at)
     VALUES ($1, $2, $3, 'c', '\\x00', 'member', false, false, true, now(), now())`,
    [own.id, connection, `https://${connection}.example`],
  );
  await chancery.pool.query(
    "INSERT INTO sso_domain (team_id, connection_id, domain, proof, verified_at) VALUES ($1, $2, 'auditors.example', 'p', now())",
    [own.id, connection],
  );
  assert.deepEqual(refusal(await invite('auditors.example')), [422, 'guest_domain_refused']);
});

test('an inviter gives no access to resources that they cannot share', async () => {
  const { team: own, owner, member, folder } = await office();
  await made(owner, 'PUT', `${team}/policy`, { secondFactor: false, membersMaySponsor: true });
  const colleague = await chancery.user(own);
  const invite = (by: User, id: string) =>
    call(by, 'POST', `${team}/invitations`, {
      email: newAddress(),
      role: 'guest',
      endsAt: inDays(5),
      access: [{ type: 'folder', id, relation: 'viewer' }],
    });
  assert.deepEqual(refusal(await invite(colleague, folder)), [422, 'access_not_shareable']);
  assert.deepEqual(refusal(await invite(owner, randomUUIDv7())), [422, 'access_not_shareable']);
  assert.equal((await invite(member, folder)).status, 201);
});

test('members invite guests only if the policy allows it, as sponsors, and no other members', async () => {
  const { owner, member, folder } = await office();
  const access = [{ type: 'folder', id: folder, relation: 'viewer' }];
  const invite = (body: object) => call(member, 'POST', `${team}/invitations`, { email: newAddress(), ...body });
  const guest = { role: 'guest', endsAt: inDays(5), access };
  assert.deepEqual(refusal(await invite(guest)), [403, 'insufficient_scope']);
  await made(owner, 'PUT', `${team}/policy`, { secondFactor: false, membersMaySponsor: true });
  assert.deepEqual(refusal(await invite({ role: 'viewer' })), [403, 'insufficient_scope']);
  assert.deepEqual(refusal(await invite({ ...guest, access: [] })), [403, 'insufficient_scope']);
  assert.deepEqual(refusal(await invite({ ...guest, sponsorId: owner.id })), [403, 'insufficient_scope']);
  const answer = await invite(guest);
  assert.deepEqual([answer.status, answer.body.sponsorId], [201, member.id]);
});

test('access that the inviter can no longer give is left out on acceptance', async () => {
  const { team: own, owner, member, folder, other } = await office();
  await made(owner, 'PUT', `${team}/policy`, { secondFactor: false, membersMaySponsor: true });
  const hidden = (await chancery.folder(member)).id;
  const email = newAddress();
  const access = [folder, hidden].map((id) => ({ type: 'folder', id, relation: 'viewer' }));
  await made(member, 'POST', `${team}/invitations`, { email, role: 'guest', endsAt: inDays(5), access });
  await made(owner, 'DELETE', `${folders}/${hidden}`);
  const guest = await accepted(email);
  assert.deepEqual(await grantsTo(guest), [folder]);
  assert.notEqual(folder, other);
  const [shared] = await entries(own, 'folder.shared');
  assert.equal(shared?.data.userId, guest.id);
});

test('a person with an account becomes a guest of another team and keeps their own', async () => {
  const { owner, folder } = await office();
  const person = await registered(chancery);
  await chancery.folder({ ...person, role: 'owner', sessionId: '' });
  const access = [{ type: 'folder', id: folder, relation: 'viewer' }];
  await made(owner, 'POST', `${team}/invitations`, { email: person.email, role: 'guest', endsAt: inDays(5), access });
  const joined = await chancery.call('POST', `${team}/invitations/accept`, {
    token: person.token,
    body: { token: await linkTo(person.email) },
  });
  assert.equal(joined.status, 200, joined.text);
  const teams = await made({ token: joined.body.accessToken }, 'GET', `${authPath}/teams`);
  assert.deepEqual(
    teams.map(({ role, endsAt }: any) => [role, endsAt !== undefined]),
    [
      ['owner', false],
      ['guest', true],
    ],
  );
});

test('the end is checked at each request, before the job has run, and also for a token in memory', async () => {
  const { owner, folder } = await office();
  const guest = await guestOf(owner, { access: [{ type: 'folder', id: folder, relation: 'viewer' }] });
  assert.equal((await call(guest, 'GET', `${folders}/${folder}`)).status, 200);
  await chancery.pool.query("UPDATE account SET ends_at = clock_timestamp() + interval '1.5 seconds' WHERE id = $1", [guest.id]);
  await chancery.pool.query("SELECT pg_notify('revoked', id::text) FROM session WHERE account_id = $1", [guest.id]);
  const until = async (status: number) => {
    for (let n = 0; n < 200; n += 1) if ((await call(guest, 'GET', `${folders}/${folder}`)).status === status) return;
    assert.fail(`no ${status}`);
  };
  await until(200);
  // No notification tells of the end: the token in memory ends with the membership.
  await chancery.pool.query('SELECT pg_sleep(2)');
  assert.equal((await call(guest, 'GET', `${folders}/${folder}`)).status, 401);
  assert.equal((await signIn(chancery, guest.email)).status, 403);
});

test('the end is by the time of the database (13.49)', async () => {
  const { team: own, owner, folder } = await office();
  const guest = await guestOf(owner, { access: [{ type: 'folder', id: folder, relation: 'viewer' }] });
  await passEnd(guest);
  // The clock of the process is far behind.
  await doDueWork(deps(), endDueGuests(worker), new Date(0));
  assert.equal((await membership(guest, own)).status, 'deleted');
});

test('a grant gives nothing after the end, also to a caller whose session was checked before', async () => {
  const { team: own, owner, folder } = await office();
  const guest = await guestOf(owner, { access: [{ type: 'folder', id: folder, relation: 'viewer' }] });
  const principals = async () =>
    (await chancery.pool.query('SELECT access_principals($1, $2, true) AS all', [own.id, guest.id])).rows[0].all;
  assert.deepEqual(await principals(), [guest.id]);
  await passEnd(guest);
  assert.deepEqual(await principals(), []);
});

test('after the end the sponsor has the open tasks and loose documents; what lies in a folder stays with its owner (13.45)', async () => {
  const { team: own, owner, member, folder } = await office();
  const guest = await guestOf(owner, { sponsorId: member.id, access: [{ type: 'folder', id: folder, relation: 'editor' }] });
  const as = { ...guest, team: own.id, role: 'guest' as const, sessionId: '' };
  const loose = (await chancery.document(as)).id;
  const filed = (await chancery.document(as, { folderId: folder })).id;
  const task = (await made(owner, 'POST', '/api/v1/tasks/', { title: 'Read', assignedTo: guest.id })).id;
  await passEnd(guest);
  await endDue();
  const owners = (await chancery.pool.query('SELECT id, user_id FROM document WHERE id = ANY ($1)', [[loose, filed]])).rows;
  assert.deepEqual(Object.fromEntries(owners.map(({ id, user_id: by }) => [id, by])), { [loose]: member.id, [filed]: member.id });
  assert.equal((await made(owner, 'GET', `/api/v1/tasks/${task}`)).assignedTo, member.id);
  assert.deepEqual(await grantsTo(guest), []);
  assert.deepEqual(
    (await entries(own, 'member.ended')).map(({ target_id: id, data }) => [id, data]),
    [[guest.id, { role: 'guest', successorId: member.id }]],
  );
  assert.ok((await mailsTo(chancery, guest.email)).some(({ subject }) => /has ended/.test(subject)));
  assert.deepEqual(refusal(await call(owner, 'GET', `${team}/members/${guest.id}`)), [404, 'not_found']);
});

test('a person who is invited again gets new dates and nothing old', async () => {
  const { team: own, owner, folder, document } = await office();
  const guest = await guestOf(owner, { access: [{ type: 'folder', id: folder, relation: 'viewer' }] });
  await passEnd(guest);
  // The job has not run: the invitation itself ends the old membership.
  await made(owner, 'POST', `${team}/invitations`, { email: guest.email, role: 'guest', endsAt: inDays(60) });
  assert.equal((await membership(guest, own)).status, 'deleted');
  const session = await signIn(chancery, guest.email);
  assert.equal(session.status, 200, session.text);
  const back = await chancery.call('POST', `${team}/invitations/accept`, {
    token: session.body.accessToken,
    body: { token: await linkTo(guest.email) },
  });
  assert.equal(back.status, 200, back.text);
  const again = { token: back.body.accessToken };
  assert.deepEqual(await made(again, 'GET', `${folders}/`), []);
  assert.equal((await call(again, 'GET', `${documents}/${document}`)).status, 404);
  assert.equal((await call(guest, 'GET', `${folders}/`)).status, 401, 'the old session stays ended');
  const row = await membership(guest, own);
  assert.ok(row.ends_at.getTime() > Date.now() + 59 * dayMs && row.sponsor_extended === false);
});

test('guest and sponsor get a mail 14 and 3 days before the end, once each', async () => {
  const { owner, member } = await office();
  const guest = await guestOf(owner, { sponsorId: member.id });
  const subjects = async (email: string) =>
    (await mailsTo(chancery, email)).map(({ subject }) => subject).filter((subject) => /ends soon/.test(subject)).length;
  const both = async () => [await subjects(guest.email), await subjects(member.email)];
  const endIn = (days: number) =>
    chancery.pool.query('UPDATE account SET ends_at = now() + make_interval(days => $2) WHERE id = $1', [guest.id, days]);
  await remind();
  assert.deepEqual(await both(), [0, 0]);
  await endIn(13);
  for (const _ of [1, 2]) await remind();
  assert.deepEqual(await both(), [1, 1]);
  await endIn(2);
  for (const _ of [1, 2]) await remind();
  assert.deepEqual(await both(), [2, 2]);
});

test('a guest for ten days gets no mail 14 days before the end', async () => {
  const { owner } = await office();
  const guest = await guestOf(owner, { endsAt: inDays(10) });
  await remind();
  assert.ok(!(await mailsTo(chancery, guest.email)).some(({ subject }) => /ends soon/.test(subject)));
});

test('the sponsor extends once up to the limit; then an administrator does', async () => {
  const { owner, member, team: own } = await office();
  const guest = await guestOf(owner, { sponsorId: member.id });
  const end = (by: User, endsAt: string) => call(by, 'PATCH', `${team}/members/${guest.id}`, { endsAt });
  assert.deepEqual(refusal(await end(member, inDays(181))), [422, 'end_too_far']);
  assert.equal((await end(member, inDays(90))).status, 200);
  assert.deepEqual(refusal(await end(member, inDays(120))), [403, 'forbidden']);
  assert.equal((await end(member, inDays(20))).status, 200, 'an earlier end is allowed');
  assert.equal((await end(await chancery.user(own, { role: 'admin' }), inDays(150))).status, 200);
  assert.deepEqual(refusal(await end(await chancery.user(own), inDays(20))), [403, 'insufficient_scope']);
  assert.deepEqual(refusal(await call(member, 'PATCH', `${team}/members/${guest.id}`, { role: 'member' })), [403, 'insufficient_scope']);
});

test('a guest whose end has passed is not extended', async () => {
  const { owner, member } = await office();
  const guest = await guestOf(owner, { sponsorId: member.id });
  await passEnd(guest);
  for (const by of [owner, member])
    assert.deepEqual(refusal(await call(by, 'PATCH', `${team}/members/${guest.id}`, { endsAt: inDays(20) })), [404, 'not_found']);
});

test('a guest who becomes a member has no end and keeps the grants (13.44)', async () => {
  const { owner, folder, other, member } = await office();
  await made(member, 'POST', `${folders}/${other}/shares`, { team: true, access: 'read' });
  const guest = await guestOf(owner, { access: [{ type: 'folder', id: folder, relation: 'viewer' }] });
  const changed = await made(owner, 'PATCH', `${team}/members/${guest.id}`, { role: 'member' });
  assert.deepEqual([changed.role, changed.endsAt, changed.sponsorId], ['member', undefined, undefined]);
  assert.deepEqual((await made(guest, 'GET', `${folders}/`)).map(({ id }: any) => id).toSorted(), [folder, other].toSorted());
});

test('a member who becomes a guest leaves groups, and shares with the team end for them', async () => {
  const { team: own, owner, member, folder, other } = await office();
  const colleague = await chancery.user(own);
  const group = (await made(owner, 'POST', '/api/v1/groups/', { name: 'Litigation' })).id;
  await made(owner, 'POST', `/api/v1/groups/${group}/members`, { userId: colleague.id });
  await made(member, 'POST', `${folders}/${folder}/shares`, { groupId: group, access: 'read' });
  await made(member, 'POST', `${folders}/${other}/shares`, { team: true, access: 'read' });
  const change = (body: object) => call(owner, 'PATCH', `${team}/members/${colleague.id}`, body);
  assert.deepEqual(refusal(await change({ role: 'guest' })), [422, 'end_required']);
  assert.deepEqual(refusal(await change({ endsAt: inDays(9) })), [400, 'validation_failed']);
  const changed = await change({ role: 'guest', endsAt: inDays(9) });
  assert.deepEqual([changed.status, changed.body.sponsorId], [200, owner.id]);
  assert.deepEqual(await made(colleague, 'GET', `${folders}/`), []);
  assert.deepEqual(refusal(await call(owner, 'POST', `/api/v1/groups/${group}/members`, { userId: colleague.id })), [
    422,
    'guest_in_group',
  ]);
});

test('when the sponsor leaves, the successor is the sponsor and the end stays (13.43)', async () => {
  const { team: own, owner, member } = await office();
  const guest = await guestOf(owner, { sponsorId: member.id });
  const successor = await chancery.user(own);
  const earlier = await membership(guest, own);
  await made(owner, 'DELETE', `${team}/members/${member.id}?successorId=${successor.id}`);
  const row = await membership(guest, own);
  assert.deepEqual([row.sponsor_id, row.ends_at], [successor.id, earlier.ends_at]);
  assert.deepEqual((await entries(own, 'member.sponsor_changed')).at(-1)?.data, { from: member.id, to: successor.id });
});

test('a sponsor who becomes a viewer is replaced by the owner', async () => {
  const { team: own, owner, member } = await office();
  const guest = await guestOf(owner, { sponsorId: member.id });
  await made(owner, 'PATCH', `${team}/members/${member.id}`, { role: 'viewer' });
  assert.equal((await membership(guest, own)).sponsor_id, owner.id);
});

test('a sponsor is an active owner, administrator or member', async () => {
  const { team: own, owner } = await office();
  const viewer = await chancery.user(own, { role: 'viewer' });
  const guest = await chancery.user(own, { role: 'guest' });
  for (const sponsorId of [viewer.id, guest.id, randomUUIDv7(), 'x'])
    assert.deepEqual(
      refusal(await call(owner, 'POST', `${team}/invitations`, { email: newAddress(), role: 'guest', endsAt: inDays(5), sponsorId })),
      [422, 'sponsor_not_found'],
    );
});

test('the ownership is not transferred to a guest', async () => {
  const { team: own, owner } = await office();
  const guest = await chancery.user(own, { role: 'guest' });
  const answer = await call(owner, 'POST', `${authPath}/transfer-ownership`, { newOwnerId: guest.id });
  assert.deepEqual(refusal(answer), [404, 'member_not_found']);
});

test('of 50 extensions and ends at once, the guest is extended or gone, and never both', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { team: own, owner, folder } = await office();
    const guest = await guestOf(owner, { access: [{ type: 'folder', id: folder, relation: 'viewer' }] });
    await chancery.pool.query('UPDATE account SET ends_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1', [
      guest.id,
      0.1 * round,
    ]);
    const races = await Promise.all(
      Array.from({ length: 50 }, async (_, n) =>
        n % 2 === 0 ? endDue() : (await call(owner, 'PATCH', `${team}/members/${guest.id}`, { endsAt: inDays(20) })).status,
      ),
    );
    const extended = races.filter((status) => status === 200).length;
    assert.ok(
      races.every((status) => status === undefined || status === 200 || status === 404),
      String(races),
    );
    const row = await membership(guest, own);
    if (extended > 0) {
      assert.ok(row.ends_at.getTime() > Date.now() + 19 * dayMs && row.status === 'active');
      assert.deepEqual(await grantsTo(guest), [folder]);
    } else {
      await endDue();
      assert.equal((await membership(guest, own)).status, 'deleted');
      assert.deepEqual(await grantsTo(guest), []);
    }
    assert.equal((await entries(own, 'member.ended')).length, extended > 0 ? 0 : 1);
  }
});

test('of 50 shares, tasks and the end at once, nothing stays with the guest', async () => {
  const { team: own, owner, member } = await office();
  const guest = await guestOf(owner, { sponsorId: member.id });
  const shared = await Promise.all(Array.from({ length: 24 }, () => chancery.folder(owner)));
  await chancery.pool.query("UPDATE account SET ends_at = clock_timestamp() + interval '0.3 seconds' WHERE id = $1", [guest.id]);
  await Promise.all([
    ...shared.map(({ id }) => call(owner, 'POST', `${folders}/${id}/shares`, { userId: guest.id, access: 'read' })),
    ...Array.from({ length: 24 }, (_, n) => call(owner, 'POST', '/api/v1/tasks/', { title: `T${n}`, assignedTo: guest.id })),
    chancery.pool.query('SELECT pg_sleep(0.3)').then(endDue),
    chancery.pool.query('SELECT pg_sleep(0.35)').then(endDue),
  ]);
  await endDue();
  assert.equal((await membership(guest, own)).status, 'deleted');
  assert.deepEqual(await grantsTo(guest), []);
  const left = await chancery.pool.query("SELECT id FROM task WHERE team_id = $1 AND assigned_to = $2 AND status = 'open'", [
    own.id,
    guest.id,
  ]);
  assert.equal(left.rowCount, 0);
});
