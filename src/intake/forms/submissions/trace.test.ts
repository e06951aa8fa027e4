import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs, formsPath, workflowOutput } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { smallTemplate } from '../../../../test/operations/small-template.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
let templateId: string;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
  templateId = (await ok('POST', '/api/v1/document-templates/', smallTemplate())).id;
});

const { call, ok, published, submitted, read, settled, templateOf } = askingOutputs(
  () => chancery,
  () => creator,
);
const registryOf = async (by = creator): Promise<string> => {
  const fields = [
    { id: 'name', type: 'text', label: 'Name', required: true },
    { id: 'code', type: 'text', label: 'Code', unique: true },
  ];
  return (await ok('POST', '/api/v1/registries/', { name: `Parties ${randomUUIDv7()}`, fields }, by)).id;
};
const row = (registryId: string, members: object = {}) => ({
  id: 'row',
  make: 'record',
  registryId,
  fields: { name: { from: 'company' } },
  ...members,
});
const nda = (members: object = {}) => ({
  id: 'nda',
  make: 'document',
  templateId,
  title: { text: 'NDA' },
  values: { name: { from: 'company' } },
  ...members,
});
const trace = (form: { id: string }, id: string, user = creator) =>
  ok('GET', `${formsPath}/${form.id}/submissions/${id}/trace`, undefined, user);

test('a trace has the results, the failures and what waits for them', async () => {
  const registry = await registryOf();
  const steps = [{ id: 'review', type: 'task', name: 'Review', assignees: [creator.id] }];
  const flow = await templateOf(...steps);
  await ok('POST', `/api/v1/registries/${registry}/records`, { data: { name: 'First', code: 'one' } });
  const form = await published([
    nda(),
    workflowOutput(flow),
    row(registry),
    row(registry, { id: 'twice', fields: { name: { from: 'company' }, code: { text: 'one' } } }),
    row(registry, { id: 'last', needs: ['twice'] }),
    row(registry, { id: 'never', when: { field: 'kind', eq: 'oneway' } }),
  ]);
  const id = await submitted(form);
  const { outputs } = await settled(form, id, (found) => found.every((one) => one.status !== 'waiting' || one.id === 'last'));
  const [document, workflow, record] = outputs.map(({ resultId }: any) => resultId);
  const { items, status } = await trace(form, id);
  const { detail, ...failed } = items[3];
  assert.deepEqual(
    [status, ...items.slice(0, 3), failed, ...items.slice(4)],
    [
      'failed',
      { id: 'nda', make: 'document', status: 'done', attempts: 1, result: { id: document, title: 'NDA', status: 'draft' } },
      {
        id: 'flow',
        make: 'workflow',
        status: 'done',
        attempts: 1,
        result: {
          id: workflow,
          title: (await ok('GET', `/api/v1/workflows/${workflow}`)).name,
          status: 'active',
          steps: [{ id: 'review', type: 'task', name: 'Review', status: 'active' }],
        },
      },
      { id: 'row', make: 'record', status: 'done', attempts: 1, result: { id: record, registryId: registry, status: 'active' } },
      { id: 'twice', make: 'record', status: 'failed', attempts: 1, code: 'registry_value_taken' },
      { id: 'last', make: 'record', status: 'waiting', attempts: 0, waitsFor: ['twice'] },
      { id: 'never', make: 'record', status: 'skipped', attempts: 1 },
    ],
  );
  assert.match(detail, /unique/);
});

test('a trace hides results that the caller cannot read', async () => {
  const registry = await registryOf();
  const form = await published([nda(), row(registry)]);
  const id = await submitted(form);
  await settled(form, id);
  const reader = await chancery.user(team);
  await ok('POST', `${formsPath}/${form.id}/shares`, { userId: reader.id, rights: ['submissions'] });
  const hidden = { status: 'done', attempts: 1, isHidden: true };
  assert.deepEqual((await trace(form, id, reader)).items, [
    { id: 'nda', make: 'document', ...hidden },
    { id: 'row', make: 'record', ...hidden },
  ]);
  await ok('POST', `/api/v1/registries/${registry}/access`, { userId: reader.id, access: 'read' });
  const { items } = await trace(form, id, reader);
  assert.equal(items[1].result.registryId, registry);
});

test('a trace also has the effects of older settings', async () => {
  const form = await published([], { createsDocument: true });
  const { items } = await trace(form, await submitted(form));
  assert.deepEqual(
    items.map((one: any) => [one.id, one.make]),
    [
      ['document', 'document'],
      ['pdf', 'pdf'],
    ],
  );
});

test('an output that a limit delays is tried again, and the trace has the time and the reason', async () => {
  const registry = await registryOf();
  // PostgreSQL reports that it reached the time limit. The service then asks callers to try again.
  await chancery.pool.query(`CREATE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$`);
  await chancery.pool.query(
    `CREATE TRIGGER too_slow BEFORE INSERT ON registry_record FOR EACH ROW WHEN (NEW.registry_id = '${registry}') EXECUTE FUNCTION too_slow()`,
  );
  const form = await published([row(registry)]);
  const id = await submitted(form);
  try {
    await settled(form, id, ([one]) => one.attempts === 2);
    const [{ detail, nextAttemptAt, ...item }] = (await trace(form, id)).items;
    assert.deepEqual([item.status, item.code], ['waiting', 'statement_timeout']);
    assert.ok(Date.parse(nextAttemptAt) > Date.parse((await read(form, id)).createdAt) && detail !== '');
  } finally {
    await chancery.pool.query('DROP FUNCTION too_slow CASCADE');
  }
  const { outputs } = await settled(form, id);
  assert.equal(outputs[0].status, 'done');
  assert.equal((await trace(form, id)).items[0].nextAttemptAt, undefined);
});

test('the trace of an erased submission is empty', async () => {
  const form = await published([row(await registryOf())]);
  const id = await submitted(form);
  await settled(form, id);
  await ok('DELETE', `${formsPath}/${form.id}/submissions/${id}`);
  assert.deepEqual(await trace(form, id), { id, status: 'erased', items: [] });
});

test('a member who can edit the form but not read its submissions gets no trace', async () => {
  const form = await published([row(await registryOf())]);
  const id = await submitted(form);
  const editor = await chancery.user(team);
  await ok('POST', `${formsPath}/${form.id}/shares`, { userId: editor.id, rights: ['edit'] });
  assert.equal((await call('GET', `${formsPath}/${form.id}/submissions/${id}/trace`, undefined, editor)).status, 403);
});
