import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { type Chancery, startChancery, type User } from '../../../test/harness.ts';
import { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import { ownedTables } from '../../domains.ts';
import { createDiskStorage } from '../../platform/storage/disk.ts';
import { reconcileFiles } from '../../platform/storage/reconcile-jobs.ts';
import { waitingBatch } from '../../../test/signature-batches.ts';
import { purgeFolders } from '../folders/jobs.ts';
import { purgeDocuments } from './jobs.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let owner: User;
let folder: string;
let storage: Awaited<ReturnType<typeof createDiskStorage>>;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  ({ owner } = await chancery.team());
  folder = join(chancery.config.DATA_DIR, 'files');
  storage = await createDiskStorage({ folder });
});
after(() => chancery.stop());

const ask = (method: string, path: string, body?: unknown) =>
  chancery.call(method, path, { token: owner.token, ...(body === undefined ? {} : { body }) });

async function uploaded(members: Record<string, string> = {}): Promise<{ id: string; key: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: 'Filed', ...members })) form.set(name, value);
  form.set('file', new Blob(['bytes']), 'a.txt');
  const { body } = await ask('POST', `${documents}/`, form);
  const { rows } = await chancery.pool.query('SELECT storage_key FROM document_version WHERE document_id = $1', [body.id]);
  return { id: body.id, key: rows[0].storage_key };
}

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const some of storage.keys()) found.push(...some);
  return found;
}

/** The jobs of the bin as scheduled, with the role of background work. */
async function purge(at: Date): Promise<{ failed: string[] }> {
  const failed: string[] = [];
  const metrics = { failed: (job: string) => void failed.push(job), setAside: () => undefined };
  const isolation = new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
  await purgeDocuments({ database: chancery.database, storage, isolation }, at);
  await purgeFolders({ database: chancery.database, isolation }, at);
  return { failed };
}

test('after 30 days the bin is emptied of documents with their files, grants and versions, and of folders, and nothing else', async () => {
  const top = await chancery.folder(owner);
  const below = await chancery.folder(owner, { parentId: top.id });
  const [kept, alone, within] = [await uploaded(), await uploaded(), await uploaded({ folderId: below.id })];
  const member = await chancery.user(owner.team);
  assert.equal((await ask('POST', `${documents}/${within.id}/access`, { userId: member.id, access: 'read' })).status, 201);
  assert.equal((await ask('PUT', `${folders}/${below.id}/barrier`, { userIds: [] })).status, 200);
  assert.equal((await ask('DELETE', `${documents}/${alone.id}`)).status, 204);
  assert.equal((await ask('DELETE', `${folders}/${top.id}?recursive=true`)).status, 200);
  const day = 86_400_000;
  assert.deepEqual(await purge(new Date(Date.now() + 29 * day)), { failed: [] });
  assert.equal((await chancery.pool.query('SELECT 1 FROM document WHERE team_id = $1', [owner.team])).rowCount, 3);
  assert.deepEqual(await purge(new Date(Date.now() + 31 * day)), { failed: [] });
  for (const [table, left] of [
    ['document', 1],
    ['document_version', 1],
    ['access_grant', 0],
    ['folder', 0],
  ] as const)
    assert.equal((await chancery.pool.query(`SELECT 1 FROM ${table} WHERE team_id = $1`, [owner.team])).rowCount, left, table);
  assert.deepEqual(await keys(), [kept.key]);
});

const later = (days: number) => new Date(Date.now() + days * 86_400_000);

/** Resources about a document inside a barrier, by the path that reads them. */
async function aboutBarred(): Promise<{ barrier: string; document: string; room: string; paths: string[] }> {
  const barrier = (await chancery.folder(owner)).id;
  const room = (await chancery.folder(owner, { parentId: barrier })).id;
  const document = (await uploaded({ folderId: room })).id;
  await ask('PUT', `${folders}/${barrier}/barrier`, { userIds: [owner.id] });
  const steps = [{ id: 'read', type: 'task', assignees: [owner.id] }];
  const workflow = (await ask('POST', '/api/v1/workflows/', { name: 'Read it', documentId: document, steps })).body.id;
  assert.equal((await ask('POST', `/api/v1/workflows/${workflow}/start`)).status, 200);
  const task = (await ask('POST', '/api/v1/tasks/', { title: 'Read it', documentId: document, assignedTo: owner.id })).body.id;
  const tasks: string[] = (await ask('GET', `/api/v1/workflows/${workflow}`)).body.steps[0].taskIds;
  assert.equal(tasks.length, 1);
  const batch = (await waitingBatch(chancery.pool, owner, document)).id;
  const filed = (await waitingBatch(chancery.pool, owner)).id;
  await chancery.pool.query("UPDATE signature_batch SET manner = jsonb_build_object('folderId', $2::text) WHERE id = $1", [filed, room]);
  return {
    barrier,
    room,
    document,
    paths: [
      `/api/v1/workflows/${workflow}`,
      `/api/v1/workflows/${workflow}/comments`,
      ...[task, ...tasks].map((id) => `/api/v1/tasks/${id}`),
      ...[batch, filed].map((id) => `/api/v1/signatures/bulk/${id}`),
    ],
  };
}

