import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type TestResponse, type CallOptions, type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { notificationMs } from '../../../test/signals.ts';

const members = '/api/v1/team/members';
const auth = '/api/v1/security/auth';
const password = 'CorrectHorse9Battery';
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const change = (by: User, userId: string, body: unknown, headers: Record<string, string> = {}) =>
  chancery.call('PATCH', `${members}/${userId}`, { token: by.token, body, headers });
const remove = (by: User, userId: string, query = '', headers: Record<string, string> = {}) =>
  chancery.call('DELETE', `${members}/${userId}${query}`, { token: by.token, headers });
const profile = (user: { token: string }) => chancery.call('GET', `${auth}/profile`, { token: user.token });
const refusal = ({ status, body }: TestResponse) => [status, body?.code];
const acts = async (by: User, type: string) =>
  (await chancery.call('GET', `/api/v1/security/audit?type=${type}`, { token: by.token })).body.events as any[];
const eventsOf = async (teamId: string, type: string) =>
  (await chancery.pool.query('SELECT body FROM event WHERE team_id = $1 AND type = $2 ORDER BY id', [teamId, type])).rows.map(
    ({ body }) => JSON.parse(body).data,
  );
const mailsTo = async (email: string) =>
  (await chancery.call('GET', `/dev/mail.json?to=${encodeURIComponent(email)}`)).body as { subject: string; text: string; html: string }[];

/** Sets a password for a user of the factory, so that they can sign in. */
async function givePassword(user: User): Promise<void> {
  const donor = `donor.${randomUUIDv7()}@example.org`;
  await chancery.call('POST', `${auth}/register`, { body: { email: donor, firstName: 'A', lastName: 'B', password } });
  await chancery.pool.query('UPDATE person SET password_hash = (SELECT password_hash FROM registration WHERE email = $1) WHERE id = $2', [
    donor,
    user.id,
  ]);
}
const login = (email: string) => chancery.call('POST', `${auth}/login`, { body: { email, password } });

async function people(): Promise<{ team: TestTeam; owner: User; admin: User; member: User; viewer: User }> {
  const team = await chancery.team();
  const [admin, member, viewer] = [
    await chancery.user(team, { role: 'admin' }),
    await chancery.user(team),
    await chancery.user(team, { role: 'viewer' }),
  ];
  return { team, owner: team.owner, admin, member, viewer };
}

test('the list of members is filtered by roles', async () => {
  const { owner, admin, member, viewer } = await people();
  const idsOf = async (query: string) =>
    (await chancery.call('GET', `${members}?${query}`, { token: member.token })).body.map(({ id }: { id: string }) => id).toSorted();
  assert.deepEqual(await idsOf('role=admin'), [admin.id]);
  assert.deepEqual(await idsOf('role=owner&role=viewer'), [owner.id, viewer.id].toSorted());
  assert.deepEqual(await idsOf('role=guest'), []);
  assert.deepEqual(refusal(await chancery.call('GET', `${members}?role=boss`, { token: member.token })), [400, 'validation_failed']);
});

test('every member can list the members of the team and read one', async () => {
  const { owner, admin, member, viewer } = await people();
  const listed = await chancery.call('GET', members, { token: viewer.token });
  assert.deepEqual(
    listed.body.map(({ id, role, isActive }: any) => [id, role, isActive]),
    // Sorted by id, because two members who joined in the same millisecond have no fixed order.
    [owner, admin, member, viewer].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, role }) => [id, role, true]),
  );
  const one = await chancery.call('GET', `${members}/${member.id}`, { token: viewer.token });
  assert.deepEqual([one.status, one.body.firstName, one.body.role], [200, 'Ada', 'member']);
  assert.ok(!('twoFactorEnabled' in one.body) && !('email' in one.body), 'only managers see addresses and second factors');
  assert.ok(!listed.text.includes(admin.email) && listed.text.includes(viewer.email), 'a member sees only their own address');
  const managed = await chancery.call('GET', `${members}/${member.id}`, { token: admin.token });
  assert.deepEqual([managed.body.email, managed.body.twoFactorEnabled], [member.email, false]);
});

