import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { askingUnder } from '../../../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../../test/harness.ts';
import { type FileStore } from '../../../../platform/storage/storage.ts';
import { eventually } from '../../../../../test/webhook-receiver.ts';
import { createDiskStorage } from '../../../../platform/storage/disk.ts';
import { dropOldExports, exportJob } from './jobs.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let storage: FileStore;

before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true });
  team = await chancery.team();
  creator = await chancery.user(team);
  storage = await createDiskStorage({ folder: join(chancery.config.DATA_DIR, 'files') });
});
after(() => chancery.stop());

const { call: send, made: ok } = askingUnder(`${path}/`, () => chancery);
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
const text = (id: string) => ({ id, type: 'textarea', label: id });

async function formOf(members: object = {}): Promise<{ id: string; publicToken: string }> {
  const { id } = await ok(creator, 'POST', '', { title: 'Intake', type: 'form', fields: [text('name'), text('note')], ...members });
  return ok(creator, 'POST', `${id}/publish`, { revision: 1 });
}
async function submitted({ publicToken }: { publicToken: string }, data: object): Promise<string> {
  const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.submissionId;
}
const deps = (kept: FileStore = storage) => ({ database: chancery.database, listeners: [], storage: kept, clock: () => new Date() });
/** Runs the export job, like a node with background work. */
const carryOut = (id: string, kept?: FileStore) =>
  exportJob.run(deps(kept), { team: team.id, export: id }, { id, team: team.id, attempt: 1, signal: new AbortController().signal });
async function exported(form: string, body: object, by: User = creator): Promise<any> {
  const made = await ok(by, 'POST', `${form}/submissions/exports`, body);
  assert.equal(made.status, 'waiting');
  const early = await send(by, 'GET', `${form}/submissions/exports/${made.id}/file`);
  assert.deepEqual([early.status, early.body.code], [409, 'export_not_ready']);
  await carryOut(made.id);
  return ok(by, 'GET', `${form}/submissions/exports/${made.id}`);
}
const fileOf = (form: string, { id }: { id: string }, by: User = creator) => send(by, 'GET', `${form}/submissions/exports/${id}/file`);

test('an export has each submission once, oldest first, with a column for each field of any version, and without formulas', async () => {
  const form = await formOf();
  const evil = ['=1+1', '@SUM(A1)', '+1', '-1', '"quoted", and a comma', 'two\nlines', 'אבג', "'plain"];
  for (const name of evil) await submitted(form, { name, note: 'first' });
  await ok(creator, 'PUT', form.id, { fields: [text('name'), text('topic')] });
  await ok(creator, 'POST', `${form.id}/publish`, { revision: 2 });
  await submitted(form, { name: 'Last', topic: 'second' });
  const csv = await exported(form.id, { format: 'csv' });
  assert.deepEqual([csv.status, csv.submissions], ['done', evil.length + 1]);
  const answer = await fileOf(form.id, csv);
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="submissions\.csv"/);
  assert.ok(answer.text.includes('"two\nlines"'), 'a cell with a line break is quoted');
  const rows = parse(answer.text, { columns: true }) as Record<string, string>[];
  assert.deepEqual(Object.keys(rows[0] ?? {}), [
    '_id',
    '_status',
    '_version',
    '_channel',
    '_locale',
    '_createdAt',
    'name',
    'topic',
    'note',
  ]);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["'=1+1", "'@SUM(A1)", "'+1", "'-1", '"quoted", and a comma', 'two\nlines', 'אבג', "'plain", 'Last'],
  );
  assert.deepEqual(
    rows.map(({ _version, topic, note }) => [_version, topic, note].join(' ')),
    [...evil.map(() => '1  first'), '2 second '],
  );
  const german = { delimiter: 'semicolon', encoding: 'utf-8-bom', booleans: 'ja|nein' };
  const other = await exported(form.id, { format: 'csv', ...german });
  assert.deepEqual([other.delimiter, other.encoding, other.booleans], Object.values(german));
  const bytes = await fetch(`${chancery.url}${path}/${form.id}/submissions/exports/${other.id}/file`, {
    headers: { authorization: `Bearer ${creator.token}` },
  });
  assert.match(Buffer.from(await bytes.arrayBuffer()).toString(), /^\ufeff_id;_status;/);
  const contradiction = await send(creator, 'POST', `${form.id}/submissions/exports`, {
    format: 'csv',
    decimal: 'comma',
    grouping: 'comma',
  });
  assert.equal(contradiction.body.code, 'validation_failed');
  const json = JSON.parse((await fileOf(form.id, await exported(form.id, { format: 'json' }))).text);
  assert.deepEqual(
    json.map(({ data }: any) => data.name),
    [...evil, 'Last'],
  );
  assert.deepEqual(json, (await ok(creator, 'GET', `${form.id}/submissions`)).toReversed());
});

