import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { codesOf } from '../openapi.ts';
import { firstStaff, staffToken } from '../staff.ts';

let chancery: Chancery;
let owner: User;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ...firstStaff, STAFF_REQUIRE_TOTP: 'true', ALTCHA: 'on' } });
  ({ owner } = await chancery.team());
});
after(() => chancery.stop());

/** Sends a request as the owner, or with another token. */
const send = (method: string, path: string, body?: unknown, token = owner.token) =>
  chancery.call(method, path, { token, ...(body === undefined ? {} : { body }) });
async function made(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await send(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}
type Refusal = [string, () => ReturnType<typeof send>];
async function refused(cases: readonly Refusal[]): Promise<void> {
  for (const [expected, call] of cases) {
    const { status, body, text } = await call();
    assert.equal(`${status} ${body?.code}`, expected, text);
  }
}

test('staff without a second factor are denied by all operations on teams and users', async () => {
  const token = await staffToken(chancery);
  const described = Object.entries<any>(chancery.description.document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item)
      .filter(([, operation]) => codesOf(operation, 403).includes('totp_setup_required'))
      .map(([method, { requestBody }]): [string, string, unknown] => [
        method.toUpperCase(),
        path.replace('{teamId}', owner.team).replace('{id}', owner.id),
        requestBody?.content['application/json'].example,
      ]),
  );
  assert.equal(described.length, 15);
  await refused(described.map(([method, path, body]) => ['403 totp_setup_required', () => send(method, path, body, token)]));
});

test('a request for a password reset needs a valid proof of work', async () => {
  const ask = (more: object) => () =>
    chancery.call('POST', '/api/v1/security/auth/request-password-reset', { body: { email: owner.email, ...more } });
  await refused([
    ['400 altcha_required', ask({})],
    ['400 altcha_invalid', ask({ altcha: 'e30=' })],
  ]);
});

test('a template with invalid steps and a workflow with invalid assignees are rejected', async () => {
  const templates = '/api/v1/workflows/templates';
  const viewer = await chancery.user(owner.team, { role: 'viewer' });
  const [unknownUser, known] = [
    '019d2f4e-6a00-7c2b-9a54-0000000000ff',
    { name: 'known', description: 'Known', steps: [{ id: 'a', type: 'approval' }] },
  ];
  await made('POST', templates, known);
  const wrong = [{ id: 'a', type: 'approval', dependsOn: ['none'] }];
  await refused([
    ['422 workflow_steps_invalid', () => send('POST', templates, { ...known, name: 'other', steps: wrong })],
    ['422 workflow_steps_invalid', () => send('PUT', `${templates}/known`, { steps: wrong })],
  ]);
  const workflow = (assignee: string) => () => send('POST', `${templates}/known`, { documentId: 'DMS-1', assignees: { a: [assignee] } });
  await refused([
    ['422 assignee_not_found', workflow(unknownUser)],
    ['422 assignee_is_viewer', workflow(viewer.id)],
  ]);
});

test('each operation rejects a folder with the name of another and a folder inside itself', async () => {
  const folders = '/api/v1/smartdoc/folders';
  const [a, b] = [await chancery.folder(owner, { name: 'A' }), await chancery.folder(owner, { name: 'B' })];
  const below = await chancery.folder(owner, { name: 'B', parentId: a.id });
  const binned = await chancery.folder(owner, { name: 'C' });
  await made('DELETE', `${folders}/${binned.id}`);
  await chancery.folder(owner, { name: 'C' });
  await refused([
    ['409 name_taken', () => send('PUT', `${folders}/${b.id}`, { name: 'a' })],
    ['409 name_taken', () => send('PATCH', `${folders}/${below.id}/move`, { parentId: null })],
    ['409 name_taken', () => send('POST', `${folders}/${binned.id}/restore`)],
    ['409 folder_cycle', () => send('PUT', `${folders}/${a.id}`, { parentId: below.id })],
  ]);
});

test('task operations reject ended tasks, paused workflows, other document versions and viewers as assignees', async () => {
  const viewer = await chancery.user(owner.team, { role: 'viewer' });
  const member = await chancery.user(owner.team);
  const steps = [{ id: 'sign', type: 'signature', assignedTo: owner.id }];
  const { id } = await made('POST', '/api/v1/workflows/', {
    name: 'To sign',
    documentId: 'DMS-1',
    steps: [...steps, { id: 'end', type: 'task', assignedTo: owner.id }],
  });
  const [{ taskIds }] = (await made('POST', `/api/v1/workflows/${id}/start`)).steps;
  const task = `/api/v1/tasks/${taskIds[0]}`;
  const signature = { outcome: 'signed_elsewhere' };
  await made('POST', `/api/v1/workflows/${id}/pause`);
  await refused([['409 workflow_paused', () => send('POST', `${task}/signature`, signature)]]);
  await made('POST', `/api/v1/workflows/${id}/resume`);
  await refused([['409 document_changed', () => send('POST', `${task}/signature`, { ...signature, documentVersion: 7 })]]);
  await made('POST', `${task}/signature`, signature);
  const approval = await made('POST', '/api/v1/workflows/', {
    name: 'To approve',
    documentId: 'DMS-2',
    steps: [{ id: 'a', type: 'approval', assignedTo: owner.id }],
  });
  const [step] = (await made('POST', `/api/v1/workflows/${approval.id}/start`)).steps;
  await refused([
    ['409 task_not_open', () => send('POST', `${task}/signature`, signature)],
    ['409 task_not_open', () => send('POST', `${task}/reassign`, { userId: member.id })],
    ['422 assignee_is_viewer', () => send('POST', `/api/v1/tasks/${step.taskIds[0]}/reassign`, { userId: viewer.id })],
  ]);
});

test('a change of an API client is validated like its creation', async () => {
  const clients = '/api/v1/security/clients';
  const { id } = await made('POST', `${clients}/`, { name: 'Import', scopes: ['documents:read'] });
  const folder = await chancery.folder(owner);
  const change = (body: object) => () => send('PATCH', `${clients}/${id}`, body);
  await refused([
    ['422 unknown_scope', change({ scopes: ['documents:burn'] })],
    ['422 expiry_in_past', change({ expiresAt: '2020-01-01T00:00:00.000Z' })],
    ['422 folder_not_found', change({ folderIds: [owner.id] })],
    ['422 scope_not_confinable', change({ scopes: ['audit:read'], folderIds: [folder.id] })],
  ]);
});

test('a disabled endpoint recovers no deliveries; a barrier member cannot request emergency access', async () => {
  const { id } = await made('POST', '/api/v1/webhooks/', { name: 'Off', url: 'https://receiver.example/', events: ['*'] });
  await made('PATCH', `/api/v1/webhooks/${id}`, { isActive: false });
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const barred = await chancery.folder(owner);
  const barrier = `/api/v1/smartdoc/folders/${barred.id}/barrier`;
  await made('PUT', barrier, { userIds: [admin.id] });
  await refused([
    ['409 webhook_endpoint_inactive', () => send('POST', `/api/v1/webhooks/${id}/recover`, { since: '2026-01-01T00:00:00.000Z' })],
    [
      '409 emergency_access_decided',
      () => send('POST', `/api/v1/barriers/${barred.id}/emergency-access`, { reason: 'An audit' }, admin.token),
    ],
  ]);
});