test('an API client can invite members and viewers, but cannot change or remove members', async () => {
  const { team, owner, admin, member } = await people();
  const client = await chancery.client(owner, ['team:read', 'team:write']);
  const call = (method: string, path: string, body?: object) =>
    chancery.call(method, path, { token: client.token, ...(body ? { body } : {}) });
  const invite = (email: string, role: string) => call('POST', '/api/v1/team/invitations', { email, role });
  for (const role of ['member', 'viewer']) assert.equal((await invite(`${role}@invited.example`, role)).status, 201);
  assert.deepEqual(refusal(await invite('admin@invited.example', 'admin')), [403, 'role_not_held']);
  assert.deepEqual(refusal(await invite('owner@invited.example', 'owner')), [400, 'validation_failed']);
  // It cannot resend or delete the invitation of an administrator either.
  const given = await chancery.call('POST', '/api/v1/team/invitations', {
    token: owner.token,
    body: { email: 'admin@invited.example', role: 'admin' },
  });
  const asRole = async (role: string) => (await change(admin, member.id, { role })).status;
  assert.deepEqual(refusal(await call('POST', `/api/v1/team/invitations/${given.body.id}/resend`)), [403, 'role_not_held']);
  assert.deepEqual(refusal(await call('DELETE', `/api/v1/team/invitations/${given.body.id}`)), [403, 'role_not_held']);
  for (const [method, path, body] of [
    ['PATCH', `${members}/${member.id}`, { role: 'admin' }],
    ['PATCH', `${members}/${member.id}`, { isActive: false }],
    ['DELETE', `${members}/${member.id}`, undefined],
    ['PATCH', '/api/v1/team', { name: 'Taken over' }],
    ['POST', '/api/v1/team/sso', { issuer: 'https://login.example', clientId: 'x', clientSecret: 'y', domains: ['test.example'] }],
  ] as const)
    assert.deepEqual(refusal(await call(method, path, body)), [403, 'person_required'], `${method} ${path}`);
  // An administrator can invite administrators, but no owner.
  assert.deepEqual([await asRole('admin'), await asRole('owner')], [200, 400]);
  const { rows } = await chancery.pool.query("SELECT role FROM account WHERE team_id = $1 AND role = 'owner'", [team.id]);
  assert.equal(rows.length, 1);
});

test('the list has pages with a limit and a link to the next page', async () => {
  const { viewer } = await people();
  const seen: string[] = [];
  let path: string | undefined = `${members}?limit=3`;
  while (path) {
    const page: TestResponse = await chancery.call('GET', path, { token: viewer.token });
    seen.push(...page.body.map(({ id }: any) => id));
    path = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]?.replace('http://localhost:8080', '');
  }
  assert.equal(new Set(seen).size, 4);
  assert.equal(refusal(await chancery.call('GET', `${members}?cursor=nonsense`, { token: viewer.token }))[1], 'validation_failed');
});

test('owner and administrators change a role, with one journal entry and one event', async () => {
  const { team, owner, admin, member } = await people();
  const up = await change(admin, member.id, { role: 'admin' });
  assert.deepEqual([up.status, up.body.role], [200, 'admin']);
  assert.equal((await change(owner, member.id, { role: 'admin' })).status, 200);
  assert.deepEqual(await eventsOf(team.id, 'member.role_changed'), [
    { userId: member.id, teamId: team.id, data: { from: 'member', to: 'admin' } },
  ]);
  assert.deepEqual(
    (await acts(owner, 'member.role_changed')).map(({ actor, target }) => [actor.id, target.id]),
    [[admin.id, member.id]],
  );
});

test('an endpoint subscribed to member.* gets a delivery of each event', async () => {
  const { owner, member } = await people();
  const endpoint = await chancery.call('POST', '/api/v1/webhooks/', {
    token: owner.token,
    body: { name: 'HR', url: 'https://receiver.example/hr', events: ['member.*'] },
  });
  await chancery.call('POST', '/api/v1/team/invitations', {
    token: owner.token,
    body: { email: `${member.id}@example.org`, role: 'viewer' },
  });
  await change(owner, member.id, { role: 'admin' });
  await remove(owner, member.id);
  const { body } = await chancery.call('GET', `/api/v1/webhooks/${endpoint.body.id}/deliveries`, { token: owner.token });
  assert.deepEqual(body.map(({ eventType }: any) => eventType).toSorted(), ['member.invited', 'member.removed', 'member.role_changed']);
  assert.doesNotMatch(JSON.stringify(body), /example\.org/, 'the delivery contains no address');
});

