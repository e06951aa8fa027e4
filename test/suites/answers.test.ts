import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam } from '../harness.ts';
import { answersOf } from './answers.ts';
import { contract } from './contract.ts';
import { named } from './walk.ts';

let chancery: Chancery;
let team: TestTeam;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
});

test('operations outside the published contract return no sentence, and deletions return 204', () => {
  const answers = answersOf(chancery.description.operations);
  const ofContract = new Set(contract.map(({ method, path }) => `${method} ${path}`));
  const published = new Set(
    [...answers].filter(([, { kind }]) => kind === 'message' || kind === 'sentence').map(([name]) => name.replace(/\/$/, '')),
  );
  for (const operation of chancery.description.operations) {
    if (operation.method !== 'DELETE' || published.has(named(operation))) continue;
    // The contract requires an object as the response of each agent operation.
    if (operation.path.startsWith('/ws/') && ofContract.has(named(operation))) continue;
    // The deletion of a skill responds like that of a job, which the contract defines.
    if (operation.path === '/ws/api/agents/skills/{skillName}') continue;
    // The revocation of a share names the access by tasks that stays.
    if (operation.responses['200']?.content?.['application/json']?.schema?.title === 'RevokedGrant') continue;
    const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    assert.deepEqual(successes, ['204'], named(operation));
  }
  for (const operation of chancery.description.operations) {
    const members = Object.entries<any>(operation.responses).flatMap(([, response]) =>
      Object.keys(response?.content?.['application/json']?.schema?.properties ?? {}),
    );
    if (!members.some((member) => ['message', 'ok', 'success'].includes(member)) || ofContract.has(`${operation.method} ${operation.path}`))
      continue;
    // Signers can read the messages for them. A caller with a link sees only the state of the request.
    if (operation.path.startsWith('/api/v1/signatures/')) continue;
    assert.ok(published.has(named(operation)), `${named(operation)} returns a sentence`);
  }
});

/** Yields each object schema in the responses of operations. */
function* objects(schema: any): Generator<any> {
  if (typeof schema !== 'object' || schema === null) return;
  if (schema.properties) yield schema;
  for (const member of Object.values(schema)) yield* objects(member);
}

test('a resource names the type of its creator', async () => {
  const seen = new Set<string>();
  for (const { responses } of chancery.description.operations) {
    for (const schema of objects(Object.values(responses))) {
      if (!schema.properties.createdBy) continue;
      seen.add(schema.title);
      // The contract closes the schema of endpoints. `clientId` names the client that created one.
      if (!schema.title.startsWith('WebhookEndpoint')) assert.ok(schema.properties.createdByType, schema.title);
    }
  }
  for (const title of ['Folder', 'Document', 'DocumentVersion', 'Workflow', 'WorkflowTemplate', 'Task', 'TaskComment', 'Invitation'])
    assert.ok(seen.has(title), title);
});

test('a resource of an API client names only this client as its creator', async () => {
  const client = await chancery.client(team.owner);
  const made = async (path: string, body: unknown) => {
    const answer = await chancery.call('POST', path, { token: client.token, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const form = new FormData();
  form.set('title', 'With a file');
  form.set('file', new Blob(['Answered'], { type: 'text/plain' }), 'a.txt');
  const document = await made('/api/v1/smartdoc/documents/', form);
  const task = await made('/api/v1/tasks/', { title: 'To do' });
  const steps = [{ id: 'a', type: 'task', assignedTo: team.owner.id }];
  const things = {
    folder: await made('/api/v1/smartdoc/folders/', { name: 'By a client' }),
    document,
    version: document.currentVersion,
    task,
    comment: await made(`/api/v1/tasks/${task.id}/comments`, { text: 'Seen' }),
    workflow: await made('/api/v1/workflows/', { name: 'By a client', documentId: document.id, steps }),
    template: await made('/api/v1/workflows/templates', { name: 'by-a-client', description: 'Own', steps }),
    invitation: await made('/api/v1/team/invitations', { email: 'by.a.client@example.org', role: 'viewer' }),
  };
  for (const [what, { createdBy, createdByType }] of Object.entries<any>(things))
    assert.deepEqual([createdBy, createdByType], [client.id, 'client'], what);
  // Lists show the same creator.
  for (const path of ['/api/v1/smartdoc/folders/', '/api/v1/smartdoc/documents/', `/api/v1/tasks/${task.id}/comments`, '/api/v1/tasks/']) {
    const { body } = await chancery.call('GET', path, { token: client.token });
    const own = body.filter(({ createdBy }: any) => createdBy === client.id);
    assert.deepEqual([own.length, own[0]?.createdByType], [1, 'client'], path);
  }
  const endpoint = await made('/api/v1/webhooks/', { name: 'Own', url: 'https://receiver.example/hook', events: ['*'] });
  assert.deepEqual([endpoint.createdBy, endpoint.clientId], [client.id, client.id]);
});
