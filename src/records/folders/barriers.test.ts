import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { grantForTask, readableDocument } from '#documents';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { untilBlocked } from '../../../test/signals.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { plainCalendar } from '../../../test/bookings.ts';
import { askToSign, pdfDocument, signatures } from '../../../test/signatures.ts';
import type { Actor, Scope } from '../../platform/scope.ts';
import { purgeFolders } from './jobs.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let partner: User;
let inside: User;
let outside: User;
let admin: User;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  [partner, inside, outside] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
});
after(() => chancery.stop());

const { call: ask, made: done } = asking(() => chancery);
function acting<T>(work: (scope: Scope) => Promise<T>, by: User): Promise<T> {
  const actor: Actor = { type: 'user', id: by.id, role: by.role };
  return chancery.database.inTeam(team.id, (db) => work({ db, team: team.id, actor, now: new Date(), requestId: 'test', listeners: [] }));
}

/** A folder with a barrier, a folder and a document in it, shared with all users of the test; only `inside` is a member. */
async function barred(by = partner) {
  const top = await chancery.folder(by);
  const below = await chancery.folder(by, { parentId: top.id });
  const document = await chancery.document(by, { folderId: below.id, title: 'Merger' });
  for (const user of [inside, outside]) await done(by, 'POST', `${folders}/${top.id}/shares`, { userId: user.id, access: 'write' });
  await acting(
    (scope) => grantForTask(scope, { documentId: document.id, userId: outside.id, taskId: randomUUIDv7(), grantorId: team.owner.id }),
    by,
  );
  await done(by, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [inside.id] });
  return { top, below, document };
}

/** The access of a user to a tree inside a barrier: the folder, its content, the document and the lists. */
async function reach(by: { token: string }, { top, below, document }: Awaited<ReturnType<typeof barred>>) {
  const statuses = await Promise.all([
    ask(by, 'GET', `${folders}/${top.id}`).then(({ status, body }) =>
      status === 200 ? (body.barrier === true ? 'barrier' : 'open') : status,
    ),
    ask(by, 'GET', `${folders}/${below.id}`).then(({ status }) => status),
    ask(by, 'GET', `${documents}/${document.id}`).then(({ status }) => status),
    ask(by, 'GET', `${documents}/${document.id}/versions`).then(({ status }) => status),
    ask(by, 'GET', `${folders}/${top.id}/shares`).then(({ status }) => status),
  ]);
  const listed = [
    ...(await done(by, 'GET', `${folders}/`)),
    ...(await done(by, 'GET', `${documents}/`)),
    ...(await done(by, 'GET', `${documents}/?folderId=${below.id}`)),
  ].map(({ id }: { id: string }) => id);
  const named = [top, below, document].filter(({ id }) => listed.includes(id)).length;
  return [...statuses, named].join(' ');
}
const all = 'barrier 200 200 200 200 3';
const nothing = '404 404 404 404 404 0';

test('only members of a barrier reach the folder and its content, regardless of role, share, task or client', async () => {
  const tree = await barred();
  const client = await chancery.client(team.owner);
  assert.equal(await reach(partner, tree), all);
  assert.equal(await reach(inside, tree), all);
  for (const by of [outside, admin, team.owner, client]) assert.equal(await reach(by, tree), nothing);
  for (const by of [outside, admin])
    assert.equal(await acting((scope) => readableDocument(scope, tree.document.id), by), undefined, 'a reference is a use');
  await done(partner, 'DELETE', `${folders}/${tree.top.id}/barrier`);
  assert.equal(await reach(outside, tree), 'open 200 200 200 200 3');
});

test('for excluded users, each operation on a folder inside a barrier responds as for a missing folder', async () => {
  const { top, below, document } = await barred();
  const mine = await chancery.document(outside);
  const parent = await chancery.folder(admin);
  for (const by of [outside, admin, team.owner]) {
    for (const [method, path, body, status] of [
      ['PUT', `${folders}/${top.id}`, { name: 'Renamed' }, 404],
      ['PATCH', `${folders}/${top.id}/move`, { parentId: parent.id }, 404],
      ['DELETE', `${folders}/${top.id}?recursive=true`, undefined, 404],
      ['POST', `${folders}/${top.id}/shares`, { userId: by.id, access: 'write' }, 404],
      ['GET', `${folders}/${top.id}/access`, undefined, 404],
      ['GET', `${folders}/${top.id}/barrier`, undefined, 404],
      ['PUT', `${folders}/${top.id}/barrier`, { userIds: [by.id] }, 404],
      ['DELETE', `${folders}/${top.id}/barrier`, undefined, 404],
      ['POST', `${folders}/`, { name: 'Within', parentId: top.id }, 422],
      ['POST', `${documents}/`, { title: 'Within', folderId: below.id }, 422],
      ['PATCH', `${documents}/${document.id}/move`, { folderId: null }, 404],
      ['DELETE', `${documents}/${document.id}`, undefined, 404],
      ['GET', `${documents}/${document.id}/access`, undefined, 404],
    ] as const) {
      assert.equal((await ask(by, method, path, body)).status, status, `${by.role} ${method} ${path}`);
    }
  }
  assert.equal((await ask(outside, 'PATCH', `${documents}/${mine.id}/move`, { folderId: below.id })).status, 422);
});