test('a role change can neither make nor unmake an owner, members cannot change themselves, and strangers are 404', async () => {
  const { owner, admin, member, viewer } = await people();
  const stranger = (await chancery.team()).owner;
  const cases: [User, string, unknown, number, string][] = [
    [owner, member.id, { role: 'owner' }, 400, 'validation_failed'],
    [owner, member.id, { role: 'king' }, 400, 'validation_failed'],
    [owner, member.id, {}, 400, 'validation_failed'],
    [owner, member.id, { nickname: 'x' }, 400, 'validation_failed'],
    [owner, member.id, { isActive: 'no' }, 400, 'validation_failed'],
    [admin, owner.id, { role: 'admin' }, 403, 'owner_protected'],
    [admin, owner.id, { isActive: false }, 403, 'owner_protected'],
    [admin, admin.id, { role: 'member' }, 403, 'self_action_not_allowed'],
    [owner, owner.id, { role: 'admin' }, 403, 'self_action_not_allowed'],
    [member, viewer.id, { role: 'admin' }, 403, 'insufficient_scope'],
    [viewer, member.id, { role: 'viewer' }, 403, 'insufficient_scope'],
    [owner, stranger.id, { role: 'viewer' }, 404, 'not_found'],
    [owner, randomUUIDv7(), { role: 'viewer' }, 404, 'not_found'],
    [owner, 'me', { role: 'viewer' }, 404, 'not_found'],
  ];
  for (const [by, userId, body, status, code] of cases)
    assert.deepEqual(refusal(await change(by, userId, body)), [status, code], JSON.stringify(body));
  assert.equal((await profile(owner)).body.role, 'owner');
  for (const [by, userId, status, code] of [
    [admin, owner.id, 403, 'owner_protected'],
    [admin, admin.id, 403, 'self_action_not_allowed'],
    [member, viewer.id, 403, 'insufficient_scope'],
    [viewer, member.id, 403, 'insufficient_scope'],
    [owner, stranger.id, 404, 'not_found'],
    [owner, 'me', 404, 'not_found'],
  ] as const)
    assert.deepEqual(refusal(await remove(by, userId)), [status, code]);
  assert.equal((await chancery.call('GET', `${members}/${stranger.id}`, { token: owner.token })).status, 404);
});

test('a stale version is rejected for a change and for a removal', async () => {
  const { owner, member } = await people();
  const etag = (await chancery.call('GET', `${members}/${member.id}`, { token: owner.token })).headers.get('etag') ?? '';
  assert.equal((await change(owner, member.id, { role: 'viewer' }, { 'if-match': etag })).status, 200);
  assert.equal((await change(owner, member.id, { role: 'admin' }, { 'if-match': etag })).status, 412);
  assert.equal((await remove(owner, member.id, '', { 'if-match': etag })).status, 412);
});

/** Polls a node until it has received the notification. */
const notified = (what: string, ask: () => Promise<boolean>) => eventually(what, ask, notificationMs);

