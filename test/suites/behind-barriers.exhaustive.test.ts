import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam, type User } from '../harness.ts';
import { runTimers } from '../timers.ts';
import { publishForm } from '../published-forms.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';
import { announceDates } from '../../src/records/documents/dates/index.ts';
import { keepRules } from '../../src/records/documents/retention/index.ts';
import { listeners } from '../../src/listeners.ts';
import { actCatalogue } from '../../src/platform/journal/audit-actions.ts';
import { isolationOf } from '../isolation.ts';
import { callTool } from '../mcp.ts';
import { updateConnectedApp } from '../connected-apps.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
const tasks = '/api/v1/tasks';
const workflows = '/api/v1/workflows';
const audit = '/api/v1/security/audit';
const webhooks = '/api/v1/webhooks';

/** A word that occurs in all texts behind the barrier, and nowhere else. */
const word = 'Nightingale';

let chancery: Chancery;
let receiver: Receiver;
let team: TestTeam;
let partner: User;
let inside: User;
/** A member of the barrier who stays in the team. */
let keeper: User;
let outside: User;
let admin: User;
/** Another administrator, without tasks and without emergency access. */
let bystander: User;

before(async () => {
  receiver = await startReceiver();
  chancery = await startChancery({ settings: { WEBHOOKS_ALLOW_PRIVATE: 'true', BARRIER_JOB_DOCUMENTS: '0' } });
  team = await chancery.team();
  keeper = await chancery.user(team);
  [partner, inside, outside] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
  bystander = await chancery.user(team, { role: 'admin' });
});
after(async () => {
  await chancery.stop();
  await receiver.close();
});

async function done(by: { token: string }, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, `${method} ${path} returned ${answer.status}: ${answer.text}`);
  return answer.body ?? answer.text;
}

const file = (title?: string) => {
  const form = new FormData();
  if (title !== undefined) form.set('title', title);
  form.set('file', new Blob(['Barred'], { type: 'text/plain' }), `${word}.txt`);
  return form;
};

/** Performs each action on folders and documents behind the barrier. */
async function content(top: { id: string }): Promise<{ id: string; below: { id: string } }> {
  const folder = (name: string, parentId: string) => done(partner, 'POST', `${folders}/`, { name, parentId, description: word });
  const below = await folder(word, top.id);
  const other = await folder(`${word} too`, top.id);
  await done(inside, 'PUT', `${folders}/${below.id}`, { name: `${word} & Co`, description: `About ${word}`, color: '#ff0000' });
  await done(partner, 'PUT', `${folders}/${other.id}`, { name: `${word} again`, parentId: below.id });
  await done(partner, 'PATCH', `${folders}/${other.id}/move`, { parentId: top.id });
  await done(partner, 'DELETE', `${folders}/${other.id}`);
  await done(partner, 'POST', `${folders}/${other.id}/restore`);
  const share = await done(partner, 'POST', `${folders}/${below.id}/shares`, { userId: outside.id, access: 'write' });
  await done(partner, 'DELETE', `${folders}/${below.id}/shares/${share.id}`);
  await done(partner, 'PUT', `${folders}/${other.id}/barrier`, { userIds: [inside.id] });
  await done(partner, 'DELETE', `${folders}/${other.id}/barrier`);
  const accessRequest = await done(admin, 'POST', `/api/v1/barriers/${top.id}/emergency-access`, { reason: 'An erasure request' });
  await done(team.owner, 'POST', `/api/v1/barriers/${top.id}/emergency-access/${accessRequest.id}/approve`);
  // The document is created outside of the barrier, so its name does not contain the word yet.
  const brought = await chancery.document(partner, { title: 'Plain' });
  await done(partner, 'PATCH', `${documents}/${brought.id}/move`, { folderId: below.id });
  await done(partner, 'PUT', `${documents}/${brought.id}`, { title: word, description: word, metadata: { [word]: word } });
  const form = file(word);
  form.set('folderId', below.id);
  const { id } = await done(inside, 'POST', `${documents}/`, form);
  await done(inside, 'PUT', `${documents}/${id}`, { title: `The ${word}`, status: 'archived' });
  await done(inside, 'PUT', `${documents}/${id}`, { status: 'draft' });
  await done(inside, 'POST', `${documents}/${id}/versions`, file());
  const { id: commentId } = await done(inside, 'POST', `${documents}/${id}/comments`, { text: word, version: 1 });
  await done(inside, 'DELETE', `${documents}/${id}/comments/${commentId}`);
  await done(admin, 'GET', `${documents}/${id}/content`);
  await done(admin, 'GET', `${documents}/search?q=${word}`);
  const grant = await done(partner, 'POST', `${documents}/${id}/access`, { userId: outside.id, access: 'read' });
  await done(partner, 'DELETE', `${documents}/${id}/access/${grant.id}`);
  await done(partner, 'PATCH', `${documents}/${id}/move`, { folderId: top.id });
  await done(partner, 'DELETE', `${documents}/${id}`);
  await done(partner, 'POST', `${documents}/${id}/restore`);
  await barrierByJob(top.id);
  await nearDates(id);
  await keptRoom();
  for (const on of [{ documentId: id }, { folderId: below.id }]) {
    const hold = await done(admin, 'POST', '/api/v1/smartdoc/holds/', { ...on, reason: `Litigation about ${word}` });
    await done(admin, 'POST', `/api/v1/smartdoc/holds/${hold.id}/lift`, { reason: `${word} is settled` });
  }
  return { id, below };
}

