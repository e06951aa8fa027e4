import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type TestResponse, type Chancery, startChancery, type TestTeam } from '../harness.ts';
import type { Operation } from '../openapi.ts';
import { recordStatements } from '../record-statements.ts';
import { seedEverything } from '../seed.ts';
import { assertIsolated, budgetsWritten, seededId, seededPath } from './isolation.ts';
import { fillPath, named, plausible } from './walk.ts';

let chancery: Chancery;
let team: TestTeam;
let otherTeam: TestTeam;
let seeded: Record<string, string>;
let statements: string[] = [];
const stopRecording = recordStatements(({ name, text }) => statements.push(name ?? text));

before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true });
  team = await chancery.team();
  otherTeam = await chancery.team();
  seeded = await seedEverything(chancery, team.owner);
});
after(async () => {
  stopRecording();
  await chancery.stop();
});

const protectedOperations = () => chancery.description.operations.filter(({ access }) => access === 'user' || access === 'staff');
const pathFor = (path: string) => seededPath(seeded, path);

test('each path with the id of a team’s resource has a seeded resource, so the walk covers each area', () => {
  for (const operation of protectedOperations()) {
    for (const [, name = ''] of operation.path.matchAll(/\{([^}]+)\}/g)) {
      // The name of a template is not unique across teams.
      if (operation.path.startsWith('/api/v1/workflows/templates/')) continue;
      // A version is the number of a version of another resource in the path.
      if (name === 'version') continue;
      // Presets and the template library belong to the service.
      if (['/ws/api/agents/presets/{id}', '/api/v1/document-templates/library/{slug}'].includes(operation.path)) continue;
      assert.ok(
        Object.values(seeded).includes(seededId(seeded, operation.path, name)),
        `seed.ts creates a resource of ${named(operation)} for the parameter ${name}`,
      );
    }
  }
});

test('without a token, each operation that needs one returns 401 with a challenge', async () => {
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

test('with an invalid token, each operation that needs one returns 401', async () => {
  for (const operation of protectedOperations()) {
    const answer = await chancery.call(operation.method, pathFor(operation.path), { token: 'not.a.token' });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], named(operation));
  }
});

/** The scopes in a challenge. */
const missingScopes = ({ headers }: TestResponse): string[] =>
  /scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]?.split(' ') ?? [];

/** All scopes of the roles below administrator. The test fails if a role has more. */
const carried: Record<'member' | 'viewer', string[]> = {
  viewer: [
    'profile:read',
    'profile:write',
    'team:read',
    'folders:read',
    'documents:read',
    'matters:read',
    'workflows:read',
    'tasks:read',
    'tasks:write',
    'interfaces:read',
    'registries:read',
  ],
  member: [
    ...['profile', 'folders', 'documents', 'matters', 'workflows', 'tasks', 'signatures', 'interfaces', 'registries'].flatMap((area) => [
      `${area}:read`,
      `${area}:write`,
    ]),
    'team:read',
    'agents:read',
    'agents:run',
    'evidence:read',
  ],
};

for (const role of ['member', 'viewer'] as const) {
  test(`a ${role}’s token is denied by each operation whose scope or role it lacks, before any lookup`, async () => {
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
      if (lacks) assert.ok(missingScopes(answer).includes(scope), named(operation));
      refused.push(named(operation));
    }
    assert.ok(refused.length > 20, 'the walk found denied operations');
    // The role has no access to the journal, endpoints and their deliveries, clients, connections and invitations.
    for (const area of [/audit/, /webhooks/, /security\/clients/, /team\/sso/, /GET .*team\/invitations/])
      assert.ok(
        refused.some((name) => area.test(name)),
        String(area),
      );
  });
}

test('an API client with all scopes is denied only the operations of a person', async () => {
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
        `${named(operation)} returned ${answer.status}: ${answer.text}`,
      );
    }
  }
  assert.ok(closed >= 6, 'the walk found operations of a person');
});