test('a tree with a barred folder cannot be deleted by an excluded user or moved to another person', async () => {
  const top = await chancery.folder(partner);
  const below = await chancery.folder(partner, { parentId: top.id });
  await done(partner, 'PUT', `${folders}/${below.id}/barrier`, { userIds: [] });
  const refused = await ask(admin, 'DELETE', `${folders}/${top.id}?recursive=true`);
  assert.deepEqual([refused.status, refused.body.code], [403, 'folder_barred']);
  await letIn(admin, below.id);
  const byEmergency = await ask(admin, 'DELETE', `${folders}/${top.id}?recursive=true`);
  assert.deepEqual([byEmergency.status, byEmergency.body.code], [403, 'folder_barred'], 'emergency access reads only');
  const theirs = await chancery.folder(inside);
  await done(inside, 'POST', `${folders}/${theirs.id}/shares`, { userId: partner.id, access: 'write' });
  const given = await ask(partner, 'PATCH', `${folders}/${top.id}/move`, { parentId: theirs.id });
  assert.deepEqual([given.status, given.body.code], [403, 'folder_barred']);
});

test('a member with write access moves nothing out of a barrier, but its owner does', async () => {
  const { top, document } = await barred();
  const open = await chancery.folder(partner);
  await done(partner, 'POST', `${folders}/${open.id}/shares`, { userId: inside.id, access: 'write' });
  assert.equal((await ask(inside, 'PATCH', `${documents}/${document.id}/move`, { folderId: open.id })).status, 403);
  await done(inside, 'PATCH', `${documents}/${document.id}/move`, { folderId: top.id });
  await done(partner, 'PATCH', `${documents}/${document.id}/move`, { folderId: open.id });
  assert.equal((await ask(admin, 'GET', `${documents}/${document.id}`)).status, 200);
});

test('each of several nested barriers applies, and lifting the inner one leaves the outer', async () => {
  const { top, below, document } = await barred();
  await done(partner, 'PUT', `${folders}/${below.id}/barrier`, { userIds: [] });
  assert.deepEqual(
    [(await ask(inside, 'GET', `${folders}/${below.id}`)).status, (await ask(inside, 'GET', `${documents}/${document.id}`)).status],
    [404, 404],
  );
  assert.deepEqual(await done(inside, 'GET', `${documents}/?folderId=${below.id}`), []);
  await done(partner, 'DELETE', `${folders}/${below.id}/barrier`);
  assert.equal((await ask(inside, 'GET', `${documents}/${document.id}`)).status, 200);
  assert.equal((await ask(admin, 'GET', `${documents}/${document.id}`)).status, 404);
  await done(partner, 'DELETE', `${folders}/${top.id}/barrier`);
  assert.equal((await ask(admin, 'GET', `${documents}/${document.id}`)).status, 200);
});

test('content that is created in, moved to or restored into a barrier is inside it', async () => {
  const { top, below, document } = await barred();
  const late = await chancery.document(inside, { folderId: below.id });
  const moved = await chancery.document(partner);
  await done(partner, 'PATCH', `${documents}/${moved.id}/move`, { folderId: top.id });
  await done(partner, 'DELETE', `${folders}/${below.id}?recursive=true`);
  assert.equal((await ask(admin, 'POST', `${folders}/${below.id}/restore`)).status, 404, 'the bin is inside it too');
  assert.ok(!(await done(admin, 'GET', `${documents}/bin`)).some(({ id }: { id: string }) => id === document.id));
  await done(partner, 'POST', `${folders}/${below.id}/restore`);
  for (const { id } of [late, moved, document]) {
    assert.equal((await ask(admin, 'GET', `${documents}/${id}`)).status, 404);
    assert.equal((await ask(inside, 'GET', `${documents}/${id}`)).status, 200);
  }
});

test('50 documents added while a barrier is raised are all inside it', async () => {
  const top = await chancery.folder(partner);
  const below = await chancery.folder(partner, { parentId: top.id });
  const made = await Promise.all(Array.from({ length: 50 }, () => chancery.document(partner)));
  const barrier = done(partner, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [] });
  await Promise.all(made.map(({ id }) => done(partner, 'PATCH', `${documents}/${id}/move`, { folderId: below.id })));
  await barrier;
  const { rows } = await chancery.pool.query('SELECT DISTINCT barrier_id FROM document WHERE folder_id = $1', [below.id]);
  assert.deepEqual(rows, [{ barrier_id: top.id }]);
});

