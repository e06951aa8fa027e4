import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { askingUnder } from '../../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import type { Statement } from '../../../platform/database/statement.ts';
import { largestId, smallestId } from '../../../platform/identifiers.ts';
import { newestSubmissions, oldestSubmissions, shelves } from './list-queries.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  creator = await chancery.user(team);
});

const { call: send, made: ok } = askingUnder(`${path}/`, () => chancery);
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
const fields = [
  { id: 'name', type: 'text', label: 'Name' },
  { id: 'email', type: 'email', label: 'E-mail' },
];
type Form = { id: string; publicToken: string };

async function formOf(members: object = {}, by: User = creator): Promise<Form> {
  const { id } = await ok(by, 'POST', '', { title: 'Intake', type: 'form', fields, ...members });
  return ok(by, 'POST', `${id}/publish`, { revision: 1 });
}
async function submitted({ publicToken }: Form, data: object): Promise<string> {
  const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.submissionId;
}
/** Inserts many submissions, one second apart, as the service would store them. */
const fill = ({ id }: Form, count: number) =>
  chancery.pool.query(
    `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, created_at, updated_at)
     SELECT $1, gen_random_uuid(), $2, 1, 'public', CASE n % 10 WHEN 0 THEN 'spam' WHEN 1 THEN 'failed' ELSE 'received' END,
       jsonb_build_object('name', 'Person ' || n), timestamptz '2026-01-01 00:00Z' + n * interval '1 second', now()
     FROM generate_series(1, $3::int) n`,
    [team.id, id, count],
  );
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

