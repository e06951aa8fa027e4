import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, type TestClient, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { listeners } from '../../listeners.ts';
import { barrierChangeJob } from './barrier-changes.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let partner: User;
let inside: User;
let outside: User;
let admin: User;
let client: TestClient;

before(async () => {
  chancery = await startChancery({ settings: { BARRIER_JOB_DOCUMENTS: '3' }, withoutReading: true });
  team = await chancery.team();
  [partner, inside, outside] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
  client = await chancery.client(team.owner);
});
after(() => chancery.stop());

const { call: ask, made: done } = asking(() => chancery);

/** Three nested folders with five documents, which `inside` and `outside` may write. The label names the tree. */
async function tree(label: string) {
  const top = await chancery.folder(partner, { name: label });
  const below = await chancery.folder(partner, { parentId: top.id });
  const last = await chancery.folder(partner, { parentId: below.id });
  const made: { id: string; title: string }[] = [];
  for (const [at, { id: folderId }] of [top, top, below, below, last].entries())
    made.push(await chancery.document(partner, { folderId, title: `${label} ${at}`, labels: [label] }));
  for (const { id: userId } of [inside, outside]) await done(partner, 'POST', `${folders}/${top.id}/shares`, { userId, access: 'write' });
  return { label, folders: [top, below, last] as { id: string; name: string }[], documents: made };
}
type Tree = Awaited<ReturnType<typeof tree>>;

/** The access of a person to a tree: the number of folders and documents, singly and in lists, and of documents with its label. */
async function reach(by: { token: string }, { label, folders: within, documents: made }: Tree) {
  const single = async (path: string, of: { id: string }[]) => {
    const answers = await Promise.all(of.map(({ id }) => ask(by, 'GET', `${path}/${id}`)));
    return answers.filter(({ status }) => status === 200).length;
  };
  const among = (list: { id: string }[], of: { id: string }[]) => list.filter(({ id }) => of.some((one) => one.id === id)).length;
  const listed = async (path: string, of: { id: string }[]) => among(await done(by, 'GET', path), of);
  return {
    folders: await single(folders, within),
    documents: await single(documents, made),
    listedFolders: await listed(`${folders}/?limit=200&sort=-createdAt`, within),
    listedDocuments: await listed(`${documents}/?limit=200&sort=-createdAt`, made),
    found: among(
      (await done(by, 'GET', `${documents}/search?q=${label}`)).map((hit: any) => hit.document),
      made,
    ),
    labelled: (await done(by, 'GET', '/api/v1/smartdoc/labels')).find((one: any) => one.label === label)?.documents ?? 0,
  };
}
const nothing = { folders: 0, documents: 0, listedFolders: 0, listedDocuments: 0, found: 0, labelled: 0 };
const all = { folders: 3, documents: 5, listedFolders: 3, listedDocuments: 5, found: 5, labelled: 5 };

/** Stops a job in the middle: it has changed the first folder and waits for the second while `during` runs. */
async function inTheMiddle(of: Tree, start: () => Promise<unknown>, during: () => Promise<unknown>): Promise<void> {
  const [, second] = of.folders;
  const lockOwner = await chancery.pool.connect();
  try {
    await lockOwner.query('BEGIN');
    await lockOwner.query('SELECT FROM folder WHERE id = $1 FOR KEY SHARE', [second?.id]);
    await start();
    await eventually('the first folder is done', async () => {
      const { rowCount } = await chancery.pool.query('SELECT FROM access_barrier_change WHERE documents_done = 2 AND team_id = $1', [
        team.id,
      ]);
      return rowCount === 1;
    });
    await during();
  } finally {
    await lockOwner.query('ROLLBACK');
    lockOwner.release();
  }
  await settled();
}

/** No barrier job is running, and each row has the barrier of its path. */
async function settled(): Promise<void> {
  const count = async (sql: string) => (await chancery.pool.query(sql)).rowCount;
  await eventually('the job is done', async () => (await count('SELECT FROM access_barrier_change')) === 0);
  assert.equal(await count('SELECT FROM folder WHERE barrier_id <> barrier_by_path(team_id, id)'), 0);
  assert.equal(await count('SELECT FROM document WHERE barrier_id <> barrier_by_path(team_id, folder_id)'), 0);
}

const barrierOf = ({ folders: [top] }: Tree) => `${folders}/${top?.id}/barrier`;
const raise = async (of: Tree) => {
  const answer = await ask(partner, 'PUT', barrierOf(of), { userIds: [inside.id] });
  assert.deepEqual([answer.status, answer.body.status, answer.body.progress.total], [202, 'raising', 5]);
};
const entriesAbout = async (id: string | undefined) =>
  (await chancery.pool.query("SELECT type FROM audit_entry WHERE target_id = $1 AND type LIKE '%barrier%' ORDER BY type", [id])).rows.map(
    ({ type }) => type,
  );

