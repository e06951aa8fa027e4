import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { pdfDocument } from '../../../test/signatures.ts';

/* Workflows about several documents, each under a name. */

const path = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
const docs = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let creator: User;
let judge: User;
let outside: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  [creator, judge, outside] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
});

const { call, made, documentOf, newVersion, status: statusOf } = asking(() => chancery);

const file = async (): Promise<{ id: string }> => pdfDocument(chancery, creator);
type DocumentReference = { name: string; documentId: string };
const create = (documents: DocumentReference[], steps: object[], more: object = {}, by: Asker = creator) =>
  made(by, 'POST', `${path}/`, { name: 'Supplier', documents, steps, ...more });
const approval = (id: string, document?: string, more: object = {}) => ({
  id,
  type: 'approval',
  assignees: [judge.id],
  dependsOn: [],
  config: { ...(document === undefined ? {} : { document }), ...more },
});
const openTasks = (flow: string): Promise<any[]> => made(owner, 'GET', `${tasks}?workflowId=${flow}&status=open`);
const statusOfDocument = async (id: string): Promise<string> => (await made(owner, 'GET', `${docs}/${id}`)).status;
const version = (id: string) => newVersion(creator, id);

test('the documents have names in every response; `documentId` alone is the document `document`', async () => {
  const [nda, annex] = [await file(), await file()];
  const documents = [
    { name: 'nda', documentId: nda.id },
    { name: 'annex', documentId: annex.id },
  ];
  const flow = await create(documents, [approval('a')]);
  assert.deepEqual([flow.documentId, flow.documentLinked, flow.documents], [nda.id, true, documents]);
  assert.deepEqual((await made(creator, 'GET', `${path}/${flow.id}`)).documents, documents);
  for (const { documentId } of documents) {
    const [listed] = await made(creator, 'GET', `${path}/document/${documentId}`);
    assert.deepEqual([listed?.id, listed?.documents], [flow.id, documents]);
  }
  const one = await made(creator, 'POST', `${path}/`, { name: 'One', documentId: 'DMS-1', steps: [approval('a')] });
  assert.deepEqual(one.documents, [{ name: 'document', documentId: 'DMS-1' }]);
  await made(creator, 'POST', `${path}/templates`, { name: 'two-papers', description: 'x', steps: [approval('a', 'annex')] });
  const from = await made(creator, 'POST', `${path}/templates/two-papers`, { documents });
  assert.deepEqual(from.documents, documents);
});