test('submissions are listed newest first, page by page, by status and time, each once', async () => {
  const form = await formOf();
  await fill(form, 95);
  const seen: { id: string; createdAt: string; status: string }[] = [];
  let at: string | undefined = `${form.id}/submissions?limit=20`;
  while (at !== undefined) {
    const answer = await send(creator, 'GET', at);
    assert.equal(answer.status, 200, answer.text);
    seen.push(...answer.body);
    at = /\/interfaces\/([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  assert.equal(new Set(ids(seen)).size, 86, 'spam is listed on request');
  const times = seen.map(({ createdAt }) => createdAt);
  assert.deepEqual(times, times.toSorted().toReversed());
  assert.equal((await ok(creator, 'GET', `${form.id}/submissions?status=spam`)).length, 9);
  assert.equal((await ok(creator, 'GET', `${form.id}/submissions?status=spam&status=failed`)).length, 19);
  const between = await ok(creator, 'GET', `${form.id}/submissions?from=2026-01-01T00:00:02Z&to=2026-01-01T01:00:05%2B01:00`);
  assert.deepEqual(
    between.map(({ data }: any) => data.name),
    ['Person 4', 'Person 3', 'Person 2'],
  );
});

test('a submission reads back as stored, with its effects', async () => {
  const form = await formOf({ config: { createsDocument: true } });
  const id = await submitted(form, { name: 'Ada', email: 'ada@example.org' });
  const [listed] = await ok(creator, 'GET', `${form.id}/submissions`);
  const { effects, files, ...rest } = await ok(creator, 'GET', `${form.id}/submissions/${id}`);
  assert.deepEqual(rest, listed);
  assert.deepEqual([rest.data, files], [{ name: 'Ada', email: 'ada@example.org' }, []]);
  const { kind, status, attempts, resultId } = effects.find((effect: any) => effect.kind === 'document');
  assert.deepEqual([kind, status, attempts], ['document', 'done', 1]);
  assert.match(resultId, /^[0-9a-f-]{36}$/);
  const other = await formOf();
  assert.equal((await send(creator, 'GET', `${other.id}/submissions/${id}`)).status, 404, 'another form does not have this submission');
});

test('an erased submission leaves its row, but no answers in tables, journal or events', async () => {
  const form = await formOf({ config: { createsDocument: true } });
  const word = 'Schattenbaum';
  const id = await submitted(form, { name: word, email: `${word}@example.org`.toLowerCase() });
  const again = await query(
    `INSERT INTO idempotent_response (team_id, actor_id, key, fingerprint, response)
     SELECT team_id, session_id, 'again', '', '' FROM submission WHERE id = $1 AND session_id IS NOT NULL RETURNING actor_id`,
    id,
  );
  assert.equal(again.length, 1, 'there is a session');
  const { effects } = await ok(creator, 'GET', `${form.id}/submissions/${id}`);
  const document = effects.find((effect: any) => effect.kind === 'document').resultId;
  await query(
    `INSERT INTO submission_upload (team_id, id, interface_id, submission_id, storage_key, name, media_type, size, sha256, created_at)
     VALUES ($1, gen_random_uuid(), $2, $3, 'none', $4, 'text/plain', 1, 'x', now())`,
    team.id,
    form.id,
    id,
    `${word}.txt`,
  );
  assert.equal((await send(creator, 'DELETE', `${form.id}/submissions/${id}`)).status, 204);
  const shown = await ok(creator, 'GET', `${form.id}/submissions/${id}`);
  assert.deepEqual([shown.status, shown.erasedFor, shown.data, shown.effects, shown.files], ['erased', 'request', undefined, [], []]);
  assert.deepEqual(ids(await ok(creator, 'GET', `${form.id}/submissions`)), []);
  assert.deepEqual(ids(await ok(creator, 'GET', `${form.id}/submissions?status=erased`)), [id]);
  const tables = await query(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')`,
  );
  for (const { relname } of tables) {
    const found = await query(`SELECT t::text FROM "${relname}" t WHERE t::text ILIKE $1 LIMIT 1`, `%${word}%`);
    assert.deepEqual(found, [], `in ${relname}`);
  }
  const events = await query("SELECT FROM event WHERE convert_from(body, 'UTF8') ILIKE $1", `%${word}%`);
  assert.equal(events.length, 0);
  const [entry] = await query("SELECT actor_id, data FROM audit_entry WHERE type = 'submission.erased' AND target_id = $1", id);
  assert.deepEqual(entry, { actor_id: creator.id, data: { interfaceId: form.id, reason: 'request' } });
  const [count] = await query('SELECT taken::int FROM interface_count WHERE interface_id = $1', form.id);
  assert.equal(count.taken, 1, 'it still counts');
  assert.deepEqual(await query('SELECT FROM idempotent_response WHERE actor_id = $1', again[0].actor_id), [], 'no stored response is left');
  const documents = '/api/v1/smartdoc/documents';
  assert.equal((await chancery.call('GET', `${documents}/${document}`, { token: creator.token })).status, 404);
  assert.deepEqual((await chancery.call('GET', `${documents}/bin`, { token: creator.token })).body, [], 'it is not in the bin');
  const back = await chancery.call('POST', `${documents}/${document}/restore`, { token: creator.token });
  assert.deepEqual([back.status, back.body.code], [404, 'not_found'], 'nobody can restore it');
  assert.equal((await send(creator, 'DELETE', `${form.id}/submissions/${id}`)).status, 404, 'again');
});

test('of 20 concurrent erasures of a submission, one succeeds, and one event is recorded', async () => {
  const form = await formOf({ config: { createsDocument: true } });
  const id = await submitted(form, { name: 'Ada' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(creator, 'DELETE', `${form.id}/submissions/${id}`)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, ...Array<number>(19).fill(404)]);
  assert.equal((await query("SELECT FROM audit_entry WHERE type = 'submission.erased' AND target_id = $1", id)).length, 1);
  assert.equal(
    (await query("SELECT FROM audit_entry WHERE type = 'document.deleted' AND data->>'title' LIKE '%' || $1", id.slice(-8))).length,
    1,
  );
});

test('a submission cannot be erased while a workflow about it runs', async () => {
  const form = await formOf({ config: { createsDocument: true, startsTemplate: 'nda-approval' } });
  const id = await submitted(form, { name: 'Ada' });
  const refused = await send(creator, 'DELETE', `${form.id}/submissions/${id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'workflow_active']);
  const { effects, data } = await ok(creator, 'GET', `${form.id}/submissions/${id}`);
  assert.deepEqual(data, { name: 'Ada' });
  const workflow = effects.find((effect: any) => effect.kind === 'workflow').resultId;
  const cancelled = await chancery.call('POST', `/api/v1/workflows/${workflow}/cancel`, { token: creator.token, body: {} });
  assert.ok(cancelled.status < 300, cancelled.text);
  assert.equal((await send(creator, 'DELETE', `${form.id}/submissions/${id}`)).status, 204);
});

test('a legal hold on the document of a submission prevents its erasure until the hold is lifted', async () => {
  const form = await formOf({ config: { createsDocument: true } });
  const id = await submitted(form, { name: 'Ada' });
  const { effects } = await ok(creator, 'GET', `${form.id}/submissions/${id}`);
  const documentId = effects.find((effect: any) => effect.kind === 'document').resultId;
  const holds = '/api/v1/smartdoc/holds';
  const hold = (at: string, body: object) => chancery.call('POST', `${holds}/${at}`, { token: team.owner.token, body });
  const placed = await hold('', { documentId, reason: 'Litigation' });
  const refused = await send(creator, 'DELETE', `${form.id}/submissions/${id}`);
  assert.deepEqual([placed.status, refused.status, refused.body.code], [201, 409, 'legal_hold_active']);
  assert.deepEqual((await ok(creator, 'GET', `${form.id}/submissions/${id}`)).data, { name: 'Ada' });
  assert.equal((await hold(`${placed.body.id}/lift`, { reason: 'Settled' })).status, 200);
  assert.equal((await send(creator, 'DELETE', `${form.id}/submissions/${id}`)).status, 204);
});

test('a legal hold on the folder of answers keeps the answers and their form until the hold is lifted', async () => {
  const [top, elsewhere] = [await chancery.folder(creator), await chancery.folder(creator)];
  const folder = await chancery.folder(creator, { parentId: top.id });
  const form = await formOf({ config: { folderId: folder.id } });
  const id = await submitted(form, { name: 'Ada' });
  const holds = '/api/v1/smartdoc/holds';
  const hold = (at: string, body: object) => chancery.call('POST', `${holds}/${at}`, { token: team.owner.token, body });
  const placed = await hold('', { folderId: top.id, reason: 'Litigation' });
  const refused = async (...args: Parameters<typeof send>) => {
    const answer = await send(...args);
    assert.deepEqual([answer.status, answer.body?.code], [409, 'legal_hold_active'], `${args[1]} ${args[2]}: ${answer.text}`);
  };
  await refused(creator, 'DELETE', `${form.id}/submissions/${id}`);
  await refused(creator, 'DELETE', form.id);
  const { revision } = await ok(creator, 'PUT', form.id, { config: { folderId: elsewhere.id } });
  await refused(creator, 'POST', `${form.id}/publish`, { revision });
  assert.deepEqual((await ok(creator, 'GET', `${form.id}/submissions/${id}`)).data, { name: 'Ada' });
  // Within a held folder, answers can move freely.
  const { revision: within } = await ok(creator, 'PUT', form.id, { config: { folderId: top.id } });
  await ok(creator, 'POST', `${form.id}/publish`, { revision: within });
  assert.equal((await hold(`${placed.body.id}/lift`, { reason: 'Settled' })).status, 200);
  assert.equal((await send(creator, 'DELETE', `${form.id}/submissions/${id}`)).status, 204);
  assert.equal((await send(creator, 'DELETE', form.id)).status, 204);
});

test('of concurrent erasures and a legal hold, no submission is erased after the hold exists', async () => {
  const folder = await chancery.folder(creator);
  const form = await formOf({ config: { folderId: folder.id } });
  const all = await Promise.all(Array.from({ length: 20 }, () => submitted(form, { name: 'Ada' })));
  const left = async () => (await ok(creator, 'GET', `${form.id}/submissions`)).length;
  const holding = async () => {
    const body = { folderId: folder.id, reason: 'Litigation' };
    const placed = await chancery.call('POST', '/api/v1/smartdoc/holds/', { token: team.owner.token, body });
    assert.equal(placed.status, 201, placed.text);
    return left();
  };
  const erasing = (some: string[]) => some.map((id) => send(creator, 'DELETE', `${form.id}/submissions/${id}`));
  const early = erasing(all.slice(0, 10));
  const blocked = holding();
  const answers = await Promise.all([...early, ...erasing(all.slice(10))]);
  assert.ok(
    answers.every(({ status }) => status === 204 || status === 409),
    JSON.stringify(answers.map(({ status }) => status)),
  );
  assert.equal(await blocked, await left());
  assert.equal(answers.filter(({ status }) => status === 409).length, await left());
});

test('an editor cannot read submissions, a reader cannot erase them, and a member with both rights can neither erase nor retry', async () => {
  const form = await formOf();
  const id = await submitted(form, { name: 'Ada' });
  const [editor, reader] = [await chancery.user(team), await chancery.user(team)];
  await ok(creator, 'POST', `${form.id}/shares`, { userId: editor.id, rights: ['edit'] });
  await ok(creator, 'POST', `${form.id}/shares`, { userId: reader.id, rights: ['submissions'] });
  for (const at of ['', `/${id}`]) {
    assert.equal((await send(editor, 'GET', `${form.id}/submissions${at}`)).status, 403);
    assert.equal((await send(reader, 'GET', `${form.id}/submissions${at}`)).status, 200);
  }
  assert.equal((await send(editor, 'DELETE', `${form.id}/submissions/${id}`)).status, 403);
  assert.equal((await send(reader, 'DELETE', `${form.id}/submissions/${id}`)).status, 403);
  await ok(creator, 'POST', `${form.id}/shares`, { userId: reader.id, rights: ['edit', 'submissions'] });
  assert.equal((await send(reader, 'DELETE', `${form.id}/submissions/${id}`)).status, 403);
  assert.equal((await send(reader, 'POST', `${form.id}/submissions/${id}/retry`)).status, 403);
  const apiClient = await chancery.client(team.owner, ['interfaces:read', 'interfaces:write']);
  assert.equal((await send(apiClient as unknown as User, 'DELETE', `${form.id}/submissions/${id}`)).status, 204);
});

test('access of an administrator only by role is recorded, once an hour', async () => {
  const form = await formOf();
  await submitted(form, { name: 'Ada' });
  for (let n = 0; n < 3; n += 1) await ok(team.owner, 'GET', `${form.id}/submissions`);
  const { privilegedAccess } = await ok(creator, 'GET', `${form.id}/access`);
  assert.deepEqual(
    privilegedAccess.map(({ type, userId }: any) => [type, userId]),
    [['interface.submissions_read', team.owner.id]],
  );
});

test('a rejected list request of an administrator is not recorded as access', async () => {
  const form = await formOf();
  await submitted(form, { name: 'Ada' });
  const refused = await send(team.owner, 'GET', `${form.id}/submissions?cursor=of-another-list`);
  assert.deepEqual([refused.status, (await ok(creator, 'GET', `${form.id}/access`)).privilegedAccess], [400, []]);
});

/** Counts the database pages that a statement reads with a generic plan, as a request would. */
async function pages<Params extends object>(statement: Statement<Params, unknown>, params: Params): Promise<number> {
  const client = await chancery.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('role', 'chancery_app', true), set_config('app.team_id', $1, true)", [team.id]);
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`, statement.values(params));
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('a page deep in 30,000 submissions reads no more database pages than the first page', async () => {
  const form = await formOf();
  await fill(form, 30_000);
  await chancery.pool.query('ANALYZE submission');
  const whole = { team: team.id, interfaces: [form.id], q: null, from: '-infinity', to: 'infinity', limit: 50 };
  for (const [statement, time] of [
    [newestSubmissions, '2026-01-01T00:05:00Z'],
    [oldestSubmissions, '2026-01-01T08:15:00Z'],
  ] as const) {
    // The page costs the same at the end and at the beginning of the list, because the same index is used.
    const near = { time: statement === newestSubmissions ? 'infinity' : '-infinity', beyond: smallestId };
    for (const some of [[...shelves], ['received'] as const]) {
      const first = await pages(statement, { ...whole, ...near, shelves: some });
      const last = await pages(statement, { ...whole, time, beyond: smallestId, shelves: some });
      assert.ok(first < 500, `${first} pages`);
      assert.ok(last < first + 50, `${last} pages at the end, ${first} at the beginning`);
    }
  }
  // A time span with few submissions, far from the start of the list.
  const few = { ...whole, from: '2026-01-01T00:01:00Z', to: '2026-01-01T00:01:30Z', time: 'infinity', beyond: largestId };
  const read = await pages(newestSubmissions, { ...few, shelves });
  assert.ok(read < 500, `${read} pages`);
});
