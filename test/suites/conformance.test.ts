import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../harness.ts';
import { contract } from './contract.ts';

/** The published contract, if the file exists next to the checkout. `contract.ts` contains the same facts. */
const published = new URL('../../../shared/spec/operations.json', import.meta.url);

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const built = () =>
  contract.filter(({ method, path }) =>
    chancery.description.operations.some((operation) => operation.method === method && samePath(operation.path, path)),
  );
const samePath = (a: string, b: string) => a.replace(/\/$/, '') === b.replace(/\/$/, '');

/** Returns the object schema of a response, or of its items if the response is an array. */
function shape(schema: any): any {
  return schema?.type === 'array' ? shape(schema.items) : schema;
}

// Only checkouts of developers have the published contract next to them.
if (existsSync(published))
  test('contract.ts equals the published contract', () => {
    const theirs = JSON.parse(readFileSync(published, 'utf8')) as {
      method: string;
      path: string;
      auth: string;
      response: { kind: string; fields?: string[]; optional?: string[]; open?: boolean };
    }[];
    assert.equal(theirs.length, 89);
    for (const ours of contract) {
      const other = theirs.find(({ method, path }) => method === ours.method && path === ours.path);
      assert.ok(other, `${ours.method} ${ours.path} is in the published contract`);
      assert.deepEqual(
        { auth: ours.auth, kind: ours.kind, fields: ours.fields.toSorted(), optional: ours.optional.toSorted(), open: ours.open },
        {
          auth: other.auth,
          kind: other.response.kind,
          fields: (other.response.fields ?? []).toSorted(),
          optional: (other.response.optional ?? []).toSorted(),
          open: other.response.open ?? false,
        },
        `${ours.method} ${ours.path}`,
      );
    }
  });

test('all operations of the contract for this version are described under their exact path', () => {
  const described = built().length;
  assert.equal(
    described,
    contract.length,
    `missing: ${contract
      .filter((entry) => !built().includes(entry))
      .map(({ method, path }) => `${method} ${path}`)
      .join(', ')}`,
  );
});

test('each response has the required and the optional members of the contract, and no others if its schema is closed', () => {
  for (const entry of built()) {
    if (entry.kind !== 'object' && entry.kind !== 'array') continue;
    const operation = chancery.description.find(entry.method, entry.path.replaceAll(/\{[^}]+\}/g, 'x'));
    assert.ok(operation);
    const success = Object.entries<any>(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
    const top = success?.content?.['application/json']?.schema;
    const schema = top?.anyOf?.[0] ?? shape(top);
    const where = `${entry.method} ${entry.path}`;
    const members = Object.keys(schema?.properties ?? {});
    for (const field of entry.fields) {
      assert.ok(members.includes(field), `${where} has ${field}`);
      assert.ok(schema.required?.includes(field), `${where} always has ${field}`);
    }
    for (const field of entry.optional) {
      assert.ok(members.includes(field), `${where} may have ${field}`);
      assert.ok(!schema.required?.includes(field), `${where} omits ${field} if it has no value`);
    }
    if (!entry.open) assert.deepEqual(members.toSorted(), [...entry.fields, ...entry.optional].toSorted(), `${where} is closed`);
  }
});

test('the document is OpenAPI 3.1 with unique operation ids and an access rule for each operation', () => {
  const { document, operations } = chancery.description;
  assert.match(document.openapi, /^3\.1\./);
  const ids = Object.values<any>(document.paths).flatMap((item) => Object.values<any>(item).map((operation) => operation.operationId));
  assert.equal(new Set(ids).size, ids.length);
  for (const { method, path, access } of operations) assert.match(access, /^(public|user|staff|link)$/, `${method} ${path}`);
});

test('each operation that changes data of a team declares a write scope, and each read a read scope', () => {
  for (const { method, path, access, scope } of chancery.description.operations) {
    if (access !== 'user') continue;
    // Operations on the caller’s own sign-in need no scope.
    if (path.startsWith('/api/v1/security/auth/')) continue;
    // An export needs only read access: a caller with a read share of the submissions can request it.
    if (method === 'POST' && path === '/api/v1/interfaces/{id}/submissions/exports') {
      assert.equal(scope, 'interfaces:read', path);
      continue;
    }
    // The download of an archive is a read. It is a POST because the ids are too long for a path.
    if (method === 'POST' && path === '/api/v1/smartdoc/documents/download') {
      assert.equal(scope, 'documents:read', path);
      continue;
    }
    // Running an agent and cancelling the run needs only a use share. The run has no more rights than the caller.
    if (
      path.startsWith('/ws/api/agents/') &&
      /\/(runs|callers|callers\/\{clientId\}|runs\/\{id\}\/cancel)$/.test(path) &&
      method !== 'GET'
    ) {
      assert.equal(scope, path.endsWith('/cancel') ? 'agents:read' : 'agents:run', path);
      continue;
    }
    if (path === '/ws/api/agents/{agentId}/callers') {
      assert.equal(scope, 'agents:run', path);
      continue;
    }
    // These check the scopes of the token for each resource.
    if (['/api/v1/names', '/api/v1/downloads', '/api/v1/inbox', '/api/v1/changes'].includes(path)) {
      assert.equal(scope, undefined, path);
      continue;
    }
    // A trial of a policy keeps nothing. An evidence pack has only readable content.
    if (method === 'POST' && ['/api/v1/approval-policies/{name}/try', '/api/v1/evidence'].includes(path)) {
      assert.equal(scope, path.endsWith('/try') ? 'team:read' : 'evidence:read', path);
      continue;
    }
    assert.match(scope ?? '', method === 'GET' ? /:read$/ : /:write$/, `${method} ${path}`);
  }
});