test('emergency access needs two people: an administrator gives a reason, another approves, members get a mail, and it lasts 24 hours', async () => {
  const tree = await barred();
  const path = `/api/v1/barriers/${tree.top.id}/emergency-access`;
  const second = await chancery.user(team, { role: 'admin' });
  assert.equal((await ask(outside, 'POST', path, { reason: 'Curious' })).status, 404, 'the barrier does not exist for an excluded member');
  assert.equal((await ask(inside, 'POST', path, { reason: 'Curious' })).status, 403, 'only administrators');
  assert.equal((await ask(admin, 'POST', path, { reason: '' })).status, 400, 'with a reason');
  const requested = await done(admin, 'POST', path, { reason: 'An erasure request' });
  assert.equal((await ask(admin, 'POST', `${path}/${requested.id}/approve`)).status, 403, 'not one’s own request');
  assert.equal((await ask(outside, 'POST', `${path}/${requested.id}/approve`)).status, 404);
  assert.equal((await ask(inside, 'POST', `${path}/${requested.id}/approve`)).status, 403);
  assert.equal(await reach(admin, tree), nothing, 'a request gives no access');
  const consents = await Promise.all(Array.from({ length: 10 }, () => ask(second, 'POST', `${path}/${requested.id}/approve`)));
  assert.deepEqual(consents.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 9 }, () => 409)]);
  const opened = consents.find(({ status }) => status === 200)?.body;
  const hours = (Date.parse(opened.expiresAt) - Date.now()) / 3_600_000;
  assert.ok(opened.status === 'active' && hours > 23.9 && hours <= 24.01, String(hours));
  assert.equal(await reach(admin, tree), all);
  assert.equal(await reach(second, tree), nothing, 'the approver gets no access');
  const { rows: mails } = await chancery.pool.query(
    "SELECT recipient FROM mail_message WHERE subject LIKE 'Emergency access was granted%'",
  );
  for (const { email } of [partner, inside])
    assert.ok(
      mails.some(({ recipient }) => recipient === email),
      `${email} is told`,
    );
  const { rows } = await chancery.pool.query(
    "SELECT type, data FROM audit_entry WHERE target_id = $1 AND type LIKE 'folder.emergency%' ORDER BY id",
    [tree.top.id],
  );
  assert.deepEqual(
    rows.map(({ type, data }) => [type, data.reason]),
    [
      ['folder.emergency_access_requested', 'An erasure request'],
      ['folder.emergency_access_granted', 'An erasure request'],
    ],
  );
  await chancery.pool.query(
    "UPDATE access_barrier_member SET expires_at = now() - interval '1 second' WHERE barrier_id = $1 AND expires_at IS NOT NULL",
    [tree.top.id],
  );
  await chancery.pool.query("UPDATE access_emergency SET expires_at = now() - interval '1 second' WHERE barrier_id = $1", [tree.top.id]);
  assert.equal(await reach(admin, tree), nothing, 'after its expiry');
  assert.deepEqual(
    (await done(second, 'GET', path)).map(({ status }: { status: string }) => status),
    ['expired'],
  );
});