test('a barrier hides tasks, workflows and batches after the deletion of their document and folder', async () => {
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const client = await chancery.client(owner, ['workflows:read', 'tasks:read', 'signatures:read']);
  const { barrier, document, room, paths } = await aboutBarred();
  const seen = (by: { token: string }) =>
    Promise.all(paths.map(async (path) => (await chancery.call('GET', path, { token: by.token })).status));
  const all = (status: number) => paths.map(() => status);
  const look = async () => [await seen(owner), await seen(admin), await seen(client)];
  assert.deepEqual(await look(), [all(200), all(404), all(404)], 'the document is there');
  assert.equal((await ask('DELETE', `${documents}/${document}`)).status, 204);
  assert.equal((await ask('DELETE', `${folders}/${room}`)).status, 200);
  assert.deepEqual(await purge(later(31)), { failed: [] });
  assert.equal((await chancery.pool.query('SELECT FROM document WHERE id = $1', [document])).rowCount, 0);
  assert.equal((await chancery.pool.query('SELECT FROM folder WHERE id = $1', [room])).rowCount, 0);
  assert.deepEqual(await look(), [all(200), all(404), all(404)], 'the document and its folder are deleted');
  const [workflow = ''] = paths;
  const listed = async (by: { token: string }) =>
    ['workflows', 'tasks'].map(async (kind) => (await chancery.call('GET', `/api/v1/${kind}/`, { token: by.token })).body.length);
  assert.deepEqual(await Promise.all(await listed(admin)), [0, 0]);
  assert.deepEqual(await Promise.all(await listed(owner)), [1, 2]);
  assert.equal((await chancery.call('DELETE', workflow, { token: owner.token })).status, 409, 'it is active');
  assert.equal((await ask('DELETE', `${folders}/${barrier}/barrier`)).status, 204);
  assert.deepEqual(await look(), [all(200), all(200), all(200)], 'the barrier is removed');
});

test('a barrier hides tasks, workflows and batches after the deletion of its own folder', async () => {
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const { barrier, paths } = await aboutBarred();
  assert.equal((await ask('DELETE', `${folders}/${barrier}?recursive=true`)).status, 200);
  assert.deepEqual(await purge(later(31)), { failed: [] });
  assert.equal((await chancery.pool.query('SELECT FROM folder WHERE id = $1', [barrier])).rowCount, 0);
  for (const path of paths) {
    assert.equal((await ask('GET', path)).status, 200, path);
    assert.equal((await chancery.call('GET', path, { token: admin.token })).status, 404, path);
  }
  assert.ok(!(await ask('GET', '/api/v1/barriers')).body.some(({ id }: { id: string }) => id === barrier));
});

test('concurrent passes over a bin of many folders end quickly, and each continues where the other stopped', async () => {
  const { owner: other } = await chancery.team();
  for (let round = 0; round < 3; round += 1) {
    const { id } = await chancery.folder(other);
    await chancery.pool.query("UPDATE folder SET deleted_at = now() - interval '40 days' WHERE team_id = $1", [other.team]);
    // Chains of folders, whose last ones each pass deletes.
    await chancery.pool.query(
      `INSERT INTO folder SELECT (jsonb_populate_record(f, jsonb_build_object('id', md5(n::text)::uuid, 'name', 'F' || n,
         'parent_id', CASE WHEN n > 300 THEN md5((n - 300)::text)::uuid ELSE f.id END))).*
       FROM folder f, generate_series(1, 1500) n WHERE f.team_id = $1 AND f.id = $2`,
      [other.team, id],
    );
    const passes = await Promise.all(Array.from({ length: 5 }, () => purge(new Date())));
    assert.deepEqual(
      passes.flatMap(({ failed }) => failed),
      [],
    );
    assert.equal((await chancery.pool.query('SELECT FROM folder WHERE team_id = $1', [other.team])).rowCount, 0);
  }
});

test('files and rows are compared both ways: unreferenced files are deleted after a day, missing files are reported', async () => {
  const [kept, lost] = [await uploaded(), await uploaded()];
  const place = (key: string) => join(folder, key.slice(-2), key.slice(-4, -2));
  const orphan = async (ageMs: number): Promise<string> => {
    const key = randomUUIDv7();
    await mkdir(place(key), { recursive: true });
    await writeFile(join(place(key), key), 'left behind');
    const at = new Date(Date.now() - ageMs);
    await utimes(join(place(key), key), at, at);
    return key;
  };
  const [old, young] = [await orphan(25 * 3_600_000), await orphan(23 * 3_600_000)];
  await rm(join(place(lost.key), lost.key));
  const parts = { database: chancery.database, storage, tables: ownedTables };
  const report = await reconcileFiles(parts, 'report');
  assert.deepEqual([report.orphans, report.missing.count], [{ count: 1, keys: [old] }, 1]);
  assert.deepEqual(report.missing.rows, [
    { team: owner.team, table: 'document_version', row: `document_id ${lost.id}, number 1`, key: lost.key },
  ]);
  assert.ok((await keys()).includes(old), 'a report changes nothing');
  assert.equal((await reconcileFiles(parts, 'remove')).orphans.count, 1);
  const left = await keys();
  assert.deepEqual([left.includes(old), left.includes(young), left.includes(kept.key)], [false, true, true]);
  assert.equal((await reconcileFiles(parts, 'remove')).orphans.count, 0);
  await readdir(folder);
});
