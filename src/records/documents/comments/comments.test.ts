import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { pdfDocument } from '../../../../test/signatures.ts';

const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
type Asker = { token: string };

let chancery: Chancery;
let team: TestTeam;
let author: User;
let reader: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  author = await chancery.user(team);
  reader = await chancery.user(team);
});

const call = (by: Asker, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, path, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
const made = async (by: Asker, method: string, path: string, body?: unknown) => {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.code];
const commentsOn = (id: string) => `${documents}/${id}/comments`;
const comment = (by: Asker, id: string, members: object = {}) => made(by, 'POST', commentsOn(id), { text: 'Clause 4 is wide', ...members });
const texts = async (by: Asker, id: string) => (await made(by, 'GET', commentsOn(id))).map(({ text }: any) => text);

/** A document of the author that the reader may read. */
async function sharedDocument(): Promise<{ id: string }> {
  const { id } = await pdfDocument(chancery, author);
  await made(author, 'POST', `${documents}/${id}/access`, { userId: reader.id, access: 'read' });
  return { id };
}

test('readers comment on a document and its versions, and all readers list the comments, oldest first and page by page', async () => {
  const { id } = await sharedDocument();
  const answer = await call(reader, 'POST', commentsOn(id), { text: 'On the whole' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [201, commentsOn(id)]);
  assert.deepEqual(
    [answer.body.documentId, answer.body.createdBy, answer.body.createdByType, 'version' in answer.body],
    [id, reader.id, 'user', false],
  );
  const second = await comment(author, id, { text: 'On version 1', version: 1 });
  const listed = await call(author, 'GET', `${commentsOn(id)}?limit=1`, undefined, { prefer: 'count=exact' });
  assert.deepEqual([listed.body, listed.headers.get('x-total-count')], [[answer.body], '2']);
  const next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(listed.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual((await call(author, 'GET', next)).body, [second]);
  assert.equal(second.version, 1);
});

test('a comment names an existing version of its document', async () => {
  const { id } = await sharedDocument();
  assert.deepEqual(refusal(await call(author, 'POST', commentsOn(id), { text: 'No', version: 2 })), [404, 'not_found']);
  for (const body of [{ text: ' ' }, { text: 'a'.repeat(4_001) }, { text: 'No', version: 0 }, {}])
    assert.deepEqual(refusal(await call(author, 'POST', commentsOn(id), body)), [400, 'validation_failed'], JSON.stringify(body));
});

test('users without access neither list comments nor write them, and a viewer lists them only', async () => {
  const { id } = await sharedDocument();
  await comment(author, id);
  const stranger = await chancery.user(team);
  for (const [method, body] of [['GET'], ['POST', { text: 'Hidden' }]] as const)
    assert.deepEqual(refusal(await call(stranger, method, commentsOn(id), body)), [404, 'not_found']);
  const viewer = await chancery.user(team, { role: 'viewer' });
  await made(author, 'POST', `${documents}/${id}/access`, { userId: viewer.id, access: 'read' });
  assert.equal((await call(viewer, 'POST', commentsOn(id), { text: 'No' })).status, 403);
  assert.deepEqual(await texts(viewer, id), ['Clause 4 is wide']);
});

test('the assignee of a task about a document comments on it', async () => {
  const { id } = await pdfDocument(chancery, author);
  const assignee = await chancery.user(team);
  await made(author, 'POST', '/api/v1/tasks/', { title: 'Review', documentId: id, assignedTo: assignee.id });
  await comment(assignee, id, { text: 'Reviewed' });
  assert.deepEqual(await texts(author, id), ['Reviewed']);
});

test('an API client comments with the scope to write documents', async () => {
  const { id } = await sharedDocument();
  const [writes, reads] = [
    await chancery.client(team.owner, ['documents:write', 'documents:read']),
    await chancery.client(team.owner, ['documents:read']),
  ];
  const said = await comment(writes, id, { text: 'From a client' });
  assert.deepEqual([said.createdBy, said.createdByType], [writes.id, 'client']);
  assert.deepEqual(refusal(await call(reads, 'POST', commentsOn(id), { text: 'No' })), [403, 'insufficient_scope']);
  assert.equal((await call(writes, 'DELETE', `${commentsOn(id)}/${said.id}`)).status, 204);
});

test('only the author deletes a comment, once, and under its document', async () => {
  const { id } = await sharedDocument();
  const other = await sharedDocument();
  const said = await comment(reader, id);
  for (const by of [author, team.owner])
    assert.deepEqual(refusal(await call(by, 'DELETE', `${commentsOn(id)}/${said.id}`)), [403, 'forbidden']);
  assert.deepEqual(refusal(await call(reader, 'DELETE', `${commentsOn(other.id)}/${said.id}`)), [404, 'not_found']);
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(reader, 'DELETE', `${commentsOn(id)}/${said.id}`)));
  assert.equal(answers.filter(({ status }) => status === 204).length, 1);
  assert.ok(answers.every(({ status }) => status === 204 || status === 404));
  assert.deepEqual(await texts(author, id), []);
  const { events } = await made(team.owner, 'GET', `/api/v1/security/audit?targetId=${id}&type=document.comment_deleted`);
  assert.deepEqual(
    events.map(({ actor, data }: any) => [actor.id, data.commentId]),
    [[reader.id, said.id]],
  );
});

test('the journal and the event have the author and the comment, without the text', async () => {
  const { id } = await sharedDocument();
  const said = await comment(reader, id, { text: 'A secret remark', version: 1 });
  const journal = await call(team.owner, 'GET', `/api/v1/security/audit?targetId=${id}`);
  const entry = journal.body.events.find(({ type }: any) => type === 'document.commented');
  assert.deepEqual([entry.actor.id, entry.data.commentId, entry.data.version], [reader.id, said.id, 1]);
  assert.ok(!journal.text.includes('secret remark'));
});

test('a legal hold keeps the comments on a document', async () => {
  const { id } = await sharedDocument();
  const said = await comment(reader, id);
  await made(team.owner, 'POST', '/api/v1/smartdoc/holds', { documentId: id, reason: 'Discovery' });
  assert.deepEqual(refusal(await call(reader, 'DELETE', `${commentsOn(id)}/${said.id}`)), [409, 'legal_hold_active']);
  await comment(reader, id, { text: 'Still open' });
  assert.equal((await texts(author, id)).length, 2);
});

test('a closed matter has no new comments, and keeps those that it has', async () => {
  const matter = await made(team.owner, 'POST', '/api/v1/matters/', { name: 'Acme', number: `M-${Date.now()}` });
  const { id } = await pdfDocument(chancery, team.owner, { matterId: matter.id });
  const said = await comment(team.owner, id);
  await made(team.owner, 'POST', `/api/v1/matters/${matter.id}/close`, {});
  assert.deepEqual(refusal(await call(team.owner, 'POST', commentsOn(id), { text: 'Late' })), [409, 'matter_closed']);
  assert.deepEqual(refusal(await call(team.owner, 'DELETE', `${commentsOn(id)}/${said.id}`)), [409, 'matter_closed']);
});

test('a barrier hides comments from users outside of it', async () => {
  const folder = await made(author, 'POST', `${folders}/`, { name: 'Deal' });
  const { id } = await pdfDocument(chancery, author, { folderId: folder.id });
  await comment(author, id, { text: 'Inside' });
  await made(author, 'PUT', `${folders}/${folder.id}/barrier`, { userIds: [] });
  assert.deepEqual(refusal(await call(team.owner, 'GET', commentsOn(id))), [404, 'not_found']);
  assert.deepEqual(refusal(await call(team.owner, 'POST', commentsOn(id), { text: 'Outside' })), [404, 'not_found']);
  assert.deepEqual(await texts(author, id), ['Inside']);
});

test('comments end with their document', async () => {
  const { id } = await pdfDocument(chancery, author);
  await comment(author, id);
  await made(author, 'DELETE', `${documents}/${id}`);
  assert.deepEqual(refusal(await call(author, 'GET', commentsOn(id))), [404, 'not_found']);
  await made(author, 'POST', `${documents}/${id}/restore`);
  assert.equal((await texts(author, id)).length, 1);
  await chancery.pool.query('DELETE FROM document_version WHERE document_id = $1', [id]);
  await chancery.pool.query('DELETE FROM document WHERE id = $1', [id]);
  const { rowCount } = await chancery.pool.query('SELECT FROM document_comment WHERE document_id = $1', [id]);
  assert.equal(rowCount, 0);
});

test('50 comments at once are each stored, and a repeated key stores one', async () => {
  const { id } = await sharedDocument();
  const headers = { 'idempotency-key': `comment-${id}` };
  const answers = await Promise.all([
    ...Array.from({ length: 50 }, (_, n) => call(n % 2 === 0 ? author : reader, 'POST', commentsOn(id), { text: `Remark ${n}` })),
    ...Array.from({ length: 5 }, () => call(author, 'POST', commentsOn(id), { text: 'Once' }, headers)),
  ]);
  assert.ok(
    answers.every(({ status }) => status === 201 || status === 409),
    answers.map(({ status }) => status).join(),
  );
  const listed = await texts(author, id);
  assert.deepEqual([listed.length, listed.filter((text: string) => text === 'Once').length], [51, 1]);
});
