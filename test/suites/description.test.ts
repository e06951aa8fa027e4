import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describeSettings, readConfig } from '../../src/config.ts';
import { loadTexts } from '../../src/domains.ts';
import type { DescriptionTexts } from '../../src/platform/http/openapi/texts.ts';
import { type Chancery, startChancery } from '../harness.ts';
import { acts } from './acts.ts';

let chancery: Chancery;
let texts: DescriptionTexts;
before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true });
  texts = await loadTexts();
});
after(() => chancery.stop());

type Described = { at: string; id: string; operation: any };
const operations = (): Described[] =>
  Object.entries<any>(chancery.description.document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({
      at: `${method.toUpperCase()} ${path}`,
      id: operation.operationId,
      operation,
    })),
  );

test('each operation is described in prose of its own, that says more than its summary', () => {
  const ids = new Set(operations().map(({ id }) => id));
  assert.deepEqual(
    [...texts.operations.keys()].filter((id) => !ids.has(id)),
    [],
    'what is described is an operation',
  );
  const said = new Map<string, string>();
  for (const { id, operation } of operations()) {
    const text = texts.operations.get(id)?.text ?? '';
    assert.ok(text.length > operation.summary.length + 40, `${id} is described: ${text}`);
    assert.ok(operation.description.startsWith(text));
    assert.equal(said.get(text), undefined, `${id} says what ${said.get(text)} says`);
    said.set(text, id);
  }
});

test('what is said follows from the address of the service alone, whatever its other settings are', async () => {
  // The tests' own services go by this: they put the description together once for each address.
  const others: Record<string, string> = { on: 'off', off: 'on', true: 'false', false: 'true' };
  const settings = Object.fromEntries(
    describeSettings()
      .filter(({ name }) => name !== 'API_DOCS' && name !== 'PORT')
      .flatMap(({ name, fallback }) => {
        const other = /^\d+$/.test(fallback) ? String(Number(fallback) - 1) : others[fallback];
        return other === undefined || !isRead(name, other) ? [] : [[name, other]];
      }),
  );
  assert.ok(Object.keys(settings).length > 40, `settings are changed: ${Object.keys(settings).length}`);
  const other = await startChancery({ role: 'api', inProcess: true, settings });
  const { body } = await other.app().inject({ url: '/openapi.json' });
  await other.stop();
  assert.equal(body, (await chancery.app().inject({ url: '/openapi.json' })).body);
});

/** Whether a setting takes the value, with all others as they are. */
function isRead(name: string, value: string): boolean {
  try {
    return readConfig({ BASE_URL: chancery.config.BASE_URL, [name]: value }) !== undefined;
  } catch {
    return false;
  }
}

test('what an operation writes into the journal is in its description', () => {
  const undescribed = operations().flatMap(({ at, id, operation }) =>
    (acts[at]?.entries ?? []).filter((type) => !operation.description.includes(`\`${type}\``)).map((type) => `${id}: ${type}`),
  );
  assert.deepEqual(undescribed, []);
});

test('each body and each answer has an example, which fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const violations: string[] = [];
  const look = (where: string, content: Record<string, any> | undefined) => {
    const { schema, example, examples } = content?.['application/json'] ?? content?.['application/x-www-form-urlencoded'] ?? {};
    if (schema === undefined || schema.type === 'null') return;
    const shown = example === undefined ? Object.values<any>(examples ?? {}).map(({ value }) => value) : [example];
    if (shown.length === 0) violations.push(`${where} has no example`);
    const fits = ajv.compile(schema as AnySchemaObject);
    for (const one of shown) if (!fits(one)) violations.push(`${where}: ${ajv.errorsText(fits.errors)}`);
  };
  for (const { id, operation } of operations()) {
    look(`the body of ${id}`, operation.requestBody?.content);
    for (const [status, { content }] of Object.entries<any>(operation.responses))
      if (status.startsWith('2')) look(`${status} of ${id}`, content);
  }
  assert.deepEqual(violations, []);
});

test('each refusal is described by its codes, each with an example of that code', () => {
  for (const { id, operation } of operations()) {
    for (const [status, { content }] of Object.entries<any>(operation.responses)) {
      if (!/^[45]/.test(status)) continue;
      const [{ schema, examples }] = Object.values<any>(content) as [any];
      const [{ required, properties }] = schema.allOf.slice(1);
      const codes = properties[required[0]].enum;
      assert.ok(codes.length > 0, `${status} of ${id}`);
      assert.deepEqual(new Set(Object.values<any>(examples).map(({ value }) => value[required[0]])), new Set(codes), `${status} of ${id}`);
    }
  }
});

test('an answer whose code its operation does not describe fails the test that gets it', async () => {
  const { token } = (await chancery.team()).owner;
  const answer = await chancery.call('GET', '/api/v1/tasks/none', { token });
  assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  const check = (code: string) => chancery.description.check('GET', '/api/v1/tasks/none', { ...answer, body: { ...answer.body, code } });
  check('not_found');
  assert.throws(() => check('template_not_found'), /which the operation does not describe/);
});

/** Members whose names say all there is to say. */
const plain = new Set([
  'id',
  'name',
  'title',
  'description',
  'email',
  'firstName',
  'lastName',
  'createdAt',
  'updatedAt',
  'message',
  'subject',
  'html',
]);

test('each parameter is described, and each member whose name does not say it all', () => {
  const violations: string[] = [];
  const look = (schema: any, place: string): void => {
    if (!schema || typeof schema !== 'object') return;
    for (const [name, member] of Object.entries<any>(schema.properties ?? {})) {
      if (member.description === undefined && member.title === undefined && !plain.has(name)) violations.push(`${place}.${name}`);
      look(member, `${place}.${name}`);
    }
    look(schema.items, place);
    for (const one of schema.anyOf ?? []) look(one, place);
  };
  for (const [name, schema] of Object.entries<any>(chancery.description.document.components.schemas))
    if (!name.endsWith('Event')) look(schema, name);
  for (const { id, operation } of operations())
    for (const { name, description } of operation.parameters ?? []) if (description === undefined) violations.push(`${id}, ?${name}`);
  assert.deepEqual([...new Set(violations)], []);
});
