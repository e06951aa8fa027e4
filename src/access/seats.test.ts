import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestResponse, type TestTeam, type User } from '../../test/harness.ts';
import { goodPassword, mailsTo } from '../../test/people.ts';
import { eventually } from '../../test/webhook-receiver.ts';

const auditors = '/api/v1/team/auditors';
const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
const journal = '/api/v1/security/audit';
const dayMs = 86_400_000;
let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ settings: { ALTCHA: 'off', TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => chancery.stop());

type Caller = { id: string; token: string };
const call = (by: { token: string }, method: string, path: string, body?: unknown) =>
  chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
const refusal = ({ status, body }: TestResponse) => [status, body?.code];
async function made(by: { token: string }, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const file = (folderId: string) => {
  const form = new FormData();
  form.set('title', 'Ledger');
  form.set('folderId', folderId);
  form.set('file', new Blob(['Sums'], { type: 'text/plain' }), 'ledger.txt');
  return form;
};

type Office = { team: TestTeam; owner: User; folder: string; document: string; other: string };
async function office(): Promise<Office> {
  const team = await chancery.team();
  const { owner } = team;
  const folder = (await chancery.folder(owner)).id;
  const document = (await made(owner, 'POST', `${documents}/`, file(folder))).id;
  return { team, owner, folder, document, other: (await chancery.folder(owner)).id };
}
const seatOf = ({ folder }: Office, members: Record<string, unknown> = {}) => ({
  email: `auditor.${randomUUIDv7()}@auditors.example`,
  endsAt: inDays(30),
  journalFrom: inDays(-1),
  journalTo: inDays(1),
  mayExport: false,
  things: [{ type: 'folder', id: folder }],
  ...members,
});
async function seated(at: Office, members: Record<string, unknown> = {}): Promise<Caller> {
  const seat = seatOf(at, members);
  await made(at.owner, 'POST', auditors, seat);
  const link = /#token=([\w-]{64})\b/.exec((await mailsTo(chancery, seat.email))[0]?.text ?? '')?.[1];
  const answer = await chancery.call('POST', '/api/v1/team/invitations/accept', {
    body: { token: link, firstName: 'Aude', lastName: 'Auditor', password: goodPassword },
  });
  assert.equal(answer.status, 201, answer.text);
  return { id: answer.body.user.id, token: answer.body.accessToken };
}
const listed = async (by: Caller, query = '') => (await made(by, 'GET', `${journal}${query}`)).events as any[];
const readsOf = async (auditor: Caller) =>
  (
    await chancery.pool.query("SELECT data FROM audit_entry WHERE actor_id = $1 AND type = 'auditor.read' ORDER BY at, id", [auditor.id])
  ).rows.map(({ data }) => data);

test('an auditor reads the resources of the seat, and nothing else', async () => {
  const at = await office();
  await made(at.owner, 'POST', `${folders}/${at.other}/shares`, { team: true, access: 'write' });
  const auditor = await seated(at);
  assert.deepEqual(
    (await made(auditor, 'GET', `${folders}/`)).map(({ id }: any) => id),
    [at.folder],
  );
  assert.equal((await call(auditor, 'GET', `${documents}/${at.document}/content`)).text, 'Sums');
  assert.deepEqual(refusal(await call(auditor, 'GET', `${folders}/${at.other}`)), [404, 'not_found']);
  for (const path of ['/api/v1/tasks/', '/api/v1/workflows/', '/api/v1/team/members', '/api/v1/groups/', '/api/v1/signatures/requests'])
    assert.ok([403, 404].includes((await call(auditor, 'GET', path)).status), path);
});

test('an auditor changes nothing, gets no task, no share and no group', async () => {
  const at = await office();
  const auditor = await seated(at);
  assert.equal((await call(auditor, 'PUT', `${documents}/${at.document}`, { description: 'New' })).status, 403);
  const task = await call(at.owner, 'POST', '/api/v1/tasks/', { title: 'T', assignedTo: auditor.id });
  assert.deepEqual(refusal(task), [422, 'assignee_not_found']);
  const share = await call(at.owner, 'POST', `${folders}/${at.other}/shares`, { userId: auditor.id, access: 'read' });
  assert.deepEqual(refusal(share), [404, 'member_not_found']);
  const group = (await made(at.owner, 'POST', '/api/v1/groups/', { name: 'Audit' })).id;
  assert.deepEqual(refusal(await call(at.owner, 'POST', `/api/v1/groups/${group}/members`, { userId: auditor.id })), [
    422,
    'guest_in_group',
  ]);
});

test('the journal is open about the resources of the seat, between the two times', async () => {
  const at = await office();
  const auditor = await seated(at);
  const entries = await listed(auditor);
  assert.deepEqual([...new Set(entries.map(({ target }) => target.id))].toSorted(), [at.folder, at.document].toSorted());
  assert.deepEqual(await listed(auditor, `?targetId=${at.other}`), []);
  assert.deepEqual(await listed(auditor, '?type=member.joined'), []);
  await made(at.owner, 'PATCH', `${auditors}/${auditor.id}`, { journalFrom: inDays(-9), journalTo: inDays(-5) });
  assert.deepEqual(await listed(auditor), []);
});

test('an auditor gets proofs of entries of the seat only', async () => {
  const at = await office();
  const auditor = await seated(at);
  const [own] = await listed(auditor, `?targetId=${at.folder}`);
  const [foreign] = await listed(at.owner, `?targetId=${at.other}`);
  await eventually('the entry is a leaf', async () => (await call(at.owner, 'GET', `${journal}/${own.id}/proof`)).status === 200);
  assert.equal((await call(auditor, 'GET', `${journal}/${own.id}/proof`)).status, 200);
  assert.deepEqual(refusal(await call(auditor, 'GET', `${journal}/${foreign.id}/proof`)), [404, 'not_found']);
});

test('an auditor exports only if the seat allows it, and only entries of the seat', async () => {
  const at = await office();
  const auditor = await seated(at);
  const exported = () => call(auditor, 'GET', `${journal}/export`);
  const archive = () => call(auditor, 'POST', `${documents}/download`, { documentIds: [at.document] });
  for (const answer of [await exported(), await archive()]) assert.deepEqual(refusal(answer), [403, 'forbidden']);
  await made(at.owner, 'PATCH', `${auditors}/${auditor.id}`, { mayExport: true });
  assert.equal((await archive()).status, 200);
  const targets = async () => {
    const lines = (await exported()).text.trim().split('\n').slice(1, -1);
    return new Set(lines.map((line) => JSON.parse(line).body.targetId));
  };
  await eventually('the entries are leaves', async () => (await targets()).size === 2);
  assert.deepEqual([...(await targets())].toSorted(), [at.folder, at.document].toSorted());
});

test('each request of an auditor is in the journal, also one that finds nothing', async () => {
  const at = await office();
  const auditor = await seated(at);
  await call(auditor, 'GET', `${documents}/${at.document}`);
  await call(auditor, 'GET', `${folders}/${at.other}`);
  await call(auditor, 'GET', '/api/v1/security/auth/profile');
  assert.deepEqual(await readsOf(auditor), [
    { operation: `GET ${documents}/:id`, via: 'audit', resourceId: at.document },
    { operation: `GET ${folders}/:id`, via: 'audit', resourceId: at.other },
  ]);
  await call(auditor, 'GET', `${documents}/${at.document}/content`);
  const [read] = await listed(at.owner, `?actorId=${auditor.id}&type=document.content_read`);
  assert.equal(read.data.via, 'audit');
});

test('a barrier hides a resource from an auditor until it names them', async () => {
  const at = await office();
  const auditor = await seated(at);
  await made(at.owner, 'PUT', `${folders}/${at.folder}/barrier`, { userIds: [] });
  assert.equal((await call(auditor, 'GET', `${documents}/${at.document}`)).status, 404);
  assert.deepEqual(await listed(auditor), []);
  await made(at.owner, 'PUT', `${folders}/${at.folder}/barrier`, { userIds: [auditor.id] });
  assert.equal((await call(auditor, 'GET', `${documents}/${at.document}`)).status, 200);
  assert.ok((await listed(auditor)).length > 0);
});

test('what left the seat is 404, with its entries (13.47)', async () => {
  const at = await office();
  const auditor = await seated(at);
  assert.equal((await call(auditor, 'GET', `${documents}/${at.document}`)).status, 200);
  await made(at.owner, 'PATCH', `${documents}/${at.document}/move`, { folderId: at.other });
  assert.deepEqual(refusal(await call(auditor, 'GET', `${documents}/${at.document}`)), [404, 'not_found']);
  assert.deepEqual(await listed(auditor, `?targetId=${at.document}`), []);
  await made(at.owner, 'PATCH', `${auditors}/${auditor.id}`, { things: [{ type: 'document', id: at.document }] });
  assert.equal((await call(auditor, 'GET', `${documents}/${at.document}`)).status, 200);
  assert.equal((await call(auditor, 'GET', `${folders}/${at.folder}`)).status, 404);
});

test('an export stops when the seat ends (13.48)', async () => {
  const at = await office();
  const auditor = await seated(at, { mayExport: true });
  // More than two pages of the export, and a reader that waits.
  await chancery.pool.query(
    `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, data)
     SELECT $1, gen_random_uuid(), 'folder.updated', 'user', $2, 'folder', $3, now(), jsonb_build_object('name', repeat('x', 4000)) FROM generate_series(1, 1500)`,
    [at.team.id, at.owner.id, at.folder],
  );
  await eventually('the entries are leaves', async () => {
    const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM audit_entry WHERE team_id = $1 AND seq IS NULL', [
      at.team.id,
    ]);
    return rows[0].n === 0;
  });
  await eventually('the checkpoint has them', async () => {
    const { rows } = await chancery.pool.query('SELECT max(seq)::int AS last FROM audit_entry WHERE team_id = $1', [at.team.id]);
    return (await made(at.owner, 'GET', `${journal}/checkpoint`)).size > rows[0].last;
  });
  const answer = await fetch(`${chancery.url}${journal}/export`, { headers: { authorization: `Bearer ${auditor.token}` } });
  assert.equal(answer.status, 200);
  const reader = (answer.body ?? assert.fail()).getReader();
  await reader.read();
  await chancery.pool.query("UPDATE account SET ends_at = clock_timestamp() - interval '1 second' WHERE id = $1", [auditor.id]);
  let text = '';
  await assert.rejects(async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += Buffer.from(part.value).toString();
  });
  assert.ok(!text.includes('"end":true'), 'the file is incomplete, and shows it');
});