test('an API client’s token is accepted by the operations of its scopes and denied by all others', async () => {
  const reader = await chancery.client(otherTeam.owner, ['tasks:read']);
  for (const operation of chancery.description.operations) {
    if (operation.access !== 'user' || operation.personal) continue;
    const answer = await chancery.call(operation.method, pathFor(operation.path), {
      token: reader.token,
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    // An operation without a scope checks the scopes of the token for each resource.
    if (operation.scope === 'tasks:read' || operation.scope === undefined) assert.notEqual(answer.status, 403, named(operation));
    else assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'], named(operation));
  }
});

test('the response to a change shows no data to an API client with only write scopes', async () => {
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
    // An API client can access only its own endpoints.
    if (right !== 'write' || operation.personal || area === 'webhooks' || !shows(operation)) continue;
    if (!clients.has(area)) clients.set(area, (await chancery.client(team.owner, [`${area}:write`])).token);
    const answer = await chancery.call(operation.method, pathFor(operation.path), {
      token: clients.get(area) ?? '',
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'], named(operation));
    assert.ok(missingScopes(answer).includes(`${area}:read`), named(operation));
    refused += 1;
  }
  assert.ok(refused >= 15, `${refused} operations`);
});

test('an API client of another team sees nothing of a team', async () => {
  await budgetsWritten(chancery, otherTeam);
  await assertIsolated(chancery, team, otherTeam, seeded, 'client');
});

test('a token of another team gets 404 for ids of a team, and lists omit its resources', () =>
  assertIsolated(chancery, team, otherTeam, seeded));

type Observed = { status: number; code: unknown; detail: unknown; statements: string[] };

/** Returns the response to a call and the statements that the service sent for it. */
async function observe(token: string, { method, hasBody, body }: Operation, path: string): Promise<Observed> {
  statements = [];
  const answer = await chancery.call(method, path, { token, ...(hasBody ? { body: plausible(body) } : {}) });
  return { status: answer.status, code: answer.body?.code, detail: answer.body?.detail, statements };
}

/** Users and a client of the team without access to the seeded resources. */
const callersWithoutAccess: Record<string, () => Promise<string>> = {
  'a member': async () => (await chancery.user(team)).token,
  'a viewer': async () => (await chancery.user(team, { role: 'viewer' })).token,
  'a client for another folder': async () => {
    const areas = ['folders', 'documents', 'matters', 'workflows', 'tasks', 'signatures', 'interfaces', 'registries'];
    const { id, token } = await chancery.client(
      team.owner,
      areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
    );
    const folder = await chancery.folder(team.owner);
    const body = { folderIds: [folder.id] };
    assert.equal((await chancery.call('PATCH', `/api/v1/security/clients/${id}`, { token: team.owner.token, body })).status, 200);
    return token;
  },
};

/** Compares two calls, up to five times, because background statements can fall into one of them. */
async function observePair(one: () => Promise<Observed>, other: () => Promise<Observed>): Promise<[Observed, Observed]> {
  for (let attempt = 1; ; attempt += 1) {
    const pair: [Observed, Observed] = [await one(), await other()];
    if (attempt === 5 || isDeepStrictEqual(pair[0], pair[1])) return pair;
  }
}

// An extra statement takes time that a caller can measure.
for (const [who, tokenOf] of Object.entries(callersWithoutAccess)) {
  test(`${who} gets the same response after the same statements for a hidden resource and for none`, async () => {
    const token = await tokenOf();
    const differing: string[] = [];
    let compared = 0;
    for (const operation of chancery.description.operations) {
      const path = pathFor(operation.path);
      const names = Object.values(seeded).some((id) => path.includes(id));
      if (operation.access !== 'user' || operation.personal || !names) continue;
      const nothing = fillPath(operation.path, () => randomUUIDv7());
      // The first call prepares the statements and would differ.
      await observe(token, operation, nothing);
      const [hidden, none] = await observePair(
        () => observe(token, operation, path),
        () => observe(token, operation, nothing),
      );
      // The caller has access, or the role is rejected before any lookup.
      if (hidden.status < 400 || hidden.code === 'insufficient_scope') continue;
      if (hidden.statements.length > 0) compared += 1;
      try {
        assert.deepEqual(hidden, none);
      } catch (error) {
        differing.push(`${named(operation)}: ${(error as Error).message}`);
      }
    }
    assert.deepEqual(differing, []);
    assert.ok(compared >= (who === 'a viewer' ? 8 : 25), `${compared} operations`);
  });
}
