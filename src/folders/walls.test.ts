import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { grantForTask, readableDocument } from '#documents';
import { asking } from '../../test/asking.ts';
import { type Chancery, startChancery, type Team, type User } from '../../test/harness.ts';
import { untilBlocked } from '../../test/signals.ts';
import { isolationOf } from '../../test/isolation.ts';
import { plainCalendar } from '../../test/bookings.ts';
import { askToSign, pdfDocument, signatures } from '../../test/signatures.ts';
import type { Actor, Scope } from '../platform/scope.ts';
import { purgeFolders } from './jobs.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: Team;
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

/** A walled folder with a folder and a document in it, shared with all whom it may concern; `inside` alone is named. */
async function walled(by = partner) {
  const top = await chancery.folder(by);
  const below = await chancery.folder(by, { parentId: top.id });
  const document = await chancery.document(by, { folderId: below.id, title: 'Merger' });
  for (const user of [inside, outside]) await done(by, 'POST', `${folders}/${top.id}/shares`, { userId: user.id, access: 'write' });
  await acting(
    (scope) => grantForTask(scope, { documentId: document.id, userId: outside.id, taskId: randomUUIDv7(), giverId: team.owner.id }),
    by,
  );
  await done(by, 'PUT', `${folders}/${top.id}/wall`, { userIds: [inside.id] });
  return { top, below, document };
}