test('a barrier stays after the removal of its owner: the successor is excluded', async () => {
  const leaver = await chancery.user(team);
  const tree = await barred(leaver);
  await done(admin, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${admin.id}`);
  assert.equal((await ask(admin, 'GET', `${documents}/${tree.document.id}`)).status, 404);
  assert.equal((await ask(admin, 'DELETE', `${folders}/${tree.top.id}/barrier`)).status, 404);
  assert.equal((await ask(inside, 'GET', `${documents}/${tree.document.id}`)).status, 200);
  await letIn(admin, tree.top.id);
  const named = { userIds: [inside.id, admin.id] };
  assert.equal((await ask(admin, 'PUT', `${folders}/${tree.top.id}/barrier`, named)).status, 403, 'emergency access reads only');
  const partners = await chancery.user(team, { role: 'admin' });
  // An administrator who is a member of the barrier.
  await chancery.pool.query(
    "INSERT INTO access_barrier_member (team_id, barrier_id, principal_type, principal_id) VALUES ($1, $2, 'user', $3)",
    [team.id, tree.top.id, partners.id],
  );
  await done(partners, 'PUT', `${folders}/${tree.top.id}/barrier`, named);
  assert.deepEqual((await done(inside, 'GET', `${folders}/${tree.top.id}/barrier`)).userIds.toSorted(), named.userIds.toSorted());
});

/** Two people give `by` emergency access. */
async function letIn(by: User, folderId: string): Promise<void> {
  const path = `/api/v1/barriers/${folderId}/emergency-access`;
  const { id } = await done(by, 'POST', path, { reason: 'An inquiry' });
  await done(team.owner, 'POST', `${path}/${id}/approve`);
}

/** Resources inside a barrier: a signature request, a workflow with a decision, and a booking form with its feed. */
async function startWork({ below, document }: Awaited<ReturnType<typeof barred>>) {
  const { id: documentId } = await pdfDocument(chancery, partner, { folderId: below.id });
  const request = await askToSign(chancery, partner, { documentId });
  const steps = [{ id: 'judge', type: 'approval', assignedTo: inside.id }];
  const flow = await done(partner, 'POST', '/api/v1/workflows/', { name: 'Sale', documentId: document.id, steps });
  await done(partner, 'POST', `/api/v1/workflows/${flow.id}/start`);
  const [task] = await done(partner, 'GET', `/api/v1/tasks?workflowId=${flow.id}`);
  const members = { title: 'Visits', type: 'form', fields: [], config: { folderId: below.id }, calendar: plainCalendar };
  const form = `/api/v1/interfaces/${(await done(partner, 'POST', '/api/v1/interfaces/', members)).id}`;
  await done(partner, 'POST', `${form}/calendar/feed`);
  return { request, flow, task, form, ...(await toBegin(below.id, document.id)) };
}

/** Waiting resources inside a barrier: an unassigned task, a workflow draft, and a batch of signature requests. */
async function toBegin(folderId: string, documentId: string) {
  const open = await done(partner, 'POST', '/api/v1/tasks', { title: 'Anybody', documentId });
  const draft = await done(partner, 'POST', '/api/v1/workflows/', { name: 'Next', documentId, steps: [{ id: 'a', type: 'task' }] });
  const { id } = await pdfDocument(chancery, partner, { folderId });
  const batch = await done(partner, 'POST', `${signatures}/bulk`, {
    title: 'All',
    documentId: id,
    folderId,
    csv: 'email,name\na@example.org,A',
  });
  return { open, draft, batch };
}

test('emergency access allows reading only: it changes, shares, moves, bins, adds and lifts nothing', async () => {
  const tree = await barred();
  const { top, below, document } = tree;
  const [elsewhere, second] = [await chancery.folder(admin), await chancery.folder(partner, { parentId: top.id })];
  const mine = await chancery.document(admin);
  const { request, flow, task, form: booked, open, draft, batch } = await startWork(tree);
  const bookings = async () => [
    (await ask(admin, 'GET', `${booked}/bookings`)).status,
    (await ask(admin, 'GET', `${booked}/bookings/${randomUUIDv7()}`)).status,
  ];
  assert.deepEqual(await bookings(), [404, 404]);
  await letIn(admin, top.id);
  assert.equal(await reach(admin, tree), all);
  assert.deepEqual(await bookings(), [200, 404]);
  assert.equal((await done(admin, 'GET', `${signatures}/${request.id}`)).status, 'preparing');
  assert.equal((await done(admin, 'GET', `${booked}/calendar`)).feedUrl, undefined, 'an address that works after the access has ended');
  for (const [method, path, body, status] of [
    ['PUT', `${documents}/${document.id}`, { title: 'Changed' }, 403],
    ['PATCH', `${documents}/${document.id}/move`, { folderId: null }, 403],
    ['PATCH', `${documents}/${document.id}/move`, { folderId: elsewhere.id }, 403],
    ['PATCH', `${documents}/${mine.id}/move`, { folderId: below.id }, 422],
    ['POST', `${documents}/${document.id}/access`, { userId: outside.id, access: 'read' }, 403],
    ['DELETE', `${documents}/${document.id}`, undefined, 403],
    ['POST', `${documents}/`, { title: 'Within', folderId: below.id }, 422],
    ['PUT', `${folders}/${top.id}`, { name: 'Renamed' }, 403],
    ['PATCH', `${folders}/${below.id}/move`, { parentId: null }, 403],
    ['PATCH', `${folders}/${below.id}/move`, { parentId: elsewhere.id }, 403],
    ['PATCH', `${folders}/${below.id}/move`, { parentId: second.id }, 403],
    ['PATCH', `${folders}/${top.id}/move`, { parentId: elsewhere.id }, 403],
    ['POST', `${folders}/${below.id}/shares`, { userId: outside.id, access: 'read' }, 403],
    ['DELETE', `${folders}/${below.id}?recursive=true`, undefined, 403],
    ['PUT', `${folders}/${below.id}/barrier`, { userIds: [admin.id] }, 403],
    ['PUT', `${folders}/${top.id}/barrier`, { userIds: [admin.id] }, 403],
    ['DELETE', `${folders}/${top.id}/barrier`, undefined, 403],
    ['POST', `${signatures}/${request.id}/remind`, undefined, 403],
    ['POST', `${signatures}/${request.id}/void`, { reason: 'Over' }, 403],
    ['PUT', `/api/v1/workflows/${flow.id}`, { name: 'Mine' }, 403],
    ['POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' }, 403],
    ['POST', `${booked}/calendar/feed`, undefined, 403],
    ['DELETE', `${booked}/calendar/feed`, undefined, 403],
    ['DELETE', booked, undefined, 403],
    ...[undefined, admin.id, inside.id].map(
      (assignedTo) => ['POST', '/api/v1/tasks', { title: 'Mine', documentId: document.id, assignedTo }, 403] as const,
    ),
    ['POST', `/api/v1/tasks/${open.id}/complete`, {}, 403],
    ['POST', `/api/v1/tasks/${open.id}/comments`, { text: 'Mine' }, 403],
    ['POST', `/api/v1/workflows/${draft.id}/comments`, { text: 'Mine' }, 403],
    ['POST', `/api/v1/workflows/${draft.id}/start`, undefined, 403],
    ['DELETE', `/api/v1/workflows/${draft.id}`, undefined, 403],
    ['POST', `${signatures}/bulk/${batch.id}/cancel`, undefined, 403],
  ] as const)
    assert.equal((await ask(admin, method, path, body)).status, status, `${method} ${path} ${JSON.stringify(body)}`);
  const form = new FormData();
  form.set('file', new Blob(['new']), 'a.txt');
  assert.equal((await ask(admin, 'POST', `${documents}/${document.id}/versions`, form)).status, 403);
});

test('an administrator who is a member moves content across a barrier and lifts it; a member with a write share does neither', async () => {
  const { top, below, document } = await barred();
  await done(partner, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [admin.id, inside.id] });
  const open = await chancery.folder(partner);
  await done(partner, 'POST', `${folders}/${open.id}/shares`, { userId: inside.id, access: 'write' });
  for (const [method, path, body] of [
    ['PATCH', `${documents}/${document.id}/move`, { folderId: open.id }],
    ['PATCH', `${folders}/${below.id}/move`, { parentId: open.id }],
    ['DELETE', `${folders}/${top.id}/barrier`, undefined],
  ] as const) {
    assert.equal((await ask(inside, method, path, body)).status, 403, path);
    assert.ok((await ask(admin, method, path, body)).status < 300, path);
  }
});

test('an administrator raises a barrier on another person’s folder that may exclude that person', async () => {
  const top = await chancery.folder(partner);
  const set = await done(admin, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [inside.id] });
  assert.deepEqual(set.userIds, [inside.id]);
  for (const by of [partner, admin]) assert.equal((await ask(by, 'GET', `${folders}/${top.id}`)).status, 404);
});

test('the successor replaces the last member of a barrier who leaves the team', async () => {
  const [leaver, successor] = [await chancery.user(team), await chancery.user(team)];
  const [alone, shared] = [await chancery.folder(leaver), await chancery.folder(leaver)];
  await done(leaver, 'PUT', `${folders}/${alone.id}/barrier`, { userIds: [] });
  await done(leaver, 'PUT', `${folders}/${shared.id}/barrier`, { userIds: [inside.id] });
  await done(admin, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${successor.id}`);
  assert.deepEqual((await done(successor, 'GET', `${folders}/${alone.id}/barrier`)).userIds, [successor.id]);
  assert.equal((await ask(successor, 'GET', `${folders}/${shared.id}`)).status, 404, 'another member is left');
  const { rows } = await chancery.pool.query(
    "SELECT target_id FROM audit_entry WHERE type = 'folder.barrier_member_added' AND data->>'userId' = $1",
    [successor.id],
  );
  assert.deepEqual(rows, [{ target_id: alone.id }]);
  const { rows: mails } = await chancery.pool.query(
    "SELECT recipient FROM mail_message WHERE subject LIKE '%is now a member of a barrier'",
  );
  const recipients = mails.map(({ recipient }) => recipient);
  assert.ok(
    recipients.includes(admin.email) &&
      recipients.includes(team.owner.email) &&
      !recipients.includes(successor.email) &&
      !recipients.includes(outside.email),
  );
});