test('an export has the requested statuses and times, and an empty export is valid', async () => {
  const form = await formOf();
  await submitted(form, { name: 'Ada' });
  const none = await exported(form.id, { format: 'json', status: ['spam'] });
  assert.deepEqual([none.submissions, (await fileOf(form.id, none)).text, none.filters], [0, '[]', { status: ['spam'] }]);
  assert.equal((await exported(form.id, { format: 'json', to: '2020-01-01T00:00:00Z' })).submissions, 0);
  assert.equal((await exported(form.id, { format: 'json', from: '2020-01-01T00:00:00Z' })).submissions, 1);
});

test('a time that the database cannot parse is rejected at the request, by lists and exports alike', async () => {
  const form = await formOf();
  for (const time of ['0000-01-01T00:00:00Z', '2026-01-01T00:00:00+23:59'])
    for (const member of ['from', 'to']) {
      const listed = await send(creator, 'GET', `${form.id}/submissions?${new URLSearchParams({ [member]: time }).toString()}`);
      const requested = await send(creator, 'POST', `${form.id}/submissions/exports`, { format: 'csv', [member]: time });
      for (const { status, body } of [listed, requested])
        assert.deepEqual([status, body.code], [400, 'validation_failed'], `${member}=${time}`);
    }
});

test('an export requires the right to read submissions at the request, the writing and the download', async () => {
  const folder = await chancery.folder(creator);
  const form = await formOf({ config: { folderId: folder.id } });
  await submitted(form, { name: 'Ada' });
  const [editor, reader] = [await chancery.user(team), await chancery.user(team)];
  await ok(creator, 'POST', `${form.id}/shares`, { userId: editor.id, rights: ['edit'] });
  const share = await ok(creator, 'POST', `${form.id}/shares`, { userId: reader.id, rights: ['submissions'] });
  assert.equal((await send(editor, 'POST', `${form.id}/submissions/exports`, { format: 'csv' })).status, 403);
  const made = await exported(form.id, { format: 'csv' }, reader);
  assert.equal((await fileOf(form.id, made, reader)).status, 200);
  assert.equal((await fileOf(form.id, made, editor)).status, 403);
  const other = await formOf();
  assert.equal((await fileOf(other.id, made)).status, 404, 'another form does not have this export');
  const waiting = await ok(reader, 'POST', `${form.id}/submissions/exports`, { format: 'csv' });
  await ok(creator, 'DELETE', `${form.id}/shares/${share.id}`);
  await carryOut(waiting.id);
  const failed = await ok(creator, 'GET', `${form.id}/submissions/exports/${waiting.id}`);
  assert.deepEqual([failed.status, failed.code], ['failed', 'not_found']);
  assert.equal((await fileOf(form.id, made, reader)).status, 404);
  const entries = await query(
    "SELECT data FROM audit_entry WHERE type = 'interface.submissions_exported' AND target_id = $1 ORDER BY id",
    form.id,
  );
  assert.deepEqual(
    entries.map(({ data }) => data),
    [made, waiting].map(({ id }) => ({ exportId: id, format: 'csv' })),
  );
});

test('an export is not written if its client lost the scope or was disabled', async () => {
  const form = await formOf();
  await submitted(form, { name: 'Ada' });
  for (const change of [{ scopes: ['registries:read'] }, { isActive: false }]) {
    const client = await chancery.client(team.owner, ['interfaces:read', 'registries:read']);
    const waiting = await ok(client, 'POST', `${form.id}/submissions/exports`, { format: 'csv' });
    const changed = await chancery.call('PATCH', `/api/v1/security/clients/${client.id}`, { token: team.owner.token, body: change });
    assert.equal(changed.status, 200, changed.text);
    await carryOut(waiting.id);
    const { status, code } = await ok(creator, 'GET', `${form.id}/submissions/exports/${waiting.id}`);
    assert.deepEqual([status, code], ['failed', 'forbidden'], JSON.stringify(change));
  }
});

test('a download by an administrator with access only by role is recorded, even if another member requested the export', async () => {
  const form = await formOf();
  await submitted(form, { name: 'Ada' });
  const made = await exported(form.id, { format: 'csv' });
  const privilegedAccess = async () => {
    const { privilegedAccess: all } = await ok(creator, 'GET', `${form.id}/access`);
    return all.map(({ type, userId }: any) => [type, userId]);
  };
  await ok(team.owner, 'GET', `${form.id}/submissions/exports/${made.id}`);
  assert.equal((await fileOf(form.id, made)).status, 200);
  assert.deepEqual(await privilegedAccess(), []);
  assert.equal((await fileOf(form.id, made, team.owner)).status, 200);
  assert.deepEqual(await privilegedAccess(), [['interface.submissions_read', team.owner.id]]);
});