/** What somebody gets of a walled tree: of the folder itself, of what is in it, of the document, and of the lists. */
async function reach(by: { token: string }, { top, below, document }: Awaited<ReturnType<typeof walled>>) {
  const statuses = await Promise.all([
    ask(by, 'GET', `${folders}/${top.id}`).then(({ status, body }) => (status === 200 ? (body.wall ?? 'open') : status)),
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
const all = 'inside 200 200 200 200 3';
const nameAlone = 'outside 404 404 404 403 1';

test('only those named reach what is behind a wall, whatever their role, share, task or client says', async () => {
  const tree = await walled();
  const client = await chancery.client(team.owner);
  assert.equal(await reach(partner, tree), all);
  assert.equal(await reach(inside, tree), all);
  for (const by of [outside, admin, team.owner, client]) assert.equal(await reach(by, tree), nameAlone);
  assert.equal(await reach(await chancery.user(team), tree), '404 404 404 404 404 0', 'who saw nothing before sees no name either');
  const seen = await done(admin, 'GET', `${folders}/${tree.top.id}`);
  assert.deepEqual(Object.keys(seen).toSorted(), [
    'childrenCount',
    'createdAt',
    'documentsCount',
    'id',
    'name',
    'shareCount',
    'updatedAt',
    'userId',
    'wall',
  ]);
  for (const by of [outside, admin])
    assert.equal(await acting((scope) => readableDocument(scope, tree.document.id), by), undefined, 'a reference is a use');
  await done(partner, 'DELETE', `${folders}/${tree.top.id}/wall`);
  assert.equal(await reach(outside, tree), 'open 200 200 200 200 3');
});

test('from outside nothing of a walled folder is changed, moved, binned, shared or unwalled, nor anything put into it', async () => {
  const { top, below, document } = await walled();
  const mine = await chancery.document(outside);
  const parent = await chancery.folder(admin);
  for (const by of [outside, admin, team.owner]) {
    for (const [method, path, body, statuses] of [
      ['PUT', `${folders}/${top.id}`, { name: 'Renamed' }, [403]],
      ['PATCH', `${folders}/${top.id}/move`, { parentId: parent.id }, [403]],
      ['DELETE', `${folders}/${top.id}?recursive=true`, undefined, [403]],
      ['POST', `${folders}/${top.id}/shares`, { userId: by.id, access: 'write' }, [403]],
      ['GET', `${folders}/${top.id}/access`, undefined, [403]],
      ['GET', `${folders}/${top.id}/wall`, undefined, [403]],
      ['PUT', `${folders}/${top.id}/wall`, { userIds: [by.id] }, [403]],
      ['DELETE', `${folders}/${top.id}/wall`, undefined, [403]],
      ['POST', `${folders}/`, { name: 'Within', parentId: top.id }, [422]],
      ['POST', `${documents}/`, { title: 'Within', folderId: below.id }, [422]],
      ['PATCH', `${documents}/${document.id}/move`, { folderId: null }, [404]],
      ['DELETE', `${documents}/${document.id}`, undefined, [404]],
      ['GET', `${documents}/${document.id}/access`, undefined, [404]],
    ] as const) {
      const answer = await ask(by, method, path, body);
      assert.ok((statuses as readonly number[]).includes(answer.status), `${by.role} ${method} ${path} answered ${answer.status}`);
    }
  }
  assert.equal((await ask(outside, 'PATCH', `${documents}/${mine.id}/move`, { folderId: below.id })).status, 422);
});

test('a tree with a walled folder in it is neither deleted by who is outside, nor given to another person', async () => {
  const top = await chancery.folder(partner);
  const held = await chancery.folder(partner, { parentId: top.id });
  await done(partner, 'PUT', `${folders}/${held.id}/wall`, { userIds: [] });
  const refused = await ask(admin, 'DELETE', `${folders}/${top.id}?recursive=true`);
  assert.deepEqual([refused.status, refused.body.code], [403, 'folder_walled']);
  const theirs = await chancery.folder(inside);
  await done(inside, 'POST', `${folders}/${theirs.id}/shares`, { userId: partner.id, access: 'write' });
  const given = await ask(partner, 'PATCH', `${folders}/${top.id}/move`, { parentId: theirs.id });
  assert.deepEqual([given.status, given.body.code], [403, 'folder_walled']);
});

test('nothing leaves a wall by who only writes behind it, and by its owner it does', async () => {
  const { top, document } = await walled();
  const open = await chancery.folder(partner);
  await done(partner, 'POST', `${folders}/${open.id}/shares`, { userId: inside.id, access: 'write' });
  assert.equal((await ask(inside, 'PATCH', `${documents}/${document.id}/move`, { folderId: open.id })).status, 403);
  await done(inside, 'PATCH', `${documents}/${document.id}/move`, { folderId: top.id });
  await done(partner, 'PATCH', `${documents}/${document.id}/move`, { folderId: open.id });
  assert.equal((await ask(admin, 'GET', `${documents}/${document.id}`)).status, 200);
});

test('of walls one in another each must be passed, and lifting the inner leaves the outer', async () => {
  const { top, below, document } = await walled();
  await done(partner, 'PUT', `${folders}/${below.id}/wall`, { userIds: [] });
  assert.deepEqual(
    [(await ask(inside, 'GET', `${folders}/${below.id}`)).body.wall, (await ask(inside, 'GET', `${documents}/${document.id}`)).status],
    ['outside', 404],
  );
  assert.deepEqual(await done(inside, 'GET', `${documents}/?folderId=${below.id}`), []);
  await done(partner, 'DELETE', `${folders}/${below.id}/wall`);
  assert.equal((await ask(inside, 'GET', `${documents}/${document.id}`)).status, 200);
  assert.equal((await ask(admin, 'GET', `${documents}/${document.id}`)).status, 404);
  await done(partner, 'DELETE', `${folders}/${top.id}/wall`);
  assert.equal((await ask(admin, 'GET', `${documents}/${document.id}`)).status, 200);
});

test('what is made behind a wall, comes there, or comes back from the bin, stands behind it', async () => {
  const { top, below, document } = await walled();
  const late = await chancery.document(inside, { folderId: below.id });
  const moved = await chancery.document(partner);
  await done(partner, 'PATCH', `${documents}/${moved.id}/move`, { folderId: top.id });
  await done(partner, 'DELETE', `${folders}/${below.id}?recursive=true`);
  assert.equal((await ask(admin, 'POST', `${folders}/${below.id}/restore`)).status, 404, 'the bin is behind it too');
  assert.ok(!(await done(admin, 'GET', `${documents}/bin`)).some(({ id }: { id: string }) => id === document.id));
  await done(partner, 'POST', `${folders}/${below.id}/restore`);
  for (const { id } of [late, moved, document]) {
    assert.equal((await ask(admin, 'GET', `${documents}/${id}`)).status, 404);
    assert.equal((await ask(inside, 'GET', `${documents}/${id}`)).status, 200);
  }
});

test('50 documents that are put behind a wall while it is set are behind it all', async () => {
  const top = await chancery.folder(partner);
  const below = await chancery.folder(partner, { parentId: top.id });
  const made = await Promise.all(Array.from({ length: 50 }, () => chancery.document(partner)));
  const wall = done(partner, 'PUT', `${folders}/${top.id}/wall`, { userIds: [] });
  await Promise.all(made.map(({ id }) => done(partner, 'PATCH', `${documents}/${id}/move`, { folderId: below.id })));
  await wall;
  const { rows } = await chancery.pool.query('SELECT DISTINCT wall_id FROM document WHERE folder_id = $1', [below.id]);
  assert.deepEqual(rows, [{ wall_id: top.id }]);
});

test('the glass is broken by two: an administrator asks with a reason, another consents, all inside are told, and it lasts 24 hours', async () => {
  const tree = await walled();
  const path = `${folders}/${tree.top.id}/wall/openings`;
  const second = await chancery.user(team, { role: 'admin' });
  assert.equal((await ask(outside, 'POST', path, { reason: 'Curious' })).status, 403, 'administrators ask');
  assert.equal((await ask(admin, 'POST', path, { reason: '' })).status, 400, 'with a reason');
  const asked = await done(admin, 'POST', path, { reason: 'An erasure request' });
  assert.equal((await ask(admin, 'POST', `${path}/${asked.id}/consent`)).status, 403, 'who asks does not consent');
  assert.equal((await ask(outside, 'POST', `${path}/${asked.id}/consent`)).status, 403);
  assert.equal(await reach(admin, tree), nameAlone, 'asking opens nothing');
  const consents = await Promise.all(Array.from({ length: 10 }, () => ask(second, 'POST', `${path}/${asked.id}/consent`)));
  assert.deepEqual(consents.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 9 }, () => 409)]);
  const opened = consents.find(({ status }) => status === 200)?.body;
  const hours = (Date.parse(opened.until) - Date.now()) / 3_600_000;
  assert.ok(opened.status === 'open' && hours > 23.9 && hours <= 24.01, String(hours));
  assert.equal(await reach(admin, tree), all);
  assert.equal(await reach(second, tree), nameAlone, 'who consents is let in no further');
  const { rows: mails } = await chancery.pool.query("SELECT recipient FROM mail_message WHERE subject LIKE '%glass of a wall was%'");
  for (const { email } of [partner, inside])
    assert.ok(
      mails.some(({ recipient }) => recipient === email),
      `${email} is told`,
    );
  const { rows } = await chancery.pool.query(
    "SELECT type, data FROM audit_entry WHERE target_id = $1 AND type LIKE 'folder.glass%' ORDER BY id",
    [tree.top.id],
  );
  assert.deepEqual(
    rows.map(({ type, data }) => [type, data.reason]),
    [
      ['folder.glass_asked', 'An erasure request'],
      ['folder.glass_broken', 'An erasure request'],
    ],
  );
  await chancery.pool.query(
    "UPDATE folder_wall_member SET until = now() - interval '1 second' WHERE folder_id = $1 AND until IS NOT NULL",
    [tree.top.id],
  );
  await chancery.pool.query("UPDATE folder_wall_opening SET until = now() - interval '1 second' WHERE folder_id = $1", [tree.top.id]);
  assert.equal(await reach(admin, tree), nameAlone, 'when the time is over');
  assert.deepEqual(
    (await done(second, 'GET', path)).map(({ status }: { status: string }) => status),
    ['over'],
  );
});