/** A job sets a barrier on a folder with a document, and removes it. */
async function barrierByJob(parentId: string): Promise<void> {
  const { id: folderId } = await done(partner, 'POST', `${folders}/`, { name: `${word} annex`, parentId });
  await done(partner, 'POST', `${documents}/`, { title: word, folderId });
  for (const [times, method] of [
    [1, 'PUT'],
    [2, 'DELETE'],
  ] as const) {
    await done(partner, method, `${folders}/${folderId}/barrier`, method === 'PUT' ? { userIds: [inside.id] } : undefined);
    await eventually('the job is completed', async () => {
      const { rowCount } = await chancery.pool.query("SELECT FROM audit_entry WHERE type = 'folder.barrier_change_completed'");
      return rowCount === times;
    });
  }
}

/** A key date of a document approaches, but starts no workflow, because the template is deleted. */
async function nearDates(id: string): Promise<void> {
  const template = { name: 'talks', description: 'Talks', steps: [{ id: 'a', type: 'task', assignedTo: inside.id }] };
  await done(partner, 'POST', `${workflows}/templates`, template);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await done(inside, 'PUT', `${documents}/${id}/dates`, { expiresAt, startsTemplate: 'talks' });
  await done(partner, 'DELETE', `${workflows}/templates/talks`);
  await announceDates({ database: chancery.database, listeners, isolation: isolationOf(chancery) }, new Date());
  await eventually('the start failed', async () => {
    const { rowCount } = await chancery.pool.query("SELECT FROM audit_entry WHERE type = 'workflow.date_start_failed'");
    return rowCount === 1;
  });
}

/** A retention rule of another folder, which requests a review of a document and then deletes it. */
async function keptRoom(): Promise<void> {
  const room = await done(partner, 'POST', `${folders}/`, { name: 'Plain room' });
  await done(partner, 'PUT', `${folders}/${room.id}/barrier`, { userIds: [admin.id] });
  await done(partner, 'PUT', `${folders}/${room.id}`, { name: `${word} room` });
  const form = file(word);
  form.set('folderId', room.id);
  const { id } = await done(partner, 'POST', `${documents}/`, form);
  await chancery.pool.query("UPDATE document SET created_at = now() - interval '9 days' WHERE id = $1", [id]);
  const rule = `${folders}/${room.id}/retention`;
  for (const action of ['review', 'delete']) {
    await done(partner, 'PUT', rule, { action, after: 'P1W', from: 'created' });
    await chancery.pool.query('UPDATE retention_rule SET effective_from = created_at WHERE folder_id = $1', [room.id]);
    await keepRules({ database: chancery.database, listeners, isolation: isolationOf(chancery) }, new Date());
  }
  await done(admin, 'POST', `${rule}/confirm`);
  await done(partner, 'DELETE', rule);
}

