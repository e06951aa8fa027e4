import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../harness.ts';
import { type AccessWorld, type Caller, callerNames, openWorld } from './callers.ts';
import { things, type ThingName } from './things.ts';

/*
 * The names of resources follow the access of their own read operations. A caller gets the name of each readable resource, and nothing else. Each kind of caller asks for resources of all types, with shares, tasks, barriers, emergency access and matters.
 */

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
const readers: Record<string, { type: string; path: string; of: ThingName[] }> = {
  folders: {
    type: 'folder',
    path: folders,
    of: ['folder', 'subfolder', 'binnedFolder', 'barred', 'emergencyAccess', 'clientFolder', 'mixedFolder'],
  },
  matters: { type: 'matter', path: '/api/v1/matters', of: ['matter', 'closedMatter', 'barredMatter'] },
  documents: {
    type: 'document',
    path: documents,
    of: ['document', 'binnedDocument', 'barredDocument', 'emergencyDocument', 'givenDocument', 'looseDocument', 'documentOfTask'],
  },
  templates: { type: 'documentTemplate', path: '/api/v1/document-templates', of: ['documentTemplate'] },
  workflows: {
    type: 'workflow',
    path: '/api/v1/workflows',
    of: ['draft', 'started', 'startedByAnother', 'startedBehindBarrier', 'startedWithEmergencyAccess'],
  },
  tasks: {
    type: 'task',
    path: '/api/v1/tasks',
    of: ['task', 'taskOfDocument', 'completedTask', 'nobodysTask', 'groupTask', 'claimedTask', 'approval', 'approvalBehindBarrier'],
  },
  signatures: { type: 'signature', path: '/api/v1/signatures', of: ['signatureRequest', 'barredRequest'] },
  forms: { type: 'interface', path: '/api/v1/interfaces', of: ['form', 'barredForm'] },
  registries: { type: 'registry', path: '/api/v1/registries', of: ['registry', 'binnedRegistry'] },
  agents: { type: 'agent', path: '/ws/api/agents', of: ['agent'] },
  groups: { type: 'group', path: '/api/v1/groups', of: ['group'] },
};

let chancery: Chancery;
let world: AccessWorld;
let known: { type: string; path: string; id: string; from: string }[];
before(async () => {
  chancery = await sharedChancery();
  world = await openWorld(chancery);
  known = [];
  for (const { type, path, of } of Object.values(readers))
    for (const from of of) known.push({ type, path, from, id: (await things[from](world, 'assignee')).id });
  known.push(...(await inMatter()));
  const { member } = world.people;
  known.push({ type: 'user', path: '/api/v1/team/members', from: 'member', id: member.id });
  const client = await chancery.client(world.team.owner, ['tasks:read']);
  known.push({ type: 'client', path: '/api/v1/security/clients', from: 'client', id: client.id });
});

/** Resources that only the shares of their matter open. */
async function inMatter(): Promise<typeof known> {
  const { id: matterId } = await things.matter(world, 'creator');
  const made = (path: string, body: object) => world.made('creator', 'POST', `${path}/`, { ...body, matterId });
  const all = {
    task: ['/api/v1/tasks', { title: 'In a matter' }],
    workflow: [
      '/api/v1/workflows',
      { name: 'In a matter', documentId: 'elsewhere', steps: [{ id: 'a', type: 'task', assignedTo: world.people.creator.id }] },
    ],
    registry: ['/api/v1/registries', { name: 'In a matter', fields: [{ id: 'a', label: 'A', type: 'text' }] }],
    folder: [folders, { name: 'In a matter' }],
  } as const;
  const found: typeof known = [];
  for (const [type, [path, body]] of Object.entries(all)) {
    const { id } = await made(path, body);
    found.push({ type, path, from: `${type} in a matter`, id });
  }
  return found;
}

const namesFor = async (token: string, ids: readonly string[]) => {
  const { status, body, text } = await chancery.call('POST', '/api/v1/names', { token, body: { ids } });
  assert.equal(status, 200, text);
  return body.names as { id: string; type: string; name?: string; left?: true }[];
};

/** Returns the differences between the names of a caller and the responses of the read operations. */
async function differences(token: string): Promise<string[]> {
  const named = new Map(
    (
      await namesFor(
        token,
        known.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  const wrong: string[] = [];
  for (const { type, path, id, from } of known) {
    const { status, body } = await chancery.call('GET', `${path}/${id}`, { token });
    const name = status === 200 ? (body.name ?? body.title ?? `${body.firstName} ${body.lastName}`) : undefined;
    const found = named.get(id);
    if (found?.name !== name || (found && found.type !== type))
      wrong.push(`${from}: read with ${status} ${name}, named ${JSON.stringify(found)}`);
  }
  return wrong;
}

for (const caller of callerNames) {
  test(`${caller}: names are those of the resources that the caller may read`, async () => {
    const wrong = await differences(world.tokens[caller as Caller]);
    assert.deepEqual(wrong, []);
  });
}

test('an API client that is confined to folders gets the names of resources in them', async () => {
  const inside = known.find(({ from }) => from === 'folder')?.id ?? '';
  const { id, token } = await chancery.client(world.team.owner, [
    'folders:read',
    'documents:read',
    'tasks:read',
    'workflows:read',
    'interfaces:read',
    'registries:read',
  ]);
  const confined = await chancery.call('PATCH', `/api/v1/security/clients/${id}`, {
    token: world.team.owner.token,
    body: { folderIds: [inside] },
  });
  assert.equal(confined.status, 200, confined.text);
  await chancery.pool.query("SELECT pg_notify('revoked', '*')");
  assert.deepEqual(await differences(token), []);
  assert.deepEqual(
    (await namesFor(token, [inside])).map(({ type }) => type),
    ['folder'],
  );
});

test('an API client gets names only of the types that its scopes allow', async () => {
  const { token } = await chancery.client(world.team.owner, ['documents:read']);
  const found = await namesFor(
    token,
    known.map(({ id }) => id),
  );
  assert.deepEqual([...new Set(found.map(({ type }) => type))].toSorted(), ['document', 'documentTemplate']);
});

test('a former member has left and has no name', async () => {
  const { owner, id } = world.team;
  const leaver = await chancery.user(world.team, { role: 'member' });
  assert.deepEqual(
    (await namesFor(owner.token, [leaver.id])).map(({ left }) => left),
    [undefined],
  );
  await chancery.call('DELETE', `/api/v1/team/members/${leaver.id}`, { token: owner.token });
  assert.deepEqual(await namesFor(owner.token, [leaver.id]), [{ id: leaver.id, type: 'user', left: true }], id);
});

test('names come in the order of the identifiers, once each', async () => {
  const { owner, member } = world.people;
  const named = await namesFor(owner.token, [member.id.toUpperCase(), owner.id, member.id]);
  assert.deepEqual(
    named.map(({ id }) => id),
    [member.id, owner.id],
  );
});

test('an identifier of another team has no name', async () => {
  const other = await chancery.team();
  assert.deepEqual(
    await namesFor(
      other.owner.token,
      known.map(({ id }) => id),
    ),
    [],
  );
});

test('more than 200 identifiers are rejected', async () => {
  const ids = Array.from({ length: 201 }, () => world.people.owner.id);
  const { status, body } = await chancery.call('POST', '/api/v1/names', { token: world.people.owner.token, body: { ids } });
  assert.deepEqual([status, body.code], [400, 'validation_failed']);
});