test('a wall holds against the removal of its owner: the successor is outside of it', async () => {
  const leaver = await chancery.user(team);
  const tree = await walled(leaver);
  await done(admin, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${admin.id}`);
  assert.equal((await ask(admin, 'GET', `${documents}/${tree.document.id}`)).status, 404);
  assert.equal((await ask(admin, 'DELETE', `${folders}/${tree.top.id}/wall`)).status, 403);
  assert.equal((await ask(inside, 'GET', `${documents}/${tree.document.id}`)).status, 200);
  await letIn(admin, tree.top.id);
  const named = { userIds: [inside.id, admin.id] };
  assert.equal((await ask(admin, 'PUT', `${folders}/${tree.top.id}/wall`, named)).status, 403, 'inside by an opening alone');
  const partners = await chancery.user(team, { role: 'admin' });
  // An administrator whom the owner had named inside.
  await chancery.pool.query('INSERT INTO folder_wall_member (team_id, folder_id, user_id) VALUES ($1, $2, $3)', [
    team.id,
    tree.top.id,
    partners.id,
  ]);
  await done(partners, 'PUT', `${folders}/${tree.top.id}/wall`, named);
  assert.deepEqual((await done(inside, 'GET', `${folders}/${tree.top.id}/wall`)).userIds.toSorted(), named.userIds.toSorted());
});

/** Two persons break the glass of a wall: `by` is inside for a day. */
async function letIn(by: User, folderId: string): Promise<void> {
  const path = `${folders}/${folderId}/wall/openings`;
  const { id } = await done(by, 'POST', path, { reason: 'An inquiry' });
  await done(team.owner, 'POST', `${path}/${id}/consent`);
}

/** What goes on behind a wall: a request for signatures, a workflow with a decision, and a form for bookings with its feed. */
async function underWay({ below, document }: Awaited<ReturnType<typeof walled>>) {
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

/** What waits behind a wall: a task that is anybody’s, a workflow that has not begun, and a batch of requests for signatures. */
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

test('through broken glass one reads: nothing is changed, shared, moved out, binned, put there or unwalled', async () => {
  const tree = await walled();
  const { top, below, document } = tree;
  const [elsewhere, second] = [await chancery.folder(admin), await chancery.folder(partner, { parentId: top.id })];
  const mine = await chancery.document(admin);
  const { request, flow, task, form: booked, open, draft, batch } = await underWay(tree);
  const bookings = async () => [
    (await ask(admin, 'GET', `${booked}/bookings`)).status,
    (await ask(admin, 'GET', `${booked}/bookings/${randomUUIDv7()}`)).status,
  ];
  assert.deepEqual(await bookings(), [403, 403]);
  await letIn(admin, top.id);
  assert.equal(await reach(admin, tree), all);
  assert.deepEqual(await bookings(), [200, 404]);
  assert.equal((await done(admin, 'GET', `${signatures}/${request.id}`)).status, 'preparing');
  assert.equal(
    (await done(admin, 'GET', `${booked}/calendar`)).feedUrl,
    undefined,
    'an address that is good when the glass is whole again',
  );
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
    ['PUT', `${folders}/${below.id}/wall`, { userIds: [admin.id] }, 403],
    ['PUT', `${folders}/${top.id}/wall`, { userIds: [admin.id] }, 403],
    ['DELETE', `${folders}/${top.id}/wall`, undefined, 403],
    ['POST', `${signatures}/${request.id}/remind`, undefined, 403],
    ['POST', `${signatures}/${request.id}/void`, { reason: 'Over' }, 403],
    ['PUT', `/api/v1/workflows/${flow.id}`, { name: 'Mine' }, 403],
    ['POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' }, 403],
    ['POST', `${booked}/calendar/feed`, undefined, 403],
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

test('out of a wall things go by its owner alone, not by an administrator who is named inside; out of an outer wall neither', async () => {
  const { top, below, document } = await walled();
  await done(partner, 'PUT', `${folders}/${top.id}/wall`, { userIds: [admin.id] });
  const open = await chancery.folder(partner);
  assert.equal((await ask(admin, 'PATCH', `${documents}/${document.id}/move`, { folderId: open.id })).status, 403);
  assert.equal((await ask(admin, 'PATCH', `${documents}/${document.id}/move`, { folderId: null })).status, 403);
  assert.equal((await ask(admin, 'PATCH', `${folders}/${below.id}/move`, { parentId: open.id })).status, 403);
  await done(admin, 'PATCH', `${documents}/${document.id}/move`, { folderId: top.id });
  await done(partner, 'PUT', `${folders}/${below.id}/wall`, { userIds: [admin.id] });
  assert.equal((await ask(admin, 'PATCH', `${folders}/${below.id}/move`, { parentId: open.id })).status, 403, 'its own wall goes along');
  await done(partner, 'PATCH', `${folders}/${below.id}/move`, { parentId: open.id });
});

test('a wall that nobody is left inside of is set anew through broken glass', async () => {
  const leaver = await chancery.user(team);
  const top = await chancery.folder(leaver);
  await done(leaver, 'PUT', `${folders}/${top.id}/wall`, { userIds: [] });
  await done(admin, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${partner.id}`);
  assert.equal((await ask(admin, 'PUT', `${folders}/${top.id}/wall`, { userIds: [partner.id] })).status, 403);
  await letIn(admin, top.id);
  await done(admin, 'PUT', `${folders}/${top.id}/wall`, { userIds: [partner.id] });
  assert.equal((await done(partner, 'GET', `${folders}/${top.id}`)).wall, 'inside');
});

