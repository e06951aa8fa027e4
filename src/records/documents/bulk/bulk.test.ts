import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { unzipped } from '../../../../test/unzip.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

const documents = '/api/v1/smartdoc/documents/';
const mebibyte = 1024 * 1024;

let chancery: Chancery;
let team: TestTeam;
let member: User;
before(async () => {
  // No other work opens files at the same time: background jobs read new files for the search and for previews.
  chancery = await startChancery({ role: 'api', inProcess: true });
  team = await chancery.team();
  member = await chancery.user(team);
});
after(() => chancery.stop());

async function upload(user: User, title: string, bytes: Buffer | string, folderId?: string): Promise<string> {
  const form = new FormData();
  form.set('title', title);
  if (folderId !== undefined) form.set('folderId', folderId);
  form.set('file', new Blob([new Uint8Array(Buffer.from(bytes))]), 'scan.pdf');
  const { status, body, text } = await chancery.call('POST', documents, { token: user.token, body: form });
  assert.equal(status, 201, text);
  return body.id;
}

/** Sends the request and returns the unread response. */
function begin(user: User, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${chancery.url}${documents}download`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      agent: false,
    });
    outgoing.once('response', resolve).once('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

async function download(user: User, body: object): Promise<Record<string, Buffer>> {
  const answer = await begin(user, body);
  const bytes = await buffer(answer);
  assert.equal(answer.statusCode, 200, bytes.toString());
  assert.equal(answer.headers['content-type'], 'application/zip');
  return unzipped(bytes);
}

const readings = async (id: string) =>
  (await chancery.pool.query("SELECT actor_id, data FROM audit_entry WHERE type = 'document.content_read' AND target_id = $1", [id])).rows;

test('a folder is archived with its accessible subfolders, each file with a unique name, each read recorded', async () => {
  const { owner } = team;
  const top = await chancery.folder(owner, { name: 'Matter' });
  const inner = await chancery.folder(owner, { name: 'Annexes', parentId: top.id });
  const barred = await chancery.folder(owner, { name: 'Settlement', parentId: top.id });
  const bytes = randomBytes(3 * mebibyte);
  const [first] = [
    await upload(owner, 'NDA', bytes, top.id),
    await upload(owner, 'nda', 'other', top.id),
    await upload(owner, 'CON', 'in', inner.id),
  ];
  const secret = await upload(owner, 'Secret', 'secret', barred.id);
  const binned = await upload(owner, 'Binned', 'binned', top.id);
  await chancery.call('DELETE', `${documents}${binned}`, { token: owner.token });
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${barred.id}/barrier`, { token: owner.token, body: { userIds: [] } });
  await chancery.call('POST', `/api/v1/smartdoc/folders/${top.id}/shares`, {
    token: owner.token,
    body: { userId: member.id, access: 'read' },
  });

  const files = await download(member, { folderId: top.id });
  assert.deepEqual(Object.keys(files).toSorted(), ['Annexes/_CON.pdf', 'NDA.pdf', 'nda (2).pdf']);
  assert.ok(files['NDA.pdf']?.equals(bytes));
  assert.deepEqual(await readings(first), [{ actor_id: member.id, data: { version: 1, via: 'share' } }]);
  assert.deepEqual(await readings(secret), []);
  assert.deepEqual(Object.keys(await download(owner, { folderId: top.id })).length, 4);

  // Documents that the caller may not read are reported like missing ones.
  const own = await chancery.document(member, { title: 'No file' });
  const named = await download(member, { documentIds: [first, secret, own.id] });
  assert.deepEqual(Object.keys(named).toSorted(), ['NDA.pdf', 'errors.txt']);
  const said = named['errors.txt']?.toString() ?? '';
  assert.match(said, new RegExp(`^${secret}: not found, or you may not read it`, 'm'));
  assert.match(said, /^No file: The document has no file yet/m);
  assert.doesNotMatch(said, /Secret/);
  const nothing = await chancery.call('POST', `${documents}download`, { token: member.token, body: { documentIds: [secret] } });
  assert.deepEqual([nothing.status, nothing.body.code], [404, 'not_found']);
  const outside = await chancery.user(team, { role: 'admin' });
  const refused = await chancery.call('POST', `${documents}download`, { token: outside.token, body: { folderId: barred.id } });
  assert.equal(refused.status, 404);
  for (const body of [{}, { documentIds: [first], folderId: top.id }, { documentIds: [] }])
    assert.equal((await chancery.call('POST', `${documents}download`, { token: member.token, body, unchecked: true })).status, 400);
});