/** Tasks about a document behind the barrier. */
async function work(documentId: string): Promise<void> {
  const give = (members: object) =>
    done(partner, 'POST', `${tasks}/`, { title: `Sign ${word}`, description: word, documentId, ...members });
  const passed = await give({ assignedTo: inside.id, dueDate: '2026-01-01T00:00:00Z' });
  await done(inside, 'POST', `${tasks}/${passed.id}/comments`, { text: word });
  await done(inside, 'POST', `${tasks}/${passed.id}/reassign`, { userId: partner.id, reason: `${word} is on leave` });
  await runTimers(chancery, new Date());
  await done(partner, 'POST', `${tasks}/${passed.id}/complete`, { comment: word });
  // A group with members on both sides of the barrier.
  const { id: groupId } = await done(team.owner, 'POST', '/api/v1/groups/', { name: 'Desk' });
  for (const { id: userId } of [inside, outside, admin]) await done(team.owner, 'POST', `/api/v1/groups/${groupId}/members`, { userId });
  const shared = await give({ groupId });
  for (const step of ['claim', 'release', 'claim', 'complete']) await done(inside, 'POST', `${tasks}/${shared.id}/${step}`);
  // A connected app of a barrier member has the read access of this member, and needs the member’s approval for a change.
  const appId = await updateConnectedApp(chancery, inside);
  const call = () => callTool(chancery, appId.access, 'create_task', { title: word, description: word, documentId });
  const { taskId } = (await call()).value;
  assert.ok((await done(inside, 'GET', `${tasks}/${taskId}`)).description.includes(word));
  assert.ok(!JSON.stringify(await done(admin, 'GET', `${tasks}/${taskId}`)).includes(word));
  await done(inside, 'POST', `${tasks}/${taskId}/complete`, { outcome: 'approved' });
  assert.equal((await call()).value.title, word);
}

/** Workflows about a document behind the barrier. */
async function flow(documentId: string, folderId: string): Promise<void> {
  const step = (id: string, type: string, more: object) => ({ id, type, name: `${word} ${id}`, description: word, ...more });
  const make = (steps: object[], more: object = {}) =>
    done(partner, 'POST', `${workflows}/`, { name: `Sale of ${word}`, documentId, steps, ...more });
  const notifyStep = step('tell', 'notification', { assignedTo: inside.id });
  const one = await make([step('plain', 'task', { assignedTo: inside.id })], { dueDate: '2026-01-01T00:00:00Z' });
  const steps = [notifyStep, step('judge', 'review', { assignedTo: inside.id, dependsOn: ['tell'] })];
  await done(partner, 'PUT', `${workflows}/${one.id}`, { name: `${word} is sold`, steps });
  await done(partner, 'POST', `${workflows}/${one.id}/start`);
  await runTimers(chancery, new Date());
  await done(partner, 'POST', `${workflows}/${one.id}/pause`, { reason: word });
  await done(partner, 'POST', `${workflows}/${one.id}/resume`);
  await done(partner, 'POST', `${workflows}/${one.id}/comments`, { text: word, stepId: 'judge' });
  await done(partner, 'POST', `${documents}/${documentId}/versions`, file());
  const read = await done(partner, 'GET', `${workflows}/${one.id}`);
  const open = read.steps.find(({ id }: { id: string }) => id === 'judge').taskIds.at(-1);
  await done(inside, 'POST', `${tasks}/${open}/complete`, { outcome: 'rejected', comment: word });
  await done(partner, 'DELETE', `${workflows}/${one.id}`);
  const two = await make([step('plain', 'task', { assignedTo: inside.id })]);
  await done(partner, 'POST', `${workflows}/${two.id}/start`);
  await done(partner, 'POST', `${workflows}/${two.id}/cancel`, { reason: word });
  // People also write the outcomes of a step.
  const choice = await make([step('choose', 'task', { assignedTo: inside.id, config: { outcomes: [`Keep ${word}`, `Sell ${word}`] } })]);
  const chosen = await done(partner, 'POST', `${workflows}/${choice.id}/start`);
  await done(inside, 'POST', `${tasks}/${chosen.steps[0].taskIds[0]}/complete`, { outcome: `Sell ${word}` });
  const offered = await make([step('choose', 'task', { assignedTo: inside.id, config: { outcomes: [`Keep ${word}`, `Sell ${word}`] } })]);
  await done(partner, 'POST', `${workflows}/${offered.id}/start`);
  await done(partner, 'POST', `${workflows}/${offered.id}/comments`, { text: word });
  const three = await make([notifyStep]);
  await done(partner, 'POST', `${workflows}/${three.id}/start`);
  // The document has no file when the review starts. The reviewer then decides about its first version.
  const empty = await done(partner, 'POST', `${documents}/`, { title: word, folderId });
  const first = await make([step('judge', 'review', { assignedTo: inside.id })], { documentId: empty.id });
  await done(partner, 'POST', `${workflows}/${first.id}/start`);
  await done(partner, 'POST', `${documents}/${empty.id}/versions`, file());
  await done(partner, 'POST', `${workflows}/${first.id}/cancel`, { reason: word });
  // An approval by all assignees. No member can take over the decision of an assignee who leaves.
  const approvers = [inside, partner].map(({ id }) => id);
  const four = await make([step('decide', 'approval', { assignees: approvers })]);
  await done(partner, 'POST', `${workflows}/${four.id}/start`);
  await fillIn(documentId, make, step('fill', 'form', {}));
  await callbackAndOverdue(documentId, step);
}