test('role changes, suspensions and removals apply at the next request, and on another node after its notification', async () => {
  const node = await chancery.node('api');
  const on = async (url: string, path: string, user: User, options: CallOptions = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: options.body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const other = node.address ?? '';
  const { owner, member } = await people();
  const invite = () => ({ body: { email: 'nobody', role: 'viewer' } });
  // From here on both nodes have the token in their cache.
  for (const url of [chancery.url, other]) assert.equal(await on(url, '/api/v1/team', member), 200);
  assert.equal(await on(other, '/api/v1/team/invitations', member, invite()), 403);

  await change(owner, member.id, { role: 'admin' });
  assert.equal(await on(chancery.url, '/api/v1/team/invitations', member, invite()), 400, 'the scope is granted, the address is invalid');
  await notified('raised on the other node', async () => (await on(other, '/api/v1/team/invitations', member, invite())) === 400);
  await change(owner, member.id, { role: 'viewer' });
  assert.equal(await on(chancery.url, '/api/v1/team/invitations', member, invite()), 403);
  await notified('lowered on the other node', async () => (await on(other, '/api/v1/team/invitations', member, invite())) === 403);

  await change(owner, member.id, { isActive: false });
  assert.equal(await on(chancery.url, '/api/v1/team', member), 401);
  await notified('suspended on the other node', async () => (await on(other, '/api/v1/team', member)) === 401);

  const second = await chancery.user(owner.team);
  for (const url of [chancery.url, other]) assert.equal(await on(url, '/api/v1/team', second), 200);
  await remove(owner, second.id);
  assert.equal(await on(chancery.url, '/api/v1/team', second), 401);
  await notified('removed on the other node', async () => (await on(other, '/api/v1/team', second)) === 401);
});

test('a suspended member is shown as suspended, cannot sign in, and can sign in after reactivation', async () => {
  const { owner, member } = await people();
  await givePassword(member);
  const suspended = await change(owner, member.id, { isActive: false });
  assert.deepEqual([suspended.status, suspended.body.isActive], [200, false]);
  assert.equal((await profile(member)).status, 401);
  assert.deepEqual(refusal(await login(member.email)), [403, 'account_disabled']);
  const back = await change(owner, member.id, { isActive: true });
  assert.equal(back.body.isActive, true);
  assert.equal((await profile(member)).status, 401, 'earlier sessions stay ended');
  assert.equal((await login(member.email)).status, 200);
  assert.equal((await acts(owner, 'member.suspended')).length, 1);
  assert.equal((await acts(owner, 'member.reactivated')).length, 1);
});

test('a removed member’s tokens are invalid at once; the account moves to a new team with the same id and password', async () => {
  const { team, owner, admin, member } = await people();
  await givePassword(member);
  const session = await login(member.email);
  const cookie = /refresh_token=([^;]*)/.exec(session.headers.getSetCookie().join('\n'))?.[1] ?? '';
  assert.equal((await remove(admin, member.id)).status, 204);

  assert.equal((await profile(member)).status, 401);
  assert.equal((await profile({ token: session.body.accessToken })).status, 401);
  const closed = await chancery.call('POST', `${auth}/refresh`, { body: { refreshToken: cookie } });
  assert.deepEqual(refusal(closed), [403, 'team_closed']);
  assert.equal((await chancery.call('GET', `${members}/${member.id}`, { token: owner.token })).status, 404);
  assert.deepEqual(refusal(await remove(admin, member.id)), [404, 'not_found']);

  const again = await login(member.email);
  assert.equal(again.status, 200);
  assert.equal(again.body.user.id, member.id);
  assert.notEqual(again.body.user.teamId, team.id);
  const own = await chancery.call('GET', '/api/v1/team', { token: again.body.accessToken });
  assert.deepEqual([own.body.ownerId, own.body.membersCount], [member.id, 1]);

  assert.deepEqual(await eventsOf(team.id, 'member.removed'), [
    { userId: member.id, teamId: team.id, data: { role: 'member', reason: 'removed', successorId: owner.id } },
  ]);
  assert.deepEqual(
    (await acts(owner, 'member.removed')).map(({ actor, target }) => [actor.id, target.id]),
    [[admin.id, member.id]],
  );
  const [mail] = await mailsTo(member.email);
  assert.match(mail?.subject ?? '', /removed from Test & Partners/);
  assert.match(mail?.html ?? '', /Test &amp; Partners/);

  const { rows } = await chancery.pool.query('SELECT email, first_name, last_name FROM account WHERE team_id = $1 AND id = $2', [
    team.id,
    member.id,
  ]);
  assert.deepEqual(rows, [{ email: '', first_name: '', last_name: '' }], 'the redacted row has no personal data');
  const journal = await chancery.call('GET', '/api/v1/security/audit', { token: again.body.accessToken });
  assert.doesNotMatch(journal.text, new RegExp(`${team.id}|${admin.id}`), 'the new team’s journal does not mention the old team');
});

test('open tasks, future steps, workflows and folders of a removed member go to the successor; completed tasks stay', async () => {
  const { owner, admin, member, viewer } = await people();
  const done = await chancery.call('POST', '/api/v1/tasks/', { token: owner.token, body: { title: 'Done', assignedTo: member.id } });
  await chancery.call('POST', `/api/v1/tasks/${done.body.id}/complete`, { token: member.token, body: {} });
  const open = await chancery.call('POST', '/api/v1/tasks/', { token: owner.token, body: { title: 'Open', assignedTo: member.id } });
  const top = await chancery.folder(member, { name: 'Contracts' });
  const below = await chancery.folder(member, { name: 'Signed', parentId: top.id });
  const document = await chancery.document(member, { folderId: below.id });
  const shared = await chancery.folder(owner, { name: 'Shared' });
  await chancery.call('POST', `/api/v1/smartdoc/folders/${shared.id}/shares`, {
    token: owner.token,
    body: { userId: member.id, access: 'read' },
  });
  await chancery.call('POST', `/api/v1/smartdoc/folders/${top.id}/shares`, {
    token: member.token,
    body: { userId: admin.id, access: 'read' },
  });
  await chancery.call('POST', `/api/v1/smartdoc/folders/${top.id}/shares`, {
    token: member.token,
    body: { userId: viewer.id, access: 'read' },
  });
  await chancery.folder(admin, { name: 'Folders of Ada Number' });
  const made = await chancery.call('POST', '/api/v1/workflows/', {
    token: member.token,
    body: {
      name: 'Review',
      documentId: document.id,
      steps: [
        { id: 'a', type: 'task' },
        { id: 'b', type: 'approval', assignees: [member.id, admin.id], mode: 'all' },
        { id: 'c', type: 'review', assignees: [member.id] },
        { id: 'd', type: 'task' },
      ],
    },
  });
  assert.equal((await chancery.call('POST', `/api/v1/workflows/${made.body.id}/start`, { token: member.token })).status, 200);

  assert.deepEqual(refusal(await remove(owner, member.id, `?successorId=${member.id}`)), [422, 'successor_not_found']);
  assert.deepEqual(refusal(await remove(owner, member.id, `?successorId=${randomUUIDv7()}`)), [422, 'successor_not_found']);
  assert.deepEqual(refusal(await remove(owner, member.id, '?successorId=x')), [422, 'successor_not_found']);
  await change(owner, viewer.id, { isActive: false });
  assert.deepEqual(refusal(await remove(owner, member.id, `?successorId=${viewer.id}`)), [422, 'successor_not_found']);
  assert.equal((await remove(owner, member.id, `?successorId=${admin.id}`)).status, 204);

  const task = async (id: string) => (await chancery.call('GET', `/api/v1/tasks/${id}`, { token: owner.token })).body;
  assert.equal((await task(open.body.id)).assignedTo, admin.id);
  assert.deepEqual([(await task(done.body.id)).assignedTo, (await task(done.body.id)).completedBy], [member.id, member.id]);
  const workflow = (await chancery.call('GET', `/api/v1/workflows/${made.body.id}`, { token: owner.token })).body;
  assert.equal(workflow.assignedTo, admin.id);
  assert.deepEqual(
    workflow.steps.map(({ id, assignees }: any) => [id, assignees]),
    [
      ['a', []],
      // A member who already votes in the step gets no second vote.
      ['b', [owner.id, admin.id]],
      ['c', [admin.id]],
      ['d', []],
    ].map(([id, assignees]) => [id, assignees && assignees.length > 0 ? assignees : undefined]),
  );
  // The remaining members can complete the whole workflow.
  for (let step = 0; step < 4; step += 1) {
    const { body } = await chancery.call('GET', `/api/v1/tasks/?workflowId=${made.body.id}&status=open`, { token: admin.token });
    assert.deepEqual(new Set(body.map(({ assignedTo }: any) => assignedTo)), new Set(step === 1 ? [admin.id, owner.id] : [admin.id]));
    for (const { id, type, assignedTo } of body) {
      const outcome = await chancery.call('POST', `/api/v1/tasks/${id}/complete`, {
        token: assignedTo === owner.id ? owner.token : admin.token,
        body: { outcome: type === 'task' ? 'completed' : 'approved' },
      });
      assert.equal(outcome.status, 200, outcome.text);
    }
  }
  assert.equal((await chancery.call('GET', `/api/v1/workflows/${made.body.id}`, { token: admin.token })).body.status, 'completed');

  const { body: folders } = await chancery.call('GET', '/api/v1/smartdoc/folders/', { token: admin.token });
  const place = folders.find(({ name, childrenCount }: any) => /^Folders of Ada Number\d+$/.test(name) && childrenCount === 1);
  assert.ok(place, 'a folder named after the former member');
  const handed = folders.find(({ id }: any) => id === top.id);
  assert.deepEqual([handed.parentId, handed.userId, handed.shareCount], [place.id, admin.id, 1], 'the share with a third member stays');
  assert.equal(folders.find(({ id }: any) => id === below.id).parentId, top.id);
  assert.equal((await chancery.call('GET', `/api/v1/smartdoc/documents/${document.id}`, { token: admin.token })).status, 200);
  const { body: shares } = await chancery.call('GET', `/api/v1/smartdoc/folders/${shared.id}/shares`, { token: owner.token });
  assert.deepEqual(shares, [], 'shares with the former member are removed');
});

test('two departures of members with the same name create two folders in the successor’s tree', async () => {
  const { team, owner } = await people();
  for (let turn = 0; turn < 2; turn += 1) {
    const twin = await chancery.user(team);
    await chancery.pool.query("UPDATE person SET last_name = 'Twin/Ö' WHERE id = $1", [twin.id]);
    await chancery.folder(twin, { name: 'Same' });
    assert.equal((await remove(owner, twin.id)).status, 204);
  }
  const { body } = await chancery.call('GET', '/api/v1/smartdoc/folders/', { token: owner.token });
  assert.deepEqual(
    body.map(({ name }: any) => name).filter((name: string) => name.startsWith('Folders of')),
    ['Folders of Ada Twin∕Ö', 'Folders of Ada Twin∕Ö (2)'],
  );
});

test('every member except the owner can leave', async () => {
  const { team, owner, viewer } = await people();
  await givePassword(viewer);
  const leave = (user: User) => chancery.call('POST', '/api/v1/team/leave', { token: user.token });
  assert.deepEqual(refusal(await leave(owner)), [403, 'owner_protected']);
  assert.equal((await leave(viewer)).status, 204);
  assert.equal((await leave(viewer)).status, 401);
  assert.equal((await chancery.call('GET', `${members}/${viewer.id}`, { token: owner.token })).status, 404);
  const [event] = await eventsOf(team.id, 'member.removed');
  assert.deepEqual(event.data, { role: 'viewer', reason: 'left', successorId: owner.id });
  assert.match((await mailsTo(viewer.email))[0]?.subject ?? '', /You have left/);
  const again = await login(viewer.email);
  assert.equal((await profile({ token: again.body.accessToken })).body.role, 'owner');
});

test('of 50 concurrent removals of one member, one succeeds', async () => {
  const { team, owner, member } = await people();
  const answers = await Promise.all(Array.from({ length: 50 }, () => remove(owner, member.id)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, ...Array.from({ length: 49 }, () => 404)]);
  assert.equal((await eventsOf(team.id, 'member.removed')).length, 1);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM account WHERE id = $1 AND deleted_at IS NULL', [member.id]);
  assert.equal(rows[0].n, 1);
});

test('of two administrators who demote each other concurrently, only one succeeds', async () => {
  for (let round = 0; round < 25; round += 1) {
    const team = await chancery.team();
    const [a, b] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team, { role: 'admin' })];
    const answers = await Promise.all([change(a, b.id, { role: 'viewer' }), change(b, a.id, { role: 'viewer' })]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403]);
    const { body } = await chancery.call('GET', members, { token: team.owner.token });
    assert.deepEqual(body.map(({ role }: any) => role).toSorted(), ['admin', 'owner', 'viewer']);
  }
});