test('a folder hidden by a barrier is not counted, and does not block its name for excluded users', async () => {
  const top = await chancery.folder(partner);
  const hidden = await chancery.folder(partner, { parentId: top.id, name: 'Merger' });
  await chancery.folder(partner, { parentId: top.id, name: 'Other' });
  for (const user of [inside, outside]) await done(partner, 'POST', `${folders}/${top.id}/shares`, { userId: user.id, access: 'write' });
  await done(partner, 'PUT', `${folders}/${hidden.id}/barrier`, { userIds: [inside.id] });
  const counted = async (by: User) => [
    (await done(by, 'GET', `${folders}/${top.id}`)).childrenCount,
    (await done(by, 'GET', `${folders}/`)).find(({ id }: { id: string }) => id === top.id).childrenCount,
  ];
  assert.deepEqual(
    [await counted(partner), await counted(inside), await counted(outside), await counted(admin)],
    [
      [2, 2],
      [2, 2],
      [1, 1],
      [1, 1],
    ],
  );
  await done(outside, 'POST', `${folders}/`, { name: 'Merger', parentId: top.id });
  const lifted = await ask(partner, 'DELETE', `${folders}/${hidden.id}/barrier`);
  assert.deepEqual([lifted.status, lifted.body.code], [409, 'name_taken']);
  await done(partner, 'PUT', `${folders}/${hidden.id}`, { name: 'Merger 2' });
  await done(partner, 'DELETE', `${folders}/${hidden.id}/barrier`);
});

test('administrators list the barriers of the team with the folder’s name, owner and their own access; a barrier within another is for its members', async () => {
  const [own, other] = [await chancery.team(), team];
  const boss = own.owner;
  const [member, lawyer] = [await chancery.user(own), await chancery.user(own, { role: 'admin' })];
  const outer = await chancery.folder(member, { name: 'Outer' });
  const inner = await chancery.folder(member, { name: 'Inner', parentId: outer.id });
  await done(member, 'PUT', `${folders}/${inner.id}/barrier`, { userIds: [] });
  await done(member, 'PUT', `${folders}/${outer.id}/barrier`, { userIds: [lawyer.id] });
  const listed = async (by: User) =>
    (await done(by, 'GET', '/api/v1/barriers/')).map(({ name, userId, access }: any) => [name, userId === member.id, access]);
  assert.deepEqual(await listed(boss), [['Outer', true, 'none']]);
  assert.deepEqual(await listed(lawyer), [
    ['Outer', true, 'member'],
    ['Inner', true, 'none'],
  ]);
  assert.equal((await ask(member, 'GET', '/api/v1/barriers/')).status, 403);
  assert.equal((await ask(boss, 'POST', `/api/v1/barriers/${inner.id}/emergency-access`, { reason: 'An audit' })).status, 404);
  assert.equal((await ask(other.owner, 'POST', `/api/v1/barriers/${outer.id}/emergency-access`, { reason: 'An audit' })).status, 404);
  const page = await ask(lawyer, 'GET', '/api/v1/barriers/?limit=1');
  assert.deepEqual([page.body.length, page.headers.get('link')?.includes('rel="next"')], [1, true]);
  const request = await done(boss, 'POST', `/api/v1/barriers/${outer.id}/emergency-access`, { reason: 'An audit' });
  await done(lawyer, 'POST', `/api/v1/barriers/${outer.id}/emergency-access/${request.id}/approve`);
  assert.deepEqual(await listed(boss), [
    ['Outer', true, 'emergency'],
    ['Inner', true, 'none'],
  ]);
});