/** A callback that an external system never sends, and tasks that stay overdue. */
async function callbackAndOverdue(documentId: string, step: (id: string, type: string, more: object) => object): Promise<void> {
  await done(team.owner, 'PATCH', `/api/v1/team/members/${inside.id}`, { role: 'admin' });
  const { id: endpointId } = await done(admin, 'POST', `${webhooks}/`, {
    name: 'Asked',
    url: `${receiver.url}/asked`,
    events: ['webhook.test'],
  });
  const steps = [
    step('ask', 'webhook', { dependsOn: [], config: { endpointId, waitForAnswer: true, timeoutHours: 1 } }),
    ...[false, true].map((reassign, n) =>
      step(`late${n}`, 'task', {
        dependsOn: [],
        assignedTo: partner.id,
        dueInDays: 0,
        config: { escalate: [{ afterDays: 1, to: inside.id, reassign }] },
      }),
    ),
  ];
  const { id } = await done(inside, 'POST', `${workflows}/`, { name: word, documentId, steps });
  await done(inside, 'POST', `${workflows}/${id}/start`);
  await runTimers(chancery, new Date(Date.now() + 2 * 86_400_000));
  const open = await done(inside, 'GET', `${tasks}?workflowId=${id}`);
  const late = [0, 1].map((n) => open.find(({ stepId }: any) => stepId === `late${n}`).assignedTo);
  assert.deepEqual(late, [partner.id, inside.id]);
  await done(inside, 'POST', `${workflows}/${id}/cancel`, {});
  await done(team.owner, 'PATCH', `/api/v1/team/members/${inside.id}`, { role: 'member' });
}

/** A form for a document behind the barrier, and the first file of another document. */
async function fillIn(documentId: string, make: (steps: object[], more?: object) => Promise<{ id: string }>, step: object): Promise<void> {
  const form = await publishForm(chancery, partner, { title: 'Facts', fields: [{ id: 'a', type: 'text', label: 'A' }] });
  const { id } = await make([{ ...step, assignedTo: inside.id, config: { interfaceId: form.id } }]);
  const { steps } = await done(partner, 'POST', `${workflows}/${id}/start`);
  await done(inside, 'POST', '/api/v1/interfaces/task-links', { taskId: steps[0].taskIds[0] });
  const { folderId } = await done(partner, 'GET', `${documents}/${documentId}`);
  const empty = await done(partner, 'POST', `${documents}/`, { title: word, folderId });
  const judged = await make([{ id: 'judge', type: 'review', name: word, assignedTo: inside.id }], { documentId: empty.id });
  await done(partner, 'POST', `${workflows}/${judged.id}/start`);
  await done(partner, 'POST', `${documents}/${empty.id}/versions`, file());
}

/** Returns all texts about the events that an excluded person can read, by kind. */
async function shown(endpoint: string): Promise<Record<string, string>> {
  const rows = async (sql: string) => JSON.stringify((await chancery.pool.query(sql)).rows);
  const pages: string[] = [];
  for (let path: string | undefined = `${audit}?limit=200`; path !== undefined;) {
    const page = await done(admin, 'GET', path);
    pages.push(JSON.stringify(page));
    path = page.nextCursor ? `${audit}?limit=200&cursor=${page.nextCursor}` : undefined;
  }
  const deliveries = await done(admin, 'GET', `${webhooks}/${endpoint}/deliveries`);
  // Sequentially, because a session has a limit of concurrent requests.
  const single: unknown[] = [];
  for (const { id } of deliveries) {
    single.push(await done(admin, 'GET', `${webhooks}/${endpoint}/deliveries/${id}`));
    single.push(await done(admin, 'GET', `${webhooks}/${endpoint}/deliveries/${id}/attempts`));
  }
  return {
    'the journal': pages.join(''),
    'the export': await done(admin, 'GET', `${audit}/export`),
    'the journal rows': await rows('SELECT * FROM audit_entry'),
    'the event rows': await rows("SELECT type, convert_from(body, 'UTF8') AS body FROM event"),
    'the received webhooks': JSON.stringify(receiver.received.map(({ event, headers }) => [event, headers])),
    'the delivery log': JSON.stringify(deliveries),
    'single deliveries': JSON.stringify(single),
    'mails to excluded people': await rows(
      `SELECT * FROM mail_message WHERE recipient NOT IN ('${inside.email}', '${partner.email}', '${keeper.email}')`,
    ),
    'the usage of the team': JSON.stringify(await done(admin, 'GET', '/api/v1/team/usage')),
  };
}