test('50 concurrent changes of one role result in one role and a gapless chain of events', async () => {
  const { team, owner, admin, member } = await people();
  const roles = ['admin', 'viewer', 'member'] as const;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => change(index % 2 ? owner : admin, member.id, { role: roles[index % 3] })),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const { rows } = await chancery.pool.query("SELECT body FROM event WHERE team_id = $1 AND type = 'member.role_changed'", [team.id]);
  const steps = rows.map(({ body }) => JSON.parse(body).data.data);
  const count = (pick: (step: any) => string) => {
    const counts: Record<string, number> = {};
    for (const step of steps) counts[pick(step)] = (counts[pick(step)] ?? 0) + 1;
    return counts;
  };
  const { role } = (await chancery.call('GET', `${members}/${member.id}`, { token: owner.token })).body;
  const [from, to] = [count((step) => step.from), count((step) => step.to)];
  // Each role is left as often as it is entered, except the first and the last.
  for (const one of roles) assert.equal((to[one] ?? 0) - (from[one] ?? 0), (one === role ? 1 : 0) - (one === 'member' ? 1 : 0), one);
});

test('a removal concurrent with a role change always removes the member', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { owner, admin, member } = await people();
    const [removed, changed] = await Promise.all([remove(owner, member.id), change(admin, member.id, { role: 'viewer' })]);
    assert.equal(removed.status, 204);
    assert.ok([200, 404].includes(changed.status), changed.text);
    assert.equal((await chancery.call('GET', `${members}/${member.id}`, { token: owner.token })).status, 404);
  }
});
