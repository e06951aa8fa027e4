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

test('operations of our own answer with no sentence, and what ends something is 204', () => {
  const answers = answersOf(chancery.description.operations);
  const ofContract = new Set(contract.map(({ method, path }) => `${method} ${path}`));
  const published = new Set(
    [...answers].filter(([, { kind }]) => kind === 'message' || kind === 'sentence').map(([name]) => name.replace(/\/$/, '')),
  );
  for (const operation of chancery.description.operations) {
    if (operation.method !== 'DELETE' || published.has(named(operation))) continue;
    // The contract says that each operation of agents answers with an object.
    if (operation.path.startsWith('/ws/') && ofContract.has(named(operation))) continue;
    // A skill is deleted as a job is, whose deletion the contract has.
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
    // What is written to signers is theirs to read, and who came by a link is shown no more than where the request stands.
    if (operation.path.startsWith('/api/v1/signatures/')) continue;
    assert.ok(published.has(named(operation)), `${named(operation)} answers with a sentence`);
  }
});

/** Every object schema in what operations answer with. */
function* objects(schema: any): Generator<any> {
  if (typeof schema !== 'object' || schema === null) return;
  if (schema.properties) yield schema;
  for (const member of Object.values(schema)) yield* objects(member);
}

test('who made a thing stands in it as what it is', async () => {
  const seen = new Set<string>();
  for (const { responses } of chancery.description.operations) {
    for (const schema of objects(Object.values(responses))) {
      if (!schema.properties.createdBy) continue;
      seen.add(schema.title);
      // The contract's endpoint is closed, and names a client that made it in `clientId`.
      if (!schema.title.startsWith('WebhookEndpoint')) assert.ok(schema.properties.createdByType, schema.title);
    }
  }
  for (const title of ['Folder', 'Document', 'DocumentVersion', 'Workflow', 'WorkflowTemplate', 'Task', 'TaskComment', 'Invitation'])
    assert.ok(seen.has(title), title);
});

test('what an API client makes was made by it, and by nobody else', async () => {
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
  // And in lists alike.
  for (const path of ['/api/v1/smartdoc/folders/', '/api/v1/smartdoc/documents/', `/api/v1/tasks/${task.id}/comments`, '/api/v1/tasks/']) {
    const { body } = await chancery.call('GET', path, { token: client.token });
    const own = body.filter(({ createdBy }: any) => createdBy === client.id);
    assert.deepEqual([own.length, own[0]?.createdByType], [1, 'client'], path);
  }
  const endpoint = await made('/api/v1/webhooks/', { name: 'Own', url: 'https://receiver.example/hook', events: ['*'] });
  assert.deepEqual([endpoint.createdBy, endpoint.clientId], [client.id, client.id]);
});