test('the seat ends with its time, and by the owner', async () => {
  const at = await office();
  const [late, removed] = [await seated(at), await seated(at)];
  await chancery.pool.query("UPDATE account SET ends_at = clock_timestamp() - interval '1 second' WHERE id = $1", [late.id]);
  await chancery.pool.query("SELECT pg_notify('revoked', id::text) FROM session WHERE account_id = $1", [late.id]);
  await eventually('the session has ended', async () => (await call(late, 'GET', `${folders}/`)).status === 401);
  await made(at.owner, 'DELETE', `${auditors}/${removed.id}`);
  assert.equal((await call(removed, 'GET', `${folders}/`)).status, 401);
  const { rows } = await chancery.pool.query('SELECT id FROM access_grant WHERE user_id = $1', [removed.id]);
  assert.deepEqual(rows, []);
  assert.deepEqual(refusal(await call(at.owner, 'GET', `${auditors}/${removed.id}`)), [404, 'not_found']);
});

test('a seat needs an end within 400 days, a period and resources that the owner can give', async () => {
  const at = await office();
  const invite = (members: Record<string, unknown>, by: User = at.owner) => call(by, 'POST', auditors, seatOf(at, members));
  assert.deepEqual(refusal(await invite({ endsAt: undefined })), [422, 'end_required']);
  assert.deepEqual(refusal(await invite({ endsAt: inDays(-1) })), [422, 'end_required']);
  assert.deepEqual(refusal(await invite({ endsAt: inDays(401) })), [422, 'end_too_far']);
  assert.deepEqual(refusal(await invite({ journalTo: inDays(-3) })), [400, 'validation_failed']);
  assert.deepEqual(refusal(await invite({ things: [{ type: 'folder', id: randomUUIDv7() }] })), [422, 'access_not_shareable']);
  const admin = await chancery.user(at.team, { role: 'admin' });
  assert.deepEqual(refusal(await invite({}, admin)), [403, 'forbidden']);
});

test('only the owner changes a seat, and its role stays', async () => {
  const at = await office();
  const auditor = await seated(at);
  const admin = await chancery.user(at.team, { role: 'admin' });
  assert.deepEqual(refusal(await call(admin, 'PATCH', `${auditors}/${auditor.id}`, { mayExport: true })), [403, 'forbidden']);
  assert.equal((await made(admin, 'GET', auditors))[0].userId, auditor.id);
  const role = await call(at.owner, 'PATCH', `/api/v1/team/members/${auditor.id}`, { role: 'member' });
  assert.deepEqual(refusal(role), [409, 'auditor_seat']);
  const changed = await made(at.owner, 'PATCH', `${auditors}/${auditor.id}`, { endsAt: inDays(100) });
  assert.ok(Date.parse(changed.endsAt) > Date.now() + 99 * dayMs);
});
