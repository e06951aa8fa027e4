import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventCatalogue } from '../../journal/audit-actions.ts';
import { problemCatalogue } from '../../problems.ts';
import { type Chancery, sharedChancery, type TestTeam } from '../../../../test/harness.ts';
import { nameSchemas } from './schemas.ts';

let chancery: Chancery;
let description: any;
let team: TestTeam;
before(async () => {
  chancery = await sharedChancery('all');
  description = (await chancery.call('GET', '/openapi.json', { unchecked: true })).body;
  team = await chancery.team();
});

type Described = { method: string; path: string; operation: any };
const operations = (): Described[] =>
  Object.entries<any>(description.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({ method, path, operation })),
  );
const named = (operationId: string) => {
  const found = operations().find(({ operation }) => operation.operationId === operationId);
  assert.ok(found, `${operationId} is described`);
  return found.operation;
};
const schema = (name: string) => description.components.schemas[name];
const resolved = (one: any) =>
  one.$ref === undefined
    ? one
    : one.$ref
        .slice(2)
        .split('/')
        .reduce((at: any, part: string) => at[part], description);

test('each operation has a unique, readable name, a description, and a documented tag', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  assert.deepEqual(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  );
  const tags = description.tags.map(({ name }: any) => name);
  for (const { method, path, operation } of operations()) {
    const at = `${method} ${path}`;
    assert.match(operation.operationId, /^[a-z]+([A-Z0-9][a-z0-9]*)*$/, at);
    assert.doesNotMatch(operation.operationId, /ApiV1|Smartdoc/, `${at}: give it an operationId in the schema of its route`);
    assert.ok(operation.summary && operation.description, `${at} is described`);
    for (const tag of operation.tags) assert.ok(tags.includes(tag), `${tag} of ${at} is in src/api-tags.ts`);
    assert.equal(operation['x-facts'], undefined, 'internal metadata is not published');
  }
});

test('each shown schema has one name, and all references resolve', () => {
  for (const name of [
    'Task',
    'Workflow',
    'WorkflowStep',
    'Document',
    'DocumentVersion',
    'Folder',
    'AuditEntry',
    'WebhookEndpoint',
    'Problem',
  ])
    assert.equal(schema(name)?.type, 'object', name);
  assert.deepEqual(named('getTask').responses['200'].content['application/json'].schema, { $ref: '#/components/schemas/Task' });
  assert.deepEqual(named('listTasks').responses['200'].content['application/json'].schema.items, { $ref: '#/components/schemas/Task' });
  assert.deepEqual(named('completeTask').requestBody.content['application/json'].schema, {
    $ref: '#/components/schemas/CompleteTaskRequest',
  });
  for (const [, reference = ''] of JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g))
    assert.ok(resolved({ $ref: reference }), reference);
});

test('two different schemas cannot have one name', () => {
  const thing = (type: string) => ({ title: 'Thing', type });
  assert.throws(() => nameSchemas({ one: thing('string'), other: thing('object') }, {}), /two different schemas have the title Thing/);
  const { one, other, components } = nameSchemas({ one: thing('string'), other: thing('string') }, {});
  assert.deepEqual(
    [one, other, components],
    [{ $ref: '#/components/schemas/Thing' }, { $ref: '#/components/schemas/Thing' }, { schemas: { Thing: { type: 'string' } } }],
  );
});

test('states, roles, error codes and event types are enums', () => {
  assert.deepEqual(
    [schema('Task').properties.status.type, schema('Task').properties.status.enum],
    ['string', ['open', 'completed', 'rejected', 'cancelled']],
  );
  assert.deepEqual(schema('Workflow').properties.status.enum, ['draft', 'active', 'paused', 'completed', 'rejected', 'cancelled']);
  assert.deepEqual(schema('Member').properties.role.enum, ['owner', 'admin', 'member', 'viewer', 'guest', 'auditor']);
  assert.deepEqual(schema('WebhookDelivery').properties.status.enum, ['pending', 'delivered', 'failed', 'cancelled']);
  assert.deepEqual(schema('ProblemCode').enum, [...problemCatalogue.keys()].toSorted());
  assert.deepEqual(schema('EventTypeName').enum.toSorted(), [...eventCatalogue.keys()].toSorted());
  for (const where of ['Problem', 'RefreshError'])
    assert.deepEqual(schema(where).properties.code, { $ref: '#/components/schemas/ProblemCode' });
  const untyped = Object.entries<any>(description.components.schemas).filter(([, one]) => one.enum && one.type === undefined);
  assert.deepEqual(untyped, []);
});