test('a barrier over many documents hides all of them at once, and a job writes it to them', async () => {
  const of = await tree('Falcon');
  const [top, , last] = of.folders;
  await inTheMiddle(
    of,
    () => raise(of),
    async () => {
      for (const by of [outside, admin, team.owner, client]) assert.deepEqual(await reach(by, of), nothing);
      assert.deepEqual(await reach(inside, of), all);
      assert.deepEqual((await done(partner, 'GET', barrierOf(of))).progress, { documents: 2, total: 5 });
      const register = await done(admin, 'GET', '/api/v1/barriers/');
      assert.equal(register.find(({ id }: any) => id === top?.id).status, 'raising');
      assert.equal((await done(inside, 'GET', `${folders}/${top?.id}`)).barrier, true);
      // Later additions and changes are inside the barrier, and the journal has no texts of them.
      const added = await done(inside, 'POST', `${documents}/`, { title: 'Falcon too', folderId: last?.id });
      await done(inside, 'PUT', `${documents}/${of.documents[4]?.id}`, { title: 'Falcon 4 signed' });
      await done(inside, 'POST', `${folders}/`, { name: 'Falcon annex', parentId: last?.id });
      assert.equal((await ask(outside, 'GET', `${documents}/${added.id}`)).status, 404);
      const { rowCount } = await chancery.pool.query(
        "SELECT FROM audit_entry WHERE row_to_json(audit_entry)::text ~ 'Falcon (too|4 signed|annex)'",
      );
      assert.equal(rowCount, 0);
      const other = await chancery.folder(partner);
      for (const [method, path, body] of [
        ['PUT', `${folders}/${top?.id}/barrier`, { userIds: [] }],
        ['DELETE', `${folders}/${top?.id}/barrier`],
        ['PUT', `${folders}/${last?.id}/barrier`, { userIds: [] }],
        ['PATCH', `${folders}/${last?.id}/move`, { parentId: null }],
        ['PATCH', `${folders}/${other.id}/move`, { parentId: last?.id }],
      ] as const)
        assert.equal((await ask(partner, method, path, body)).body.code, 'barrier_change_in_progress', `${method} ${path}`);
    },
  );
  assert.deepEqual([await reach(outside, of), await reach(inside, of)], [nothing, all]);
  assert.equal((await done(partner, 'GET', barrierOf(of))).status, 'active');
  assert.deepEqual(await entriesAbout(top?.id), ['folder.barrier_change_completed', 'folder.barrier_change_started', 'folder.barrier_set']);
});

test('a lifted barrier over many documents hides all of them until the job ends', async () => {
  const of = await tree('Osprey');
  await raise(of);
  await settled();
  const [top] = of.folders;
  await inTheMiddle(
    of,
    async () => assert.equal((await ask(partner, 'DELETE', barrierOf(of))).status, 204),
    async () => {
      for (const by of [outside, admin]) assert.deepEqual(await reach(by, of), nothing);
      assert.deepEqual(await reach(inside, of), all);
      assert.equal((await done(partner, 'GET', barrierOf(of))).status, 'removing');
      assert.equal((await ask(partner, 'DELETE', barrierOf(of))).body.code, 'barrier_change_in_progress');
    },
  );
  for (const by of [outside, admin, inside]) assert.deepEqual(await reach(by, of), all);
  assert.equal((await ask(partner, 'GET', barrierOf(of))).status, 404);
  assert.deepEqual(await entriesAbout(top?.id), [
    'folder.barrier_change_completed',
    'folder.barrier_change_completed',
    'folder.barrier_change_started',
    'folder.barrier_change_started',
    'folder.barrier_lifted',
    'folder.barrier_set',
  ]);
});

test('a folder with many documents is inside a barrier from the moment of its move', async () => {
  const [of, room] = [await tree('Heron'), await chancery.folder(partner)];
  await done(partner, 'PUT', `${folders}/${room.id}/barrier`, { userIds: [inside.id] });
  const [top] = of.folders;
  await inTheMiddle(
    of,
    () => done(partner, 'PATCH', `${folders}/${top?.id}/move`, { parentId: room.id }),
    async () => {
      for (const by of [outside, admin]) assert.deepEqual(await reach(by, of), nothing);
      assert.deepEqual(await reach(inside, of), all);
    },
  );
  assert.deepEqual([await reach(outside, of), await reach(inside, of)], [nothing, all]);
  await done(partner, 'PATCH', `${folders}/${top?.id}/move`, { parentId: null });
  await settled();
  assert.deepEqual(await reach(outside, of), all);
});

