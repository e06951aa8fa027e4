import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type Team } from '../harness.ts';
import { seedEverything } from '../seed.ts';
import { assertIsolated, budgetsWritten, seededId, seededPath } from './isolation.ts';
import { named, plausible } from './walk.ts';

let chancery: Chancery;
let team: Team;
let otherTeam: Team;
let seeded: Record<string, string>;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  otherTeam = await chancery.team();
  seeded = await seedEverything(chancery, team.owner);
});

const protectedOperations = () => chancery.description.operations.filter(({ access }) => access === 'user' || access === 'staff');
const pathFor = (path: string) => seededPath(seeded, path);

test('each path with an identifier of a team’s thing has a seeded one, so that the walk cannot miss an area', () => {
  for (const operation of protectedOperations()) {
    for (const [, name = ''] of operation.path.matchAll(/\{([^}]+)\}/g)) {
      // Templates are found by a name that several teams may have.
      if (name === 'name') continue;
      // Versions are numbers of what has an identifier.
      if (name === 'version') continue;
      // Presets and the library of templates are the service’s.
      if (['/ws/api/agents/presets/{id}', '/api/v1/document-templates/library/{slug}'].includes(operation.path)) continue;
      assert.ok(
        Object.values(seeded).includes(seededId(seeded, operation.path, name)),
        `seed.ts makes what ${named(operation)} names as ${name}`,
      );
    }
  }
});

test('without a token, each operation that wants one answers 401 with a challenge', async () => {
  for (const operation of protectedOperations()) {
    const answer = await chancery.call(
      operation.method,
      pathFor(operation.path),
      operation.hasBody ? { body: plausible(operation.body) } : {},
    );
    assert.equal(answer.status, 401, named(operation));
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/, named(operation));
  }
});

test('with a token that is not one, each answers 401', async () => {
  for (const operation of protectedOperations()) {
    const answer = await chancery.call(operation.method, pathFor(operation.path), { token: 'not.a.token' });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], named(operation));
  }
});

/** What the roles below the administrators carry, in full: nobody's is wider than this page says. */
const carried: Record<'member' | 'viewer', string[]> = {
  viewer: [
    'profile:read',
    'profile:write',
    'team:read',
    'folders:read',
    'documents:read',
    'workflows:read',
    'tasks:read',
    'tasks:write',
    'interfaces:read',
    'registries:read',
  ],
  member: [
    ...['profile', 'folders', 'documents', 'workflows', 'tasks', 'signatures', 'interfaces', 'registries'].flatMap((area) => [
      `${area}:read`,
      `${area}:write`,
    ]),
    'team:read',
    'agents:read',
  ],
};

for (const role of ['member', 'viewer'] as const) {
  test(`a ${role}’s token is refused by each operation whose scope or role it lacks, before anything is looked at`, async () => {
    const person = await chancery.user(team, { role });
    const { scope: own } = JSON.parse(Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString());
    assert.deepEqual(own.split(' ').toSorted(), carried[role].toSorted());
    const refused: string[] = [];
    for (const operation of chancery.description.operations) {
      const { scope, roles } = operation;
      if (operation.access !== 'user' || scope === undefined) continue;
      const lacks = !carried[role].includes(scope);
      if (!lacks && (roles === undefined || roles.includes(role))) continue;
      const answer = await chancery.call(operation.method, pathFor(operation.path), {
        token: person.token,
        ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
      });
      assert.deepEqual([answer.status, answer.body.code], [403, lacks ? 'insufficient_scope' : 'forbidden'], named(operation));
      assert.match(answer.body.detail, new RegExp(lacks ? scope : role), named(operation));
      refused.push(named(operation));
    }
    assert.ok(refused.length > 20, 'the walk found operations to refuse');
    // The journal, endpoints with their deliveries, clients, connections and invitations, read or written: none of it.
    for (const area of [/audit/, /webhooks/, /security\/clients/, /team\/sso/, /GET .*team\/invitations/])
      assert.ok(
        refused.some((name) => area.test(name)),
        String(area),
      );
  });
}

test('what belongs to a person is closed to an API client with every scope, and nothing else is', async () => {
  const client = await chancery.client(otherTeam.owner);
  let closed = 0;
  for (const operation of chancery.description.operations) {
    if (operation.access !== 'user') continue;
    const answer = await chancery.call(operation.method, pathFor(operation.path), {
      token: client.token,
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    if (operation.personal) {
      assert.deepEqual([answer.status, answer.body.code], [403, 'person_required'], named(operation));
      closed += 1;
    } else {
      assert.ok(
        answer.status < 500 && ![401, 403].includes(answer.status),
        `${named(operation)} answered ${answer.status}: ${answer.text}`,
      );
    }
  }
  assert.ok(closed >= 6, 'the walk found operations that belong to a person');
});

test('an API client’s token opens what its scopes name and is refused by every other operation', async () => {
  const reader = await chancery.client(otherTeam.owner, ['tasks:read']);
  for (const operation of chancery.description.operations) {
    if (operation.access !== 'user' || operation.personal) continue;
    const answer = await chancery.call(operation.method, pathFor(operation.path), {
      token: reader.token,
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    if (operation.scope === 'tasks:read') assert.notEqual(answer.status, 403, named(operation));
    else assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'], named(operation));
  }
});

test('an API client that may only write is shown nothing by changing what is there', async () => {
  const shows = ({ path, responses }: { path: string; responses: Record<string, any> }) =>
    Object.entries(responses).some(([status, { content }]) => {
      const schema = status.startsWith('2') ? content?.['application/json']?.schema : undefined;
      if (schema === undefined || schema.type === 'null' || (status === '201' && !path.includes('{'))) return false;
      return schema.type !== 'object' || Object.keys(schema.properties ?? {}).some((name) => !['success', 'message'].includes(name));
    });
  const clients = new Map<string, string>();
  let refused = 0;
  for (const operation of chancery.description.operations) {
    const [area = '', right] = operation.scope?.split(':') ?? [];
    // Of endpoints an API client reaches its own alone.
    if (right !== 'write' || operation.personal || area === 'webhooks' || !shows(operation)) continue;
    if (!clients.has(area)) clients.set(area, (await chancery.client(team.owner, [`${area}:write`])).token);
    const answer = await chancery.call(operation.method, pathFor(operation.path), {
      token: clients.get(area) ?? '',
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'], named(operation));
    assert.ok(answer.body.detail.includes(`${area}:read`), `${named(operation)}: ${answer.body.detail}`);
    refused += 1;
  }
  assert.ok(refused >= 15, `${refused} operations`);
});

test('another team’s API client sees nothing of a team', async () => {
  await budgetsWritten(chancery, otherTeam);
  await assertIsolated(chancery, team, otherTeam, seeded, 'client');
});

test('another team’s token sees nothing of a team: by identifier 404, in lists no trace', () =>
  assertIsolated(chancery, team, otherTeam, seeded));