test('documents that are missing, double or named wrongly are rejected with a pointer', async () => {
  const [one, two] = [await file(), await file()];
  const tried = async (body: object) => {
    const { status, body: problem } = await call(creator, 'POST', `${path}/`, { name: 'X', steps: [approval('a')], ...body });
    return [status, problem.code, ...(problem.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };
  const named = (...documents: [string, string][]) => ({ documents: documents.map(([name, documentId]) => ({ name, documentId })) });
  assert.deepEqual(await tried({}), [400, 'validation_failed', '/documentId']);
  assert.deepEqual(await tried({ documents: [] }), [400, 'validation_failed', '/documents']);
  assert.deepEqual(await tried(named(['a', one.id], ['a', two.id])), [422, 'workflow_documents_invalid', '/documents/1/name']);
  assert.deepEqual(await tried(named(['a', one.id], ['b', one.id.toUpperCase()])), [
    422,
    'workflow_documents_invalid',
    '/documents/1/documentId',
  ]);
  assert.deepEqual(await tried({ documentId: two.id, ...named(['a', one.id], ['b', two.id]) }), [
    422,
    'workflow_documents_invalid',
    '/documentId',
  ]);
  assert.deepEqual(await tried({ ...named(['nda', one.id]), steps: [approval('a', 'ndaa')] }), [
    422,
    'workflow_steps_invalid',
    '/steps/0/config/document',
  ]);
  const { body } = await call(creator, 'POST', `${path}/`, { name: 'X', ...named(['nda', one.id]), steps: [approval('a', 'ndaa')] });
  assert.match(body.detail, /did you mean `nda`\?/);
  assert.equal((await tried({ documentId: one.id, ...named(['nda', one.id]) }))[0], 201);
});

test('a step gives its assignee the document that it names, and no other', async () => {
  const [nda, annex] = [await file(), await file()];
  const steps = [{ id: 'look', type: 'review', assignees: [judge.id], config: { document: 'annex' } }];
  const flow = await create(
    [
      { name: 'nda', documentId: nda.id },
      { name: 'annex', documentId: annex.id },
    ],
    steps,
  );
  await made(creator, 'POST', `${path}/${flow.id}/start`);
  const [task] = await openTasks(flow.id);
  assert.equal(task.documentId, annex.id);
  assert.deepEqual([await statusOf(judge, 'GET', `${docs}/${annex.id}`), await statusOf(judge, 'GET', `${docs}/${nda.id}`)], [200, 404]);
  await made(judge, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'approved' });
  assert.equal(await statusOf(judge, 'GET', `${docs}/${annex.id}`), 404, 'the access ends with the task');
});

test('who creates a workflow must be able to share each document', async () => {
  const [nda, annex] = [await file(), await file()];
  const shared = await create(
    [
      { name: 'nda', documentId: nda.id },
      { name: 'annex', documentId: annex.id },
    ],
    [approval('a', 'annex')],
  );
  await made(creator, 'POST', `${path}/${shared.id}/start`);
  const body = { name: 'X', steps: [{ id: 'a', type: 'task' }] };
  const documents = [
    { name: 'own', documentId: 'DMS-1' },
    { name: 'annex', documentId: annex.id },
  ];
  const refused = await call(judge, 'POST', `${path}/`, { ...body, documents });
  assert.deepEqual([refused.status, refused.body.code], [403, 'document_access_denied']);
});

test('a new version restarts the decisions about that document only, and a step may block it', async () => {
  const [nda, annex] = [await file(), await file()];
  const documents = [
    { name: 'nda', documentId: nda.id },
    { name: 'annex', documentId: annex.id },
  ];
  const flow = await create(documents, [approval('one'), approval('two', 'annex')]);
  await made(creator, 'POST', `${path}/${flow.id}/start`);
  const earlier = await openTasks(flow.id);
  assert.equal((await version(annex.id)).status, 201);
  const after = await openTasks(flow.id);
  const ids = (list: any[], step: string) => list.flatMap(({ id, stepId }) => (stepId === step ? [id] : []));
  assert.deepEqual(ids(after, 'one'), ids(earlier, 'one'));
  assert.notDeepEqual(ids(after, 'two'), ids(earlier, 'two'));
  assert.equal(after.find(({ stepId }) => stepId === 'two').documentVersion, 2);

  const [third, fourth] = [await file(), await file()];
  const blocking = await create(
    [
      { name: 'nda', documentId: third.id },
      { name: 'annex', documentId: fourth.id },
    ],
    [approval('one', undefined, { onNewVersion: 'ignore' }), approval('two', 'annex', { onNewVersion: 'refuse' })],
  );
  await made(creator, 'POST', `${path}/${blocking.id}/start`);
  const refused = await version(fourth.id);
  assert.deepEqual([refused.status, refused.body.code], [409, 'document_under_decision']);
  assert.equal((await version(third.id)).status, 201);
});

test('each document is in review while the workflow runs, and approved if its own newest version was', async () => {
  const [nda, annex] = [await file(), await file()];
  const flow = await create(
    [
      { name: 'nda', documentId: nda.id },
      { name: 'annex', documentId: annex.id },
    ],
    [approval('a', 'annex')],
  );
  await made(creator, 'POST', `${path}/${flow.id}/start`);
  assert.deepEqual([await statusOfDocument(nda.id), await statusOfDocument(annex.id)], ['in_review', 'in_review']);
  const [task] = await openTasks(flow.id);
  await made(judge, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'approved' });
  assert.equal((await made(creator, 'GET', `${path}/${flow.id}`)).status, 'completed');
  assert.deepEqual([await statusOfDocument(nda.id), await statusOfDocument(annex.id)], ['draft', 'approved']);
});

test('the uploader of the document of a step decides on no step about it, and the barriers of all documents hide the workflow', async () => {
  const [open, barred] = [await documentOf(owner), await documentOf(owner)];
  for (const { folder } of [open, barred])
    await made(owner, 'POST', `${folders}/${folder}/shares`, { userId: creator.id, access: 'write' });
  const flow = await create(
    [
      { name: 'open', documentId: open.id },
      { name: 'barred', documentId: barred.id },
    ],
    [approval('a'), { id: 'b', type: 'task', assignees: [outside.id], dependsOn: [] }],
  );
  await made(creator, 'POST', `${path}/${flow.id}/start`);
  const [task] = await made(outside, 'GET', `${tasks}?workflowId=${flow.id}`);
  assert.equal(await statusOf(outside, 'GET', `${path}/${flow.id}`), 200);
  await made(owner, 'PUT', `${folders}/${barred.folder}/barrier`, { userIds: [creator.id, judge.id] });
  for (const hidden of [`${path}/${flow.id}`, `${path}/${flow.id}/diagram.svg`, `${tasks}/${task.id}`])
    assert.equal(await statusOf(outside, 'GET', hidden), 404, hidden);
  assert.deepEqual(await made(outside, 'GET', `${tasks}?workflowId=${flow.id}`), []);
  assert.equal(await statusOf(judge, 'GET', `${path}/${flow.id}`), 200);
  const refused = await call(creator, 'POST', `${path}/`, {
    name: 'X',
    steps: [{ id: 'a', type: 'task', assignees: [outside.id] }],
    documents: [
      { name: 'open', documentId: open.id },
      { name: 'barred', documentId: barred.id },
    ],
  });
  assert.deepEqual([refused.status, refused.body.code], [422, 'outside_barrier']);

  await made(creator, 'POST', `${path}/${flow.id}/cancel`, {});
  await made(creator, 'DELETE', `${path}/${flow.id}`);
  assert.equal(await statusOf(outside, 'GET', `${tasks}/${task.id}`), 404, 'the task stays behind the barrier');
});

