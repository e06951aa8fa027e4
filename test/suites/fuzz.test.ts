import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../arbitraries.ts';
import { type Chancery, sharedChancery, type User } from '../harness.ts';
import type { Operation } from '../openapi.ts';
import { staffToken } from '../staff.ts';
import { fillPath, named, plausible } from './walk.ts';
import { sample } from '../tier.ts';

let chancery: Chancery;
let owner: User;
let staff: string;
before(async () => {
  chancery = await sharedChancery();
  staff = await staffToken(chancery);
  owner = (await chancery.team()).owner;
});

const odd = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '../../etc/passwd',
    "' OR 1=1 --",
    '%00',
    '%',
    '🏴‍☠️',
    'null',
    '-1',
    '1e309',
    '9'.repeat(40),
    'a'.repeat(5_000),
    '{"a":1}',
    '__proto__',
    '\ud800',
  ),
  fc.uuid(),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  odd,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(odd, { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 8 }), odd, { maxKeys: 3 }),
);

/** Generates a body similar to the schema: some members are valid, others have another type. */
function near(schema: any): fc.Arbitrary<unknown> {
  const members = Object.keys(schema?.properties ?? {});
  const good = plausible(schema);
  return fc
    .tuple(fc.dictionary(fc.constantFrom(...members, 'other'), value, { maxKeys: 4 }), fc.subarray(members))
    .map(([changed, dropped]) => {
      const body: Record<string, unknown> = { ...good, ...changed };
      for (const member of dropped) delete body[member];
      return body;
    });
}

/** Encodes a body as its operation accepts it: as JSON or as a form. */
function encoded(operation: Operation, body: unknown): { body: string; headers: Record<string, string> } {
  if (!operation.form) return { body: JSON.stringify(body) ?? 'undefined', headers: { 'content-type': 'application/json' } };
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [['odd', body]];
  const form = new URLSearchParams(
    members.map(([name, text]) => [String(name), (typeof text === 'string' ? text : (JSON.stringify(text) ?? '')).toWellFormed()]),
  );
  return { body: form.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

/** Returns errors in the format of RFC 6749 §5.2: for forms, except those of browsers, and for JSON by RFC 7591 §3.2.2. */
const asOauth = ({ form, path }: Operation) => (form && !path.endsWith('/acs')) || path === '/oauth/register';

test('no input of any operation causes a 500, and each error is a problem document', { timeout: 600_000 }, async () => {
  const operations = sample(chancery.description.operations, 0.05, named);
  for (const operation of operations) {
    if (/\/(logout|sessions)/.test(operation.path) || (operation.method === 'DELETE' && operation.path.endsWith('/profile'))) continue;
    const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    await fc.assert(
      fc.asyncProperty(
        fc.array(odd, { minLength: 4, maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...query, 'unknown'), odd, { maxKeys: 3 }),
        operation.hasBody ? fc.oneof(near(operation.body), value) : fc.constant(undefined),
        async (pathValues, queryValues, body) => {
          let index = 0;
          const path = fillPath(operation.path, () => (pathValues[index++ % 4] ?? 'x').toWellFormed() || 'x');
          const search = new URLSearchParams(
            Object.entries(queryValues).map(([name, text]) => [name, text.toWellFormed()] as [string, string]),
          ).toString();
          const answer = await chancery.call(operation.method, search ? `${path}?${search}` : path, {
            token: operation.access === 'staff' ? staff : owner.token,
            unchecked: true,
            ...(body === undefined ? {} : encoded(operation, body)),
          });
          assert.ok(
            answer.status < 500,
            `${named(operation)} ${path}?${search} ${JSON.stringify(body)} returned ${answer.status}: ${answer.text}`,
          );
          // A path that is too long is rejected before its operation is known.
          if (answer.status >= 400)
            assert.ok(
              typeof (asOauth(operation) && answer.status !== 414 ? answer.body?.error : answer.body?.code) === 'string',
              `${named(operation)} returns an error code: ${answer.text}`,
            );
        },
      ),
      { numRuns: 15 },
    );
  }
});

test('each operation with a JSON body rejects a body that is not a JSON object', async () => {
  const broken: [string | Uint8Array, number, string][] = [
    ['{"a":', 400, 'malformed_json'],
    ['[]', 400, 'malformed_json'],
    ['null', 400, 'malformed_json'],
    ['"text"', 400, 'malformed_json'],
    ['{} trailing', 400, 'malformed_json'],
    ['\ufeff{}', 400, 'malformed_json'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'malformed_json'],
    ['{"__proto__":{"admin":true}}', 400, 'malformed_json'],
    [`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 400, 'malformed_json'],
  ];
  for (const operation of sample(chancery.description.operations, 0.05, named).filter((one) => one.hasBody && !one.form && !asOauth(one))) {
    const someone = await chancery.user(owner.team, { role: 'admin' });
    const path = fillPath(operation.path, () => '01999999-0000-7000-8000-000000000000');
    for (const [body, status, code] of broken) {
      const answer = await chancery.call(operation.method, path, {
        token: operation.access === 'staff' ? staff : someone.token,
        body,
        headers: { 'content-type': 'application/json' },
      });
      assert.deepEqual([answer.status, answer.body.code], [status, code], `${named(operation)} ${String(body).slice(0, 30)}`);
    }
    const form = await chancery.call(operation.method, path, {
      unchecked: true,
      token: operation.access === 'staff' ? staff : someone.token,
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    // An optional body can have any type. Chancery then ignores it.
    if (!operation.lenient) assert.equal(form.status, 415, named(operation));
  }
});

test('each operation with a form body rejects other bodies in the format of RFC 6749', async () => {
  const forms = chancery.description.operations.filter((operation) => operation.form && asOauth(operation));
  assert.ok(forms.length > 0);
  const broken: [string | Uint8Array, string][] = [
    ['{"grant_type":"client_credentials"}', 'application/json'],
    ['grant_type=client_credentials', 'text/plain'],
    [Buffer.from([0x61, 0x3d, 0xff]), 'application/x-www-form-urlencoded'],
    ['a=1&a=2', 'application/x-www-form-urlencoded'],
    ['', 'application/x-www-form-urlencoded'],
    ['__proto__=1', 'application/x-www-form-urlencoded'],
  ];
  for (const operation of forms) {
    for (const [body, type] of broken) {
      const path = fillPath(operation.path, () => '01999999-0000-7000-8000-000000000000');
      const answer = await chancery.call(operation.method, path, { body, headers: { 'content-type': type } });
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'], `${named(operation)} ${String(body)}`);
    }
  }
});

test('a body of 50 MB is rejected before it is read completely', async () => {
  const answer = await chancery
    .call('POST', '/api/v1/smartdoc/folders/', {
      token: owner.token,
      body: JSON.stringify({ name: 'x'.repeat(50_000_000) }),
      headers: { 'content-type': 'application/json' },
    })
    .catch((error: Error) => error);
  if (!(answer instanceof Error)) assert.deepEqual([answer.status, answer.body.code], [413, 'payload_too_large']);
});
