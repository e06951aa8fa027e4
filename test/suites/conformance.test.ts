import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../harness.ts';
import { contract } from './contract.ts';

/** The contract's own file, when it lies beside the checkout; `contract.ts` holds the same facts in this project's words. */
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

/** The object a response schema describes, through arrays. */
function shape(schema: any): any {
  return schema?.type === 'array' ? shape(schema.items) : schema;
}

// The published contract is beside the checkouts of its developers.
if (existsSync(published))
  test('the facts of the contract kept here are those of the published file', () => {
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

test('every operation of the contract that this version is to have is described under its exact path', () => {
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

test('each response has exactly the members of the contract: the required always, the optional sometimes, no others where it is closed', () => {
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
      assert.ok(!schema.required?.includes(field), `${where} leaves ${field} out when it has no value`);
    }
    if (!entry.open) assert.deepEqual(members.toSorted(), [...entry.fields, ...entry.optional].toSorted(), `${where} is closed`);
  }
});

test('the document is OpenAPI 3.1 with unique operation ids and an access for each operation', () => {
  const { document, operations } = chancery.description;
  assert.match(document.openapi, /^3\.1\./);
  const ids = Object.values<any>(document.paths).flatMap((item) => Object.values<any>(item).map((operation) => operation.operationId));
  assert.equal(new Set(ids).size, ids.length);
  for (const { method, path, access } of operations) assert.match(access, /^(public|user|staff|link)$/, `${method} ${path}`);
});

test('each operation that changes a team’s data declares a write scope, and each that reads a read scope', () => {
  for (const { method, path, access, scope } of chancery.description.operations) {
    if (access !== 'user') continue;
    // What concerns only one's own sign-in needs none.
    if (path.startsWith('/api/v1/security/auth/')) continue;
    // To have a file written of what one may read is to read it: somebody with whom answers are shared to be read asks for it.
    if (method === 'POST' && path === '/api/v1/interfaces/{id}/submissions/exports') {
      assert.equal(scope, 'interfaces:read', path);
      continue;
    }
    // To download several documents as one archive is to read them: what is named is too long for a path.
    if (method === 'POST' && path === '/api/v1/smartdoc/documents/download') {
      assert.equal(scope, 'documents:read', path);
      continue;
    }
    // To have an agent run, and to end that, is to use it: somebody to whom it was given asks for it, and it does no more than they may.
    if (method === 'POST' && ['/ws/api/agents/{agentId}/runs', '/ws/api/agents/runs/{id}/cancel'].includes(path)) {
      assert.equal(scope, 'agents:read', path);
      continue;
    }
    assert.match(scope ?? '', method === 'GET' ? /:read$/ : /:write$/, `${method} ${path}`);
  }
});