test('of 20 concurrent export requests of a team, two are accepted and the others are rejected for a retry', async () => {
  const busy = await chancery.team();
  const form = await ok(busy.owner, 'POST', '', { title: 'Intake', type: 'form', fields: [text('name')] });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send(busy.owner, 'POST', `${form.id}/submissions/exports`, { format: 'csv' })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 18);
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.code], [429, 'exports_in_progress']);
    assert.ok(Number(headers.get('retry-after')) > 0);
  }
});

test('erasing a submission ends the exports of its form, even running ones; the others end after a day', async () => {
  const form = await formOf();
  const id = await submitted(form, { name: 'Ada' });
  const done = await exported(form.id, { format: 'csv' });
  const waiting = await ok(creator, 'POST', `${form.id}/submissions/exports`, { format: 'csv' });
  const [{ storage_key: key }] = await query('SELECT storage_key FROM submission_export_file WHERE id = $1', done.id);
  assert.equal(await storage.has(key), true);
  assert.equal((await send(creator, 'DELETE', `${form.id}/submissions/${id}`)).status, 204);
  for (const one of [done, waiting]) assert.equal((await fileOf(form.id, one)).status, 404);
  await carryOut(waiting.id);
  await eventually('the file is deleted', async () => !(await storage.has(key)));
  const next = await exported(form.id, { format: 'csv' });
  await dropOldExports(deps(), new Date(Date.now() + 23 * 3_600_000));
  assert.equal((await fileOf(form.id, next)).status, 200);
  await dropOldExports(deps(), new Date(Date.now() + 25 * 3_600_000));
  assert.equal((await fileOf(form.id, next)).status, 404);
});

test('an export requested during an erasure waits for it and does not contain the erased submission', async () => {
  const form = await formOf();
  const id = await submitted(form, { name: 'Ada Lovelace' });
  const lock = await chancery.pool.connect();
  await lock.query('BEGIN');
  await lock.query('SELECT FROM submission WHERE id = $1 FOR UPDATE', [id]);
  const waiting = async () =>
    (await query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).length;
  const erasing = send(creator, 'DELETE', `${form.id}/submissions/${id}`);
  await eventually('the erasure waits', async () => (await waiting()) === 1);
  const requested = await ok(creator, 'POST', `${form.id}/submissions/exports`, { format: 'csv' });
  let written = false;
  const writing = carryOut(requested.id).then(() => (written = true));
  await eventually('the export is written or waits', async () => written || (await waiting()) === 2);
  await lock.query('ROLLBACK');
  lock.release();
  assert.equal((await erasing).status, 204);
  await writing;
  const file = await fileOf(form.id, requested);
  assert.ok(file.status === 200 && !file.text.includes('Lovelace'), file.text);
});

test('an export of 30 MB of answers uses bounded memory, with few submissions at a time', async () => {
  const form = await formOf();
  await chancery.pool.query(
    `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, created_at, updated_at)
     SELECT $1, gen_random_uuid(), $2, 1, 'public', 'received', jsonb_build_object('name', n::text, 'note', repeat('x', 4000)),
       timestamptz '2026-01-01 00:00Z' + n * interval '1 second', now() FROM generate_series(1, 8000) n`,
    [team.id, form.id],
  );
  // The memory in use after a garbage collection.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inUse = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1024 ** 2;
  };
  const made = await ok(creator, 'POST', `${form.id}/submissions/exports`, { format: 'csv' });
  const atFirst = inUse();
  let [most, looks, bytes] = [0, 0, 0];
  // Measured at each quarter of the file while it is written.
  const watched: Pick<FileStore, 'write'> = {
    write: (stream, options) =>
      storage.write(
        Readable.from(
          (async function* parts() {
            for await (const part of stream) {
              yield part;
              bytes += (part as Buffer).length;
              if (bytes < (looks + 1) * 8_000_000) continue;
              looks += 1;
              most = Math.max(most, inUse());
            }
          })(),
          { objectMode: false },
        ),
        options,
      ),
  };
  await carryOut(made.id, { ...storage, ...watched });
  assert.equal(looks, 4);
  const written = await ok(creator, 'GET', `${form.id}/submissions/exports/${made.id}`);
  assert.deepEqual([written.status, written.submissions], ['done', 8_000]);
  assert.ok(written.size > 32_000_000, `${written.size}`);
  assert.ok(most - atFirst < 40, `${Math.round(most - atFirst)} MiB more than before`);
});