test('a barred folder in the bin stays with its owner: its former parent cannot be moved to another person', async () => {
  const top = await chancery.folder(partner);
  const below = await chancery.folder(partner, { parentId: top.id });
  await done(partner, 'PUT', `${folders}/${below.id}/barrier`, { userIds: [] });
  await done(partner, 'DELETE', `${folders}/${below.id}`);
  const theirs = await chancery.folder(inside);
  await done(inside, 'POST', `${folders}/${theirs.id}/shares`, { userId: partner.id, access: 'write' });
  for (const by of [partner, admin]) {
    const given = await ask(by, 'PATCH', `${folders}/${top.id}/move`, { parentId: theirs.id });
    assert.deepEqual([given.status, given.body.code], [403, 'folder_barred']);
  }
  await done(partner, 'POST', `${folders}/${below.id}/restore`);
});

test('neither a folder with its own barrier nor its content leaves the surrounding barrier by the bin', async () => {
  const within = await chancery.user(team, { role: 'admin' });
  const reader = await chancery.user(team);
  const outer = await chancery.folder(partner);
  const between = await chancery.folder(partner, { parentId: outer.id });
  const own = await chancery.folder(partner, { parentId: between.id });
  const document = await chancery.document(partner, { folderId: own.id });
  const lone = await chancery.document(partner, { folderId: own.id });
  await done(partner, 'POST', `${folders}/${own.id}/shares`, { userId: reader.id, access: 'read' });
  await done(partner, 'PUT', `${folders}/${own.id}/barrier`, { userIds: [within.id, reader.id] });
  const barrier = `${folders}/${outer.id}/barrier`;
  await done(partner, 'PUT', barrier, { userIds: [within.id] });
  const bin = (id: string) => done(within, 'DELETE', `${folders}/${id}?recursive=true`);
  const restored = async (by: User, id = own.id) => {
    const { status, body } = await ask(by, 'POST', `${folders}/${id}/restore`);
    return status === 200 ? (body.parentId ?? 'the top') : body.code;
  };
  const read = async () => (await ask(reader, 'GET', `${documents}/${document.id}`)).status;

  await done(within, 'DELETE', `${documents}/${lone.id}`);
  await bin(own.id);
  await bin(between.id);
  assert.equal((await ask(within, 'POST', `${documents}/${lone.id}/restore`)).body.code, 'folder_barred');
  assert.equal(await restored(within), 'folder_barred', 'its former parent is in the bin');
  await bin(outer.id);
  assert.equal(await restored(within), 'folder_barred', 'and the barrier with it');
  assert.equal(await read(), 404);
  await chancery.pool.query("UPDATE folder SET deleted_at = deleted_at - interval '40 days' WHERE id = ANY ($1)", [[outer.id, between.id]]);
  await purgeFolders({ database: chancery.database, isolation: isolationOf(chancery) }, new Date());
  assert.equal(await restored(within), 'folder_barred', 'a folder with content is not purged, and its barrier is known');

  assert.equal(await restored(within, outer.id), 'the top');
  assert.equal(await restored(within, between.id), outer.id);
  assert.equal(await restored(within), between.id);
  assert.equal(await read(), 404);

  // A barrier lifted since then prevents nothing, and one raised since then does.
  await bin(own.id);
  await done(partner, 'DELETE', barrier);
  await bin(between.id);
  assert.equal(await restored(within), 'the top');
  await done(partner, 'PATCH', `${folders}/${own.id}/move`, { parentId: outer.id });
  await bin(own.id);
  await done(partner, 'PUT', barrier, { userIds: [within.id] });
  const elsewhere = await chancery.folder(partner);
  await done(partner, 'PATCH', `${folders}/${outer.id}/move`, { parentId: elsewhere.id });
  await bin(outer.id);
  assert.equal(await restored(within), 'folder_barred');
  assert.equal(await read(), 404);
  assert.equal(await restored(partner), 'folder_barred', 'nor by its owner');
});

test('a folder with its own barrier that would now be too deep stays inside the surrounding barrier', async () => {
  const within = await chancery.user(team, { role: 'admin' });
  const outer = await chancery.folder(partner);
  const own = await chancery.folder(partner, { parentId: outer.id });
  await done(partner, 'PUT', `${folders}/${own.id}/barrier`, { userIds: [within.id] });
  await done(partner, 'PUT', `${folders}/${outer.id}/barrier`, { userIds: [within.id] });
  await done(within, 'DELETE', `${folders}/${own.id}`);
  let deepest = await chancery.folder(partner);
  for (let depth = 1; depth < 63; depth++) deepest = await chancery.folder(partner, { parentId: deepest.id });
  await done(partner, 'PATCH', `${folders}/${outer.id}/move`, { parentId: deepest.id });
  const restore = `${folders}/${own.id}/restore`;
  assert.equal((await ask(within, 'POST', restore)).body.code, 'folder_too_deep');
  assert.equal((await ask(partner, 'POST', restore)).body.code, 'folder_too_deep');
});