test('a folder whose barrier a job raises is binned and restored inside the barrier', async () => {
  const of = await tree('Kestrel');
  const [top] = of.folders;
  await inTheMiddle(
    of,
    () => raise(of),
    async () => {
      await done(partner, 'DELETE', `${folders}/${top?.id}?recursive=true`);
      await done(partner, 'POST', `${folders}/${top?.id}/restore`);
      assert.deepEqual(await reach(outside, of), nothing);
    },
  );
  assert.deepEqual([await reach(outside, of), await reach(inside, of)], [nothing, all]);
});

test('while a barrier is raised, a list has all of its documents, and none for excluded users after the response', async () => {
  const top = await chancery.folder(partner);
  const many = 24;
  await Promise.all(
    Array.from({ length: many }, async () => {
      const { id: folderId } = await chancery.folder(partner, { parentId: top.id });
      await chancery.document(partner, { folderId, labels: ['Harrier'] });
    }),
  );
  for (const { id: userId } of [inside, outside]) await done(partner, 'POST', `${folders}/${top.id}/shares`, { userId, access: 'read' });
  let [raised, over] = [false, false];
  const watch = async (by: User, afterwards: number) => {
    while (!over) {
      const allowed = raised ? [afterwards] : [many, afterwards];
      const { length } = await done(by, 'GET', `${documents}/?limit=200&label=Harrier`);
      assert.ok(allowed.includes(length), `${length} documents, and not ${allowed.join(' or ')}`);
    }
  };
  const watching = Promise.all([watch(outside, 0), watch(admin, 0), watch(inside, many)]).finally(() => (over = true));
  const answer = await ask(partner, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [inside.id] });
  raised = true;
  assert.equal(answer.status, 202);
  await settled().finally(() => (over = true));
  await watching;
});

/** A service whose jobs the test runs, with two folders and a document in each. The barrier is on the first. */
async function withJobs(
  work: (of: {
    state: () => Promise<any>;
    run: (signal: AbortSignal) => Promise<unknown>;
    api: Chancery;
    owner: User;
    top: any;
  }) => Promise<void>,
) {
  const api = await startChancery({ role: 'api', settings: { BARRIER_JOB_DOCUMENTS: '1' } });
  try {
    const { owner, id } = await api.team();
    const top = await api.folder(owner, { name: 'Merlin' });
    const below = await api.folder(owner, { parentId: top.id });
    for (const { id: folderId } of [top, below]) await api.document(owner, { folderId });
    const path = `${folders}/${top.id}/barrier`;
    assert.equal((await api.call('PUT', path, { token: owner.token, body: { userIds: [] } })).status, 202);
    const deps = { database: api.database, listeners, clock: () => new Date() };
    const run = async (signal: AbortSignal) => barrierChangeJob.run(deps, { folder: top.id }, { id: top.id, team: id, attempt: 1, signal });
    await work({ state: async () => (await api.call('GET', path, { token: owner.token })).body, run, api, owner, top });
  } finally {
    await api.stop();
  }
}
const unlimited = new AbortController().signal;

test('a job that stops after its first folder continues there, and a third run does nothing', () =>
  withJobs(async ({ state, run, api, top }) => {
    const stopping = new AbortController();
    const signal = AbortSignal.any([stopping.signal]);
    let looks = 0;
    signal.throwIfAborted = () => {
      looks += 1;
      if (looks === 2) stopping.abort();
      if (signal.aborted) throw signal.reason;
    };
    await assert.rejects(run(signal), { name: 'AbortError' });
    assert.deepEqual((await state()).progress, { documents: 1, total: 2 });
    for (const _ of [1, 2]) await run(unlimited);
    assert.equal((await state()).status, 'active');
    const { rows } = await api.pool.query('SELECT DISTINCT barrier_id FROM document');
    assert.deepEqual(rows, [{ barrier_id: top.id }]);
  }));

test('a folder whose name is in use is renamed when its barrier is removed', () =>
  withJobs(async ({ run, api, owner, top }) => {
    await run(unlimited);
    const call = (method: string, path: string, body?: object) => api.call(method, path, { token: owner.token, ...(body ? { body } : {}) });
    const lift = () => call('DELETE', `${folders}/${top.id}/barrier`);
    const other = (await call('POST', `${folders}/`, { name: 'Merlin' })).body;
    assert.equal((await lift()).body.code, 'name_taken');
    await call('PUT', `${folders}/${other.id}`, { name: 'Merlin two' });
    assert.equal((await lift()).status, 204);
    await call('PUT', `${folders}/${other.id}`, { name: 'Merlin' });
    await run(unlimited);
    assert.equal((await call('GET', `${folders}/${top.id}`)).body.name, `Merlin (${top.id.slice(-6)})`);
    assert.equal((await call('GET', `${folders}/${top.id}/barrier`)).status, 404);
  }));