test('a slow reader holds no transaction, and reads nothing after access or session have ended', async () => {
  const { owner } = team;
  const reader = await chancery.user(team);
  const ids = [
    await upload(owner, 'Large', randomBytes(24 * mebibyte)),
    await upload(owner, 'Closed', 'closed'),
    await upload(owner, 'Open', 'open'),
  ];
  for (const id of ids)
    await chancery.call('POST', `${documents}${id}/access`, { token: owner.token, body: { userId: reader.id, access: 'read' } });
  const slow = await begin(reader, { documentIds: ids });
  const again = await begin(reader, { documentIds: ids });
  assert.deepEqual([slow.statusCode, again.statusCode], [200, 200]);
  await eventually('the large files are being sent', async () => (await readings(ids[0] ?? '')).length === 2);
  const idle = await chancery.pool.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'",
  );
  assert.equal(idle.rows[0].n, 0);
  const { body: access } = await chancery.call('GET', `${documents}${ids[1]}/access`, { token: owner.token });
  const grant = access.grants.find((one: { userId: string }) => one.userId === reader.id);
  assert.equal((await chancery.call('DELETE', `${documents}${ids[1]}/access/${grant.id}`, { token: owner.token })).status, 200);
  const files = await unzipped(await buffer(slow));
  assert.deepEqual(Object.keys(files), ['Large.pdf', 'Open.pdf', 'errors.txt']);
  assert.match(files['errors.txt']?.toString() ?? '', /^Closed\.pdf: There is no document with this identifier/m);
  await chancery.pool.query('UPDATE sign_in SET revoked_at = now() WHERE id = $1', [reader.sessionId]);
  await assert.rejects(buffer(again));
  assert.equal((await readings(ids[2] ?? '')).length, 1);
});

test('a team reads three archives at once, and an aborted archive frees its slot and its file', async () => {
  const { owner } = await chancery.team();
  const id = await upload(owner, 'Large', randomBytes(24 * mebibyte));
  const open = async () => {
    const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return links.filter((link) => link.startsWith(chancery.config.DATA_DIR)).length;
  };
  const under = await open();
  const three = await Promise.all(Array.from({ length: 3 }, () => begin(owner, { documentIds: [id] })));
  const fourth = await chancery.call('POST', `${documents}download`, { token: owner.token, body: { documentIds: [id] } });
  assert.deepEqual([fourth.status, fourth.body.code, fourth.headers.get('retry-after')], [429, 'downloads_in_progress', '10']);
  assert.equal((await open()) - under, 3);
  for (const answer of three) answer.destroy();
  await eventually('their files are closed', async () => (await open()) === under);
  await eventually('there are places again', async () => {
    const answer = await begin(owner, { documentIds: [id] });
    answer.destroy();
    return answer.statusCode === 200;
  });
});

test('a too large archive is rejected before anything is sent', async () => {
  const { owner } = await chancery.team();
  const folder = await chancery.folder(owner);
  const refused = async () => {
    const { status, body } = await chancery.call('POST', `${documents}download`, { token: owner.token, body: { folderId: folder.id } });
    assert.deepEqual([status, body.code], [422, 'download_too_large']);
  };
  const id = await upload(owner, 'Huge', 'huge', folder.id);
  await chancery.pool.query('UPDATE document_version SET size = 6000000000 WHERE document_id = $1', [id]);
  await refused();
  await chancery.pool.query('UPDATE document_version SET size = 4 WHERE document_id = $1', [id]);
  assert.deepEqual(Object.keys(await download(owner, { folderId: folder.id })), ['Huge.pdf']);
  const ids = Array.from({ length: 1_000 }, () => randomUUIDv7());
  await chancery.pool.query(
    `INSERT INTO document (team_id, id, folder_id, user_id, created_by, created_by_type, barrier_id, title, created_at, updated_at)
     SELECT team_id, n.id, folder_id, user_id, created_by, created_by_type, barrier_id, 'One of many', now(), now() FROM document d, unnest($2::uuid[]) AS n(id) WHERE d.id = $1`,
    [id, ids],
  );
  await refused();
});