test('from outside of a wall no answer tells of changes within, its tag neither', async () => {
  const { top } = await walled();
  const seen = async () => {
    const { body, headers } = await ask(admin, 'GET', `${folders}/${top.id}`);
    return { body, tag: headers.get('etag') };
  };
  const first = await seen();
  await done(partner, 'PUT', `${folders}/${top.id}`, { description: 'Nobody outside hears of it' });
  await chancery.folder(partner, { parentId: top.id });
  assert.deepEqual(await seen(), first);
  await done(partner, 'PUT', `${folders}/${top.id}`, { name: 'Another name' });
  assert.notDeepEqual(await seen(), first, 'the name is told');
});

test('a walled folder in the bin stays with its owner: what it lay in is not given to another person', async () => {
  const top = await chancery.folder(partner);
  const held = await chancery.folder(partner, { parentId: top.id });
  await done(partner, 'PUT', `${folders}/${held.id}/wall`, { userIds: [] });
  await done(partner, 'DELETE', `${folders}/${held.id}`);
  const theirs = await chancery.folder(inside);
  await done(inside, 'POST', `${folders}/${theirs.id}/shares`, { userId: partner.id, access: 'write' });
  for (const by of [partner, admin]) {
    const given = await ask(by, 'PATCH', `${folders}/${top.id}/move`, { parentId: theirs.id });
    assert.deepEqual([given.status, given.body.code], [403, 'folder_walled']);
  }
  await done(partner, 'POST', `${folders}/${held.id}/restore`);
});