test('each webhook event is in the webhooks section, with the schema and a valid example of its envelope', () => {
  assert.deepEqual(Object.keys(description.webhooks).toSorted(), [...eventCatalogue.keys()].toSorted());
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const [type, { post }] of Object.entries<any>(description.webhooks)) {
    const { schema: envelope, example } = post.requestBody.content['application/json'];
    const fits = ajv.compile({ ...resolved(envelope), components: description.components });
    assert.ok(fits(example), `${type}: ${ajv.errorsText(fits.errors)}`);
    assert.deepEqual(resolved(envelope).properties.type, { const: type });
    assert.ok(post.parameters.some(({ name, required }: any) => name === 'X-Service-Signature' && required));
  }
});

test('files are files in requests and responses', () => {
  const file = { type: 'string', format: 'binary' };
  const form = resolved(named('createDocument').requestBody.content['multipart/form-data'].schema);
  assert.deepEqual([form.properties.file.type, form.properties.file.format, form.required], ['string', 'binary', ['title']]);
  assert.equal(resolved(named('createDocument').requestBody.content['application/json'].schema).properties.file, undefined);
  const version = resolved(named('uploadDocumentVersion').requestBody.content['multipart/form-data'].schema);
  assert.deepEqual(version.required, ['file']);
  assert.deepEqual(named('downloadDocument').responses['200'].content, { '*/*': { schema: file } });
  assert.ok(named('downloadDocument').responses['206']);
  assert.deepEqual(Object.keys(named('exportAuditJournal').responses['200'].content), ['application/x-ndjson']);
  assert.deepEqual(Object.keys(named('getTlogCheckpoint').responses['200'].content), ['text/plain']);
});

test('headers for paging, versions and idempotency are described', () => {
  const takes = (operationId: string) =>
    named(operationId)
      .parameters.filter((one: any) => one.$ref)
      .map((one: any) => resolved(one).name);
  assert.deepEqual(takes('updateDocument'), ['If-Match']);
  assert.deepEqual(takes('completeTask'), ['Idempotency-Key', 'If-Match']);
  assert.deepEqual(takes('getTask'), ['If-None-Match']);
  assert.deepEqual(takes('downloadDocument'), ['If-None-Match', 'Range']);
  assert.deepEqual(Object.keys(named('listTasks').responses['200'].headers), ['Link', 'X-Total-Count', 'Preference-Applied']);
  assert.deepEqual(Object.keys(named('createTask').responses['201'].headers), ['ETag', 'Location', 'Warning', 'Idempotency-Replayed']);
  assert.ok(named('getTask').responses['304']);
});

test('optional bodies, and parameters with a default, are not required', () => {
  assert.equal(named('refresh').requestBody.required, false);
  assert.equal(resolved(named('refresh').requestBody.content['application/json'].schema).type, 'object');
  assert.equal(named('login').requestBody.required, true);
  const limits = operations().flatMap(({ operation }) =>
    (operation.parameters ?? []).filter((one: any) => one.schema?.default !== undefined),
  );
  assert.ok(limits.length > 0);
  for (const { name, required } of limits) assert.equal(required, false, name);
});

test('each operation lists its errors, and the description contains the URL of the service', () => {
  for (const { method, path, operation } of operations()) {
    const refusals = Object.keys(operation.responses).filter((status) => status.startsWith('4'));
    assert.ok(refusals.length > 0 && operation.responses.default, `${method} ${path}`);
  }
  assert.deepEqual(description.servers, [{ url: chancery.config.BASE_URL }]);
});

test('JSON with a member `file` is rejected, since JSON cannot contain files', async () => {
  const path = '/api/v1/smartdoc/documents/';
  const answer = await chancery.call('POST', path, { token: team.owner.token, body: { title: 'Contract', file: {} } });
  assert.deepEqual([answer.status, answer.body.code, answer.body.errors?.[0]?.pointer], [400, 'validation_failed', '/file']);
});