test('the owner of a further document sees and cancels a workflow on it', async () => {
  const [nda, theirs] = [await file(), await chancery.document(outside)];
  await made(outside, 'POST', `${docs}/${theirs.id}/access`, { userId: creator.id, access: 'read' });
  const flow = await create(
    [
      { name: 'nda', documentId: nda.id },
      { name: 'annex', documentId: theirs.id },
    ],
    [approval('a')],
  );
  assert.equal(await statusOf(outside, 'GET', `${path}/${flow.id}`), 404, 'a draft');
  await made(creator, 'POST', `${path}/${flow.id}/start`);
  assert.equal(await statusOf(outside, 'GET', `${path}/${flow.id}`), 200);
  const { grants } = await made(creator, 'GET', `${path}/${flow.id}/access`);
  assert.deepEqual(
    grants.filter(({ userId }: { userId: string }) => userId === outside.id).map(({ reason }: { reason: string }) => reason),
    ['document'],
  );
  assert.equal(await statusOf(outside, 'POST', `${path}/${flow.id}/cancel`, {}), 200);
});

test('a legal hold on a further document keeps the workflow', async () => {
  const [nda, annex] = [await file(), await file()];
  const flow = await create(
    [
      { name: 'nda', documentId: nda.id },
      { name: 'annex', documentId: annex.id },
    ],
    [approval('a')],
  );
  await made(owner, 'POST', '/api/v1/smartdoc/holds/', { documentId: annex.id, reason: 'Dispute' });
  const refused = await call(creator, 'DELETE', `${path}/${flow.id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'legal_hold_active']);
});

test('the documents of a draft can be replaced, with the same rules', async () => {
  const [nda, annex] = [await file(), await file()];
  const flow = await create([{ name: 'nda', documentId: nda.id }], [approval('a', 'nda')]);
  const put = (body: object) => call(creator, 'PUT', `${path}/${flow.id}`, body);
  const documents = [
    { name: 'nda', documentId: annex.id },
    { name: 'old', documentId: nda.id },
  ];
  assert.deepEqual((await put({ documents })).body.documents, documents);
  const other = await put({ documents: [{ name: 'other', documentId: nda.id }] });
  assert.deepEqual([other.status, other.body.errors?.[0]?.pointer], [422, '/steps/0/config/document']);
  const one = await put({ documents: [{ name: 'nda', documentId: nda.id }] });
  assert.deepEqual([one.body.documentId, one.body.documents.length], [nda.id, 1]);
  assert.deepEqual((await put({ documentId: annex.id })).body.documents, [{ name: 'nda', documentId: annex.id }]);
  await made(creator, 'POST', `${path}/${flow.id}/start`);
  const late = await put({ documents });
  assert.deepEqual([late.status, late.body.code], [409, 'invalid_transition']);
});

test('the documents are in one matter', async () => {
  const matter = async () => (await made(owner, 'POST', '/api/v1/matters/', { name: 'Matter' })).id;
  const inMatter = async (id: string) => (await made(owner, 'POST', `${docs}/`, { title: 'Paper', folderId: id })).id;
  const [one, two] = [await matter(), await matter()];
  const [a, b, c] = [await inMatter(one), await inMatter(one), await inMatter(two)];
  const named = (...ids: string[]) => ids.map((documentId, at) => ({ name: `d${at}`, documentId }));
  const steps = [{ id: 'a', type: 'task' }];
  assert.equal((await create(named(a, b, (await chancery.document(owner)).id), steps, {}, owner)).matterId, one);
  const refused = await call(owner, 'POST', `${path}/`, { name: 'X', steps, documents: named(a, c) });
  assert.deepEqual([refused.status, refused.body.code], [422, 'matter_of_document']);
});

test('versions of both documents, decisions and a cancellation at once do not deadlock, and no decision about an old version stays', async () => {
  for (let round = 0; round < 12; round += 1) {
    const [nda, annex] = [await file(), await file()];
    const documents = [
      { name: 'nda', documentId: nda.id },
      { name: 'annex', documentId: annex.id },
    ];
    const flow = await create(documents, [approval('one'), approval('two', 'annex')]);
    await made(creator, 'POST', `${path}/${flow.id}/start`);
    const open = await openTasks(flow.id);
    const answers = await Promise.all([
      ...[nda, annex, nda, annex].map(({ id }) => version(id)),
      ...open.map(({ id }) => call(judge, 'POST', `${tasks}/${id}/complete`, { outcome: 'approved' })),
      ...(round % 3 === 0 ? [call(creator, 'POST', `${path}/${flow.id}/cancel`, {})] : []),
    ]);
    for (const { status, text } of answers) assert.ok(status < 300 || status === 409 || status === 404, text);
    const current = new Map<string, number>();
    for (const { documentId } of documents)
      current.set(documentId, (await made(owner, 'GET', `${docs}/${documentId}`)).currentVersion?.number ?? 0);
    for (const task of await openTasks(flow.id)) assert.equal(task.documentVersion, current.get(task.documentId), JSON.stringify(task));
  }
});