test('a folder with a wall of its own leaves no wall around it by the bin, but by its owner; nor what lies in it', async () => {
  const within = await chancery.user(team, { role: 'admin' });
  const reader = await chancery.user(team);
  const outer = await chancery.folder(partner);
  const between = await chancery.folder(partner, { parentId: outer.id });
  const own = await chancery.folder(partner, { parentId: between.id });
  const document = await chancery.document(partner, { folderId: own.id });
  const lone = await chancery.document(partner, { folderId: own.id });
  await done(partner, 'POST', `${folders}/${own.id}/shares`, { userId: reader.id, access: 'read' });
  await done(partner, 'PUT', `${folders}/${own.id}/wall`, { userIds: [within.id, reader.id] });
  const wall = `${folders}/${outer.id}/wall`;
  await done(partner, 'PUT', wall, { userIds: [within.id] });
  const bin = (id: string) => done(within, 'DELETE', `${folders}/${id}?recursive=true`);
  const restored = async (by: User, id = own.id) => {
    const { status, body } = await ask(by, 'POST', `${folders}/${id}/restore`);
    return status === 200 ? (body.parentId ?? 'the top') : body.code;
  };
  const read = async () => (await ask(reader, 'GET', `${documents}/${document.id}`)).status;

  await done(within, 'DELETE', `${documents}/${lone.id}`);
  await bin(own.id);
  await bin(between.id);
  assert.equal((await ask(within, 'POST', `${documents}/${lone.id}/restore`)).body.code, 'folder_walled');
  assert.equal(await restored(within), 'folder_walled', 'the place of before is in the bin');
  await bin(outer.id);
  assert.equal(await restored(within), 'folder_walled', 'and the wall with it');
  assert.equal(await read(), 404);
  await chancery.pool.query("UPDATE folder SET deleted_at = deleted_at - interval '40 days' WHERE id = ANY ($1)", [[outer.id, between.id]]);
  await purgeFolders({ database: chancery.database, isolation: isolationOf(chancery) }, new Date());
  assert.equal(await restored(within), 'folder_walled', 'what holds something is not purged, and its wall is known');

  assert.equal(await restored(within, outer.id), 'the top');
  assert.equal(await restored(within, between.id), outer.id);
  assert.equal(await restored(within), between.id);
  assert.equal(await read(), 404);

  // A wall that was lifted meanwhile holds nothing back, and one that was set meanwhile does.
  await bin(own.id);
  await done(partner, 'DELETE', wall);
  await bin(between.id);
  assert.equal(await restored(within), 'the top');
  await done(partner, 'PATCH', `${folders}/${own.id}/move`, { parentId: outer.id });
  await bin(own.id);
  await done(partner, 'PUT', wall, { userIds: [within.id] });
  const elsewhere = await chancery.folder(partner);
  await done(partner, 'PATCH', `${folders}/${outer.id}/move`, { parentId: elsewhere.id });
  await bin(outer.id);
  assert.equal(await restored(within), 'folder_walled');
  assert.equal(await read(), 404);
  assert.equal(await restored(partner), 'the top', 'its owner inside may take it out');
  assert.equal(await read(), 200);
});