test('a request keeps its reason: another reason is another request, five in a day, each valid for a day', async () => {
  const { top } = await barred();
  const path = `/api/v1/barriers/${top.id}/emergency-access`;
  const second = await chancery.user(team, { role: 'admin' });
  const mails = async () =>
    (await chancery.pool.query('SELECT count(*)::int AS count FROM mail_message WHERE recipient = $1', [inside.email])).rows[0].count;
  const recipients = await mails();
  const first = await done(admin, 'POST', path, { reason: 'An audit' });
  const again = await Promise.all(Array.from({ length: 10 }, () => done(admin, 'POST', path, { reason: 'An audit ' })));
  assert.deepEqual(new Set(again.map(({ id }) => id)), new Set([first.id]));
  assert.equal(await mails(), recipients + 1);
  const other = await done(admin, 'POST', path, { reason: 'A lawsuit' });
  assert.notEqual(other.id, first.id);
  assert.equal(await mails(), recipients + 2, 'members are notified of the new reason');
  const listed = (await done(second, 'GET', path)).map(({ reason, status }: any) => `${reason} ${status}`);
  assert.deepEqual(listed, ['A lawsuit requested', 'An audit expired']);
  const late = await ask(second, 'POST', `${path}/${first.id}/approve`);
  assert.deepEqual([late.status, late.body.code], [409, 'emergency_access_decided']);
  await chancery.pool.query("UPDATE access_emergency SET waits_until = now() - interval '1 second' WHERE id = $1", [other.id]);
  assert.equal((await ask(second, 'POST', `${path}/${other.id}/approve`)).body.code, 'emergency_access_decided', 'after a day');
  const many = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(admin, 'POST', path, { reason: `Reason ${n}` })));
  assert.deepEqual(many.map(({ status }) => status).toSorted(), [...Array(3).fill(201), ...Array(7).fill(409)]);
  assert.equal(many.find(({ status }) => status === 409)?.body.code, 'emergency_access_exhausted');
});

test('an approval waits for the lifting of the barrier without holding the lock of the request', async () => {
  const { top } = await barred();
  const path = `/api/v1/barriers/${top.id}/emergency-access`;
  const { id } = await done(admin, 'POST', path, { reason: 'An audit' });
  const ending = await chancery.pool.connect();
  try {
    await ending.query('BEGIN');
    await ending.query('SELECT FROM access_barrier WHERE id = $1 FOR UPDATE', [top.id]);
    const consenting = ask(team.owner, 'POST', `${path}/${id}/approve`);
    await untilBlocked(ending);
    await ending.query('SELECT FROM access_emergency WHERE id = $1 FOR UPDATE NOWAIT', [id]);
    await ending.query('COMMIT');
    assert.equal((await consenting).status, 200);
  } finally {
    await ending.query('ROLLBACK');
    ending.release();
  }
});

test('the request of a person who is no longer an administrator cannot be approved', async () => {
  const { top } = await barred();
  const path = `/api/v1/barriers/${top.id}/emergency-access`;
  const asker = await chancery.user(team, { role: 'admin' });
  const { id } = await done(asker, 'POST', path, { reason: 'An audit' });
  await done(team.owner, 'PATCH', `/api/v1/team/members/${asker.id}`, { role: 'member' });
  assert.equal((await ask(admin, 'POST', `${path}/${id}/approve`)).body.code, 'emergency_access_decided');
});

test('emergency access ends when its user is no longer an administrator', async () => {
  const tree = await barred();
  const path = `/api/v1/barriers/${tree.top.id}/emergency-access`;
  const lowered = await chancery.user(team, { role: 'admin' });
  await done(partner, 'POST', `${folders}/${tree.top.id}/shares`, { userId: lowered.id, access: 'read' });
  const requested = await done(lowered, 'POST', path, { reason: 'An audit' });
  await done(admin, 'POST', `${path}/${requested.id}/approve`);
  assert.equal(await reach(lowered, tree), all);
  await done(team.owner, 'PATCH', `/api/v1/team/members/${lowered.id}`, { role: 'member' });
  assert.equal(await reach(lowered, tree), nothing);
  assert.deepEqual(
    (await done(admin, 'GET', path)).map(({ status }: { status: string }) => status),
    ['expired'],
  );
});

test('of 10 approvals that race with a role change, none gives access to a user who is not an administrator', async () => {
  const tree = await barred();
  const path = `/api/v1/barriers/${tree.top.id}/emergency-access`;
  const askers = await Promise.all(Array.from({ length: 10 }, () => chancery.user(team, { role: 'admin' })));
  const requested = await Promise.all(askers.map((by) => done(by, 'POST', path, { reason: 'An audit' })));
  await Promise.all(
    askers.flatMap(({ id }, at) => [
      ask(admin, 'POST', `${path}/${requested[at].id}/approve`),
      done(team.owner, 'PATCH', `/api/v1/team/members/${id}`, { role: 'member' }),
    ]),
  );
  const { rowCount } = await chancery.pool.query('SELECT FROM access_barrier_member WHERE barrier_id = $1 AND expires_at > now()', [
    tree.top.id,
  ]);
  assert.equal(rowCount, 0);
});

/** A group of these people, and its routes. */
async function groupOf(...people: User[]) {
  const { id } = await done(team.owner, 'POST', '/api/v1/groups/', { name: randomUUIDv7() });
  for (const { id: userId } of people) await done(team.owner, 'POST', `/api/v1/groups/${id}/members`, { userId });
  return { id, path: `/api/v1/groups/${id}` };
}

