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

test('each operation has a unique description that is longer than its summary', () => {
  const ids = new Set(operations().map(({ id }) => id));
  assert.deepEqual(
    [...texts.operations.keys()].filter((id) => !ids.has(id)),
    [],
    'each description belongs to an operation',
  );
  const said = new Map<string, string>();
  for (const { id, operation } of operations()) {
    const text = texts.operations.get(id)?.text ?? '';
    assert.ok(text.length > operation.summary.length + 40, `${id} is described: ${text}`);
    assert.ok(operation.description.startsWith(text));
    assert.equal(said.get(text), undefined, `${id} has the description of ${said.get(text)}`);
    said.set(text, id);
  }
});

test('the API description depends only on the address of the service, not on other settings', async () => {
  // Test services rely on this: they build the description once for each address.
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

/** Whether a setting accepts the value while the others are unchanged. */
function isRead(name: string, value: string): boolean {
  try {
    return readConfig({ BASE_URL: chancery.config.BASE_URL, [name]: value }) !== undefined;
  } catch {
    return false;
  }
}

test('the description of an operation names its journal entries', () => {
  const undescribed = operations().flatMap(({ at, id, operation }) =>
    (acts[at]?.entries ?? []).filter((type) => !operation.description.includes(`\`${type}\``)).map((type) => `${id}: ${type}`),
  );
  assert.deepEqual(undescribed, []);
});

test('each body and each response has an example that matches its schema', () => {
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

test('each error response lists its codes, with an example for each code', () => {
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

test('a response with an undescribed error code fails the test that receives it', async () => {
  const { token } = (await chancery.team()).owner;
  const answer = await chancery.call('GET', '/api/v1/tasks/none', { token });
  assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  const check = (code: string) => chancery.description.check('GET', '/api/v1/tasks/none', { ...answer, body: { ...answer.body, code } });
  check('not_found');
  assert.throws(() => check('template_not_found'), /which the operation does not describe/);
});

/** Members whose names need no description. */
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

test('each parameter is described, and each member with a name that needs a description', () => {
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