test('a folder with a wall of its own whose place lies too deep by now stays behind the wall around it', async () => {
  const within = await chancery.user(team, { role: 'admin' });
  const outer = await chancery.folder(partner);
  const own = await chancery.folder(partner, { parentId: outer.id });
  await done(partner, 'PUT', `${folders}/${own.id}/wall`, { userIds: [within.id] });
  await done(partner, 'PUT', `${folders}/${outer.id}/wall`, { userIds: [within.id] });
  await done(within, 'DELETE', `${folders}/${own.id}`);
  let deepest = await chancery.folder(partner);
  for (let depth = 1; depth < 63; depth++) deepest = await chancery.folder(partner, { parentId: deepest.id });
  await done(partner, 'PATCH', `${folders}/${outer.id}/move`, { parentId: deepest.id });
  const restore = `${folders}/${own.id}/restore`;
  assert.equal((await ask(within, 'POST', restore)).body.code, 'folder_too_deep');
  assert.equal((await done(partner, 'POST', restore)).parentId, undefined, 'its owner inside may take it out');
});

test('a request keeps its reason: another is another request, five in a day, and each waits for a day', async () => {
  const { top } = await walled();
  const path = `${folders}/${top.id}/wall/openings`;
  const second = await chancery.user(team, { role: 'admin' });
  const mails = async () =>
    (await chancery.pool.query('SELECT count(*)::int AS count FROM mail_message WHERE recipient = $1', [inside.email])).rows[0].count;
  const told = await mails();
  const first = await done(admin, 'POST', path, { reason: 'An audit' });
  const again = await Promise.all(Array.from({ length: 10 }, () => done(admin, 'POST', path, { reason: 'An audit ' })));
  assert.deepEqual(new Set(again.map(({ id }) => id)), new Set([first.id]));
  assert.equal(await mails(), told + 1);
  const other = await done(admin, 'POST', path, { reason: 'A lawsuit' });
  assert.notEqual(other.id, first.id);
  assert.equal(await mails(), told + 2, 'those inside are told of the new reason');
  const listed = (await done(second, 'GET', path)).map(({ reason, status }: any) => `${reason} ${status}`);
  assert.deepEqual(listed, ['A lawsuit asked', 'An audit over']);
  const late = await ask(second, 'POST', `${path}/${first.id}/consent`);
  assert.deepEqual([late.status, late.body.code], [409, 'opening_decided']);
  await chancery.pool.query("UPDATE folder_wall_opening SET waits_until = now() - interval '1 second' WHERE id = $1", [other.id]);
  assert.equal((await ask(second, 'POST', `${path}/${other.id}/consent`)).body.code, 'opening_decided', 'after a day');
  const many = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(admin, 'POST', path, { reason: `Reason ${n}` })));
  assert.deepEqual(many.map(({ status }) => status).toSorted(), [...Array(3).fill(201), ...Array(7).fill(409)]);
  assert.equal(many.find(({ status }) => status === 409)?.body.code, 'openings_exhausted');
});