test('members of a group are inside a barrier while the group is its member and they are in the group', async () => {
  const tree = await barred();
  const [colleague, other] = [await chancery.user(team), await chancery.user(team)];
  const group = await groupOf(colleague, other);
  const barrier = `${folders}/${tree.top.id}/barrier`;
  for (const { id: userId } of [colleague, other])
    await done(partner, 'POST', `${folders}/${tree.top.id}/shares`, { userId, access: 'read' });
  const set = await done(partner, 'PUT', barrier, { userIds: [inside.id], groupIds: [group.id] });
  assert.deepEqual(set.groupIds, [group.id]);
  assert.deepEqual([await reach(colleague, tree), await reach(other, tree), await reach(outside, tree)], [all, all, nothing]);
  const task = await done(partner, 'POST', '/api/v1/tasks/', {
    title: 'Read it',
    assignedTo: colleague.id,
    documentId: tree.document.id,
  });
  assert.equal((await ask(team.owner, 'DELETE', `${group.path}/members/${colleague.id}`)).status, 204);
  assert.deepEqual([await reach(colleague, tree), await reach(other, tree)], [nothing, all]);
  assert.equal((await done(partner, 'GET', `/api/v1/tasks/${task.id}`)).assignedTo, undefined, 'the task has no assignee outside');
  assert.equal((await ask(team.owner, 'DELETE', group.path)).status, 204);
  assert.deepEqual([await reach(other, tree), await reach(inside, tree)], [nothing, all]);
  assert.equal((await ask(partner, 'PUT', barrier, { userIds: [], groupIds: [group.id] })).body.code, 'group_not_found');
});

test('a task about a document that moves into a barrier loses an excluded assignee, alone or with its folder', async () => {
  const { top } = await barred();
  const folder = await chancery.folder(partner);
  const [alone, within] = [await chancery.document(partner), await chancery.document(partner, { folderId: folder.id })];
  const taskAbout = (documentId: string) =>
    done(partner, 'POST', '/api/v1/tasks/', { title: 'Read the crossing', assignedTo: outside.id, documentId });
  const [first, second] = [await taskAbout(alone.id), await taskAbout(within.id)];
  const assigneeOf = async ({ id }: { id: string }) => (await done(partner, 'GET', `/api/v1/tasks/${id}`)).assignedTo;
  await done(partner, 'PATCH', `${documents}/${alone.id}/move`, { folderId: top.id });
  assert.deepEqual([await assigneeOf(first), await assigneeOf(second)], [undefined, outside.id]);
  await done(partner, 'PATCH', `${folders}/${folder.id}/move`, { parentId: top.id });
  assert.equal(await assigneeOf(second), undefined);
  const { rows } = await chancery.pool.query(
    "SELECT recipient FROM mail_message WHERE subject LIKE '%has no assignee' AND row_to_json(mail_message)::text LIKE '%Read the crossing%'",
  );
  assert.deepEqual(
    rows.map(({ recipient }) => recipient),
    [partner.email, partner.email],
    'the person who moves it gets a mail, and no excluded user does',
  );
});

test('excluded users cannot add members to a group that is a member of a barrier', async () => {
  const tree = await barred();
  const group = await groupOf(inside);
  await done(partner, 'PUT', `${folders}/${tree.top.id}/barrier`, { userIds: [], groupIds: [group.id] });
  const add = (by: User, { id: userId }: User) => ask(by, 'POST', `${group.path}/members`, { userId });
  assert.deepEqual([(await add(admin, admin)).status, await reach(admin, tree)], [403, nothing]);
  await done(partner, 'PUT', `${folders}/${tree.top.id}/barrier`, { userIds: [admin.id], groupIds: [group.id] });
  assert.equal((await add(admin, outside)).status, 201);
  assert.equal(await reach(outside, tree), all);
});

test('a barrier names active members of the team', async () => {
  const top = await chancery.folder(partner);
  for (const userId of [randomUUIDv7(), 'nobody', (await chancery.team()).owner.id])
    assert.equal((await ask(partner, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [userId] })).body.code, 'member_not_found');
  assert.equal((await ask(partner, 'GET', `${folders}/${top.id}/barrier`)).status, 404);
  const client = await chancery.client(team.owner);
  assert.equal((await ask(client, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [] })).body.code, 'person_required');
});

test('mails about a nested barrier go to no user that the barrier excludes', async () => {
  const [asker, outer] = [await chancery.user(team, { role: 'admin' }), await chancery.folder(partner)];
  const inner = await chancery.folder(partner, { parentId: outer.id, name: 'Within two barriers' });
  await done(partner, 'PUT', `${folders}/${inner.id}/barrier`, { userIds: [] });
  await done(partner, 'PUT', `${folders}/${outer.id}/barrier`, { userIds: [asker.id] });
  await done(asker, 'POST', `/api/v1/barriers/${inner.id}/emergency-access`, { reason: 'An erasure request' });
  const { rows } = await chancery.pool.query(
    "SELECT recipient FROM mail_message WHERE row_to_json(mail_message)::text LIKE '%Within two barriers%'",
  );
  assert.deepEqual(
    rows.map(({ recipient }) => recipient),
    [partner.email],
  );
});