/** Returns all responses about tasks and workflows of the team that a caller can read, by path. */
async function visibleWork(by: { token: string }): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const read = async (path: string) => {
    const { body, text } = await chancery.call('GET', path, { token: by.token });
    texts[path] = text;
    return body ?? text;
  };
  const [given, flows] = [await read(`${tasks}?sort=-updatedAt`), await read(`${workflows}?sort=updatedAt`)];
  for (const list of ['active', 'overdue']) await read(`${workflows}/${list}`);
  for (const { id } of given) for (const path of ['', '/comments']) await read(`${tasks}/${id}${path}`);
  for (const { id } of flows) for (const path of ['', '/history', '/comments', '/diagram.svg']) await read(`${workflows}/${id}${path}`);
  return texts;
}

/** Asserts that excluded people and clients read no text of the work, and see no tasks and workflows about the document. */
async function workFromOutside(documentId: string): Promise<void> {
  const client = await chancery.client(team.owner, ['tasks:read', 'tasks:write', 'workflows:read', 'workflows:write']);
  assert.ok(Object.values(await visibleWork(inside)).some((text) => text.includes(word) && text.includes(documentId)));
  for (const by of [bystander, client]) {
    const found = Object.entries(await visibleWork(by)).filter(([, text]) => text.includes(word) || text.includes(documentId));
    assert.deepEqual(found, []);
  }
}

test('no text that people write behind a barrier reaches excluded people in the journal, webhooks or mails', async () => {
  const endpoint = await done(admin, 'POST', `${webhooks}/`, { name: 'All', url: `${receiver.url}/all`, events: ['*', 'audit.*'] });
  const top = await chancery.folder(partner, { name: 'The room' });
  for (const { id: userId } of [inside, outside]) await done(partner, 'POST', `${folders}/${top.id}/shares`, { userId, access: 'write' });
  await done(partner, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [inside.id, keeper.id] });
  await done(partner, 'PUT', `${folders}/${(await chancery.folder(partner)).id}/barrier`, { userIds: [] });
  const { id, below } = await content(top);
  await work(id);
  await flow(id, below.id);
  await workFromOutside(id);
  // Offboarding transfers the resources behind the barrier to a successor.
  await done(partner, 'POST', `${tasks}/`, { title: word, documentId: id, assignedTo: inside.id });
  await done(admin, 'DELETE', `/api/v1/team/members/${inside.id}?successorId=${outside.id}`);
  await done(admin, 'DELETE', `/api/v1/team/members/${partner.id}?successorId=${outside.id}`);
  const { rows } = await chancery.pool.query('SELECT DISTINCT type FROM audit_entry');
  const happened = new Set(rows.map(({ type }) => type));
  const there = ['folder', 'document', 'task', 'workflow'];
  const missed = [...actCatalogue.values()].filter(
    ({ type, target }) => there.includes(target ?? '') && !type.endsWith('.timer_failed') && !happened.has(type),
  );
  assert.deepEqual(
    missed.map(({ type }) => type),
    [],
    'the test causes each event that can happen behind a barrier',
  );
  const queued = async () => (await chancery.pool.query('SELECT FROM webhook_queue')).rowCount === 0;
  const sequenced = async () => (await chancery.pool.query('SELECT FROM audit_entry WHERE seq IS NULL')).rowCount === 0;
  await eventually('all entries are sequenced and all deliveries have arrived', async () => (await sequenced()) && (await queued()));
  assert.ok(receiver.received.length > 50);
  const leaks = Object.entries(await shown(endpoint.id)).flatMap(([where, text]) =>
    text.includes(word) ? [`${where}: …${text.slice(Math.max(0, text.indexOf(word) - 200), text.indexOf(word) + 60)}…`] : [],
  );
  assert.deepEqual(leaks, []);
});