test('who consents waits for whoever takes the wall down, and keeps nobody from the request meanwhile', async () => {
  const { top } = await walled();
  const path = `${folders}/${top.id}/wall/openings`;
  const { id } = await done(admin, 'POST', path, { reason: 'An audit' });
  const ending = await chancery.pool.connect();
  try {
    await ending.query('BEGIN');
    await ending.query('SELECT FROM folder_wall WHERE folder_id = $1 FOR UPDATE', [top.id]);
    const consenting = ask(team.owner, 'POST', `${path}/${id}/consent`);
    await untilBlocked(ending);
    await ending.query('SELECT FROM folder_wall_opening WHERE id = $1 FOR UPDATE NOWAIT', [id]);
    await ending.query('COMMIT');
    assert.equal((await consenting).status, 200);
  } finally {
    await ending.query('ROLLBACK');
    ending.release();
  }
});

test('nobody consents to the request of one who is no administrator any more', async () => {
  const { top } = await walled();
  const path = `${folders}/${top.id}/wall/openings`;
  const asker = await chancery.user(team, { role: 'admin' });
  const { id } = await done(asker, 'POST', path, { reason: 'An audit' });
  await done(team.owner, 'PATCH', `/api/v1/team/members/${asker.id}`, { role: 'member' });
  assert.equal((await ask(admin, 'POST', `${path}/${id}/consent`)).body.code, 'opening_decided');
});

test('glass that was broken for an administrator is whole again when they are none any more, whatever they hold', async () => {
  const tree = await walled();
  const path = `${folders}/${tree.top.id}/wall/openings`;
  const lowered = await chancery.user(team, { role: 'admin' });
  await done(partner, 'POST', `${folders}/${tree.top.id}/shares`, { userId: lowered.id, access: 'read' });
  const asked = await done(lowered, 'POST', path, { reason: 'An audit' });
  await done(admin, 'POST', `${path}/${asked.id}/consent`);
  assert.equal(await reach(lowered, tree), all);
  await done(team.owner, 'PATCH', `/api/v1/team/members/${lowered.id}`, { role: 'member' });
  assert.equal(await reach(lowered, tree), nameAlone);
  assert.deepEqual(
    (await done(admin, 'GET', path)).map(({ status }: { status: string }) => status),
    ['over'],
  );
});

test('of 10 consents that race with the lowering of who has asked, none lets anybody in who is no administrator', async () => {
  const tree = await walled();
  const path = `${folders}/${tree.top.id}/wall/openings`;
  const askers = await Promise.all(Array.from({ length: 10 }, () => chancery.user(team, { role: 'admin' })));
  const asked = await Promise.all(askers.map((by) => done(by, 'POST', path, { reason: 'An audit' })));
  await Promise.all(
    askers.flatMap(({ id }, at) => [
      ask(admin, 'POST', `${path}/${asked[at].id}/consent`),
      done(team.owner, 'PATCH', `/api/v1/team/members/${id}`, { role: 'member' }),
    ]),
  );
  const { rowCount } = await chancery.pool.query('SELECT FROM folder_wall_member WHERE folder_id = $1 AND until > now()', [tree.top.id]);
  assert.equal(rowCount, 0);
});

test('a wall names active members of the team', async () => {
  const top = await chancery.folder(partner);
  for (const userId of [randomUUIDv7(), 'nobody', (await chancery.team()).owner.id])
    assert.equal((await ask(partner, 'PUT', `${folders}/${top.id}/wall`, { userIds: [userId] })).body.code, 'member_not_found');
  assert.equal((await ask(partner, 'GET', `${folders}/${top.id}/wall`)).status, 404);
  const client = await chancery.client(team.owner);
  assert.equal((await ask(client, 'PUT', `${folders}/${top.id}/wall`, { userIds: [] })).body.code, 'person_required');
});

test('of a wall within another, nobody is told by mail who is outside of that one', async () => {
  const [asker, outer] = [await chancery.user(team, { role: 'admin' }), await chancery.folder(partner)];
  const inner = await chancery.folder(partner, { parentId: outer.id, name: 'Within two walls' });
  await done(partner, 'PUT', `${folders}/${inner.id}/wall`, { userIds: [] });
  await done(partner, 'PUT', `${folders}/${outer.id}/wall`, { userIds: [asker.id] });
  await done(asker, 'POST', `${folders}/${inner.id}/wall/openings`, { reason: 'An erasure request' });
  const { rows } = await chancery.pool.query(
    "SELECT recipient FROM mail_message WHERE row_to_json(mail_message)::text LIKE '%Within two walls%'",
  );
  assert.deepEqual(
    rows.map(({ recipient }) => recipient),
    [partner.email],
  );
});
