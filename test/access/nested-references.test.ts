import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type User } from '../harness.ts';
import { smallTemplate } from '../operations/small-template.ts';
import { publishForm } from '../published-forms.ts';
import { named } from '../suites/walk.ts';
import { openWorld, type AccessWorld } from './callers.ts';
import { file } from './things.ts';
import { sample } from '../tier.ts';

/*
 * `references.test.ts` tests the top-level members of a body. These tests cover nested members and members of any shape.
 * The id of a hidden resource gets the same response, word for word, as an id without a resource. The API description lists these
 * members. A member that is neither tested nor explained below fails a test.
 */

let chancery: Chancery;
let world: AccessWorld;
let hidden: Record<Kind, Partial<Record<How, string>>>;
let mine: { registry: string; record: string; template: string; document: string; auditor: string };

type Kind = 'form' | 'record' | 'registry' | 'folder' | 'agent' | 'endpoint' | 'task' | 'job' | 'person' | 'document';
/** The reason why a resource is hidden from a caller. */
type How = 'of a colleague' | 'behind a barrier' | 'of another team';

before(async () => {
  chancery = await sharedChancery();
  world = await openWorld(chancery);
  hidden = await makeHidden();
});

const formOf = (by: User, config = {}) =>
  publishForm(chancery, by, { fields: [{ id: 'amount', type: 'integer', label: 'Amount' }], config });

async function makeHidden(): Promise<typeof hidden> {
  const { made, people } = world;
  const { creator, member } = people;
  const folder = await made('creator', 'POST', '/api/v1/smartdoc/folders/', { name: 'Secret' });
  const barred = await made('creator', 'POST', '/api/v1/smartdoc/folders/', { name: 'Barred' });
  const document = await made('creator', 'POST', '/api/v1/smartdoc/documents/', file('Barred', { folderId: barred.id }));
  const about = await made('creator', 'POST', '/api/v1/tasks/', { title: 'Secret', documentId: document.id, assignedTo: creator.id });
  const task = await made('creator', 'POST', '/api/v1/tasks/', { title: 'Secret', assignedTo: creator.id });
  const form = await formOf(creator);
  const keptBehind = await formOf(creator, { folderId: barred.id });
  const registry = await made('creator', 'POST', '/api/v1/registries/', registryOf([]));
  const record = await made('creator', 'POST', `/api/v1/registries/${registry.id}/records`, { data: { name: 'Secret' } });
  const agent = await made('owner', 'POST', '/ws/api/agents/', { name: 'Secret' });
  const job = await made('owner', 'POST', '/ws/api/agents/cron', { ...agentJob, agentId: agent.id });
  const endpoint = await made('owner', 'POST', '/api/v1/webhooks/', { name: 'Secret', url: 'https://hook.example/', events: ['*'] });
  // The caller could read the registry earlier, and has a registry with a field that refers to it.
  const share = await made('creator', 'POST', `/api/v1/registries/${registry.id}/access`, { userId: member.id, access: 'read' });
  const ofMine = await made('member', 'POST', '/api/v1/registries/', registryOf([{ ...party, registryTypeId: registry.id }]));
  const mineRecord = await made('member', 'POST', `/api/v1/registries/${ofMine.id}/records`, { data: { name: 'Mine' } });
  await made('creator', 'DELETE', `/api/v1/registries/${registry.id}/access/${share.id}`);
  const template = await made('member', 'POST', '/api/v1/document-templates/', smallTemplate());
  const own = await made('member', 'POST', '/api/v1/smartdoc/documents/', file('Mine'));
  mine = { registry: ofMine.id, record: mineRecord.id, template: template.id, document: own.id, auditor: world.people.auditor.id };
  await made('owner', 'PUT', '/api/v1/team/policy', { secondFactor: false, membersMaySponsor: true });
  await made('creator', 'PUT', `/api/v1/smartdoc/folders/${barred.id}/barrier`, { userIds: [] });

  const other = (await chancery.team()).owner;
  const theirs = async (path: string, body: object) => {
    const answer = await chancery.call('POST', path, { token: other.token, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id as string;
  };
  const ofColleague = await made('creator', 'POST', '/api/v1/smartdoc/documents/', file('Secret'));
  const theirRegistry = await theirs('/api/v1/registries/', registryOf([]));
  return {
    form: { 'of a colleague': form.id, 'behind a barrier': keptBehind.id, 'of another team': (await formOf(other)).id },
    record: {
      'of a colleague': record.id,
      'of another team': await theirs(`/api/v1/registries/${theirRegistry}/records`, { data: { name: 'Secret' } }),
    },
    registry: { 'of a colleague': registry.id, 'of another team': theirRegistry },
    folder: {
      'of a colleague': folder.id,
      'behind a barrier': barred.id,
      'of another team': await theirs('/api/v1/smartdoc/folders/', { name: 'Secret' }),
    },
    agent: { 'of a colleague': agent.id, 'of another team': await theirs('/ws/api/agents/', { name: 'Secret' }) },
    endpoint: {
      'of a colleague': endpoint.id,
      'of another team': await theirs('/api/v1/webhooks/', { name: 'Secret', url: 'https://hook.example/', events: ['*'] }),
    },
    task: {
      'of a colleague': task.id,
      'behind a barrier': about.id,
      'of another team': await theirs('/api/v1/tasks/', { title: 'Secret', assignedTo: other.id }),
    },
    job: { 'of a colleague': job.id, 'of another team': await theirs('/ws/api/agents/cron', agentJob) },
    person: { 'of another team': other.id },
    document: {
      'of a colleague': ofColleague.id,
      'behind a barrier': document.id,
      'of another team': await theirs('/api/v1/smartdoc/documents/', file('Secret')),
    },
  };
}

const agentJob = { name: 'Job', cron: '0 0 1 1 *', message: 'Look' };
const party = { id: 'party', type: 'registry', label: 'Party' };
const registryOf = (more: object[]) => ({ name: 'Parties', fields: [{ id: 'name', type: 'text', label: 'Name' }, ...more] });

/** A caller, and the folder of its own resources if it is a client with limited folders. */
type Asker = { token: string; within?: string };
let asker: Asker;
const ask = (method: string, path: string, body?: unknown): Promise<TestResponse> => world.send(asker.token, method, path, body);
/** Creates a resource of the caller and returns its id. A caller who cannot create one gets an id without a resource. */
const own = async (path: string, body: object): Promise<string> => (await ask('POST', path, body)).body?.id ?? randomUUIDv7();
const inside = () => (asker.within === undefined ? {} : { folderId: asker.within });

const workflows = '/api/v1/workflows';
const workflowOf = (...steps: object[]) => ({ name: 'Mine', documentId: 'DMS-1', steps });
type Template = { name: string; description: string; steps: object[]; parameters?: object[] };
const templateOf = (...steps: object[]): Template => ({ name: `t-${randomUUIDv7()}`, description: 'Mine', steps });
const plain = { id: 'a', type: 'task' };

/** Steps that name a resource in their settings. */
const stepsThatName: Record<string, { kind: Kind; of: (id: string) => object[] }> = {
  'of a form': { kind: 'form', of: (id) => [{ id: 'f', type: 'form', assignedTo: world.people.assignee.id, config: { interfaceId: id } }] },
  'of a form whose answers decide': {
    kind: 'form',
    of: (id) => [
      { id: 'f', type: 'form', assignedTo: world.people.assignee.id, config: { interfaceId: id } },
      { id: 'c', type: 'task', config: { when: { field: 'f/amount', gt: 3 } } },
    ],
  },
  'of a form that has no such answer': {
    kind: 'form',
    of: (id) => [
      { id: 'f', type: 'form', config: { interfaceId: id } },
      { id: 'c', type: 'task', config: { when: { field: 'f/other', eq: 'x' } } },
    ],
  },
  'of an agent': { kind: 'agent', of: (id) => [{ id: 'a', type: 'agent', config: { agentId: id, message: 'Look' } }] },
  'of an endpoint': { kind: 'endpoint', of: (id) => [{ id: 'a', type: 'webhook', config: { endpointId: id, waitForAnswer: true } }] },
};

type Use = { kind: Kind; use: (id: string) => Promise<TestResponse> };
const inSteps = (operation: string, use: (steps: object[]) => Promise<TestResponse>): Record<string, Use> => ({
  ...Object.fromEntries(
    Object.entries(stepsThatName).map(([about, { kind, of }]) => [
      `${operation} steps[].config ${about}`,
      { kind, use: (id: string) => use(of(id)) },
    ]),
  ),
  [`${operation} steps[].assignedTo`]: { kind: 'person', use: (id) => use([{ ...plain, assignedTo: id }]) },
  [`${operation} steps[].assignees`]: { kind: 'person', use: (id) => use([{ ...plain, assignees: [id, world.people.member.id] }]) },
});

/** Uses a new template of the caller and deletes it afterwards, because a team has a maximum number of templates. */
async function withTemplate(template: Template, use: (made: TestResponse, path: string) => Promise<TestResponse>): Promise<TestResponse> {
  const path = `${workflows}/templates/${template.name}`;
  const answer = await use(await ask('POST', `${workflows}/templates`, template), path);
  await ask('DELETE', path);
  return answer;
}
const fromTemplate = (template: Template, members: object) =>
  withTemplate(template, (_, path) => ask('POST', path, { documentId: 'DMS-1', ...members }));

const forms = '/api/v1/interfaces';
const registries = '/api/v1/registries';
const matters = '/api/v1/matters';
const ownForm = () => own(`${forms}/`, { title: 'Mine', type: 'form', fields: [], config: inside() });
const records = () => `${registries}/${mine.registry}/records`;
function csv(id: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([`name,party\nMine,${id}\n`], { type: 'text/csv' }), 'records.csv');
  return form;
}

/** A field with a record as its default. The caller already has a field that refers to this registry. */
const withDefault = (id: string) => [{ ...party, registryTypeId: hidden.registry['of a colleague'], default: id }];

async function changedJob(delivery: object): Promise<TestResponse> {
  const job = await world.made('owner', 'POST', '/ws/api/agents/cron', agentJob);
  return ask('PATCH', `/ws/api/agents/cron/${job.id}`, { delivery });
}
/** Sends a seat of an auditor with a folder. */
const seat = (method: 'POST' | 'PATCH', path: string, id: string) => {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const things = [{ type: 'folder', id }];
  const invited = { email: `${randomUUIDv7()}@example.org`, endsAt: at(1), journalFrom: at(-1), journalTo: at(1), mayExport: false };
  return ask(method, path, method === 'POST' ? { ...invited, things } : { things });
};
const toAsk = (id: string) => ({ mode: 'task', assignedTo: id });
const toSend = (endpointId: string) => ({ mode: 'webhook', endpointId });

/** By operation and member: the kind of resource that the member names, and the request that sends it. */
const uses: Record<string, Use> = {
  ...inSteps('POST /api/v1/workflows/', (steps) => ask('POST', `${workflows}/`, workflowOf(...steps))),
  ...inSteps('PUT /api/v1/workflows/{id}', async (steps) => {
    const flow = await own(`${workflows}/`, workflowOf(plain));
    return ask('PUT', `${workflows}/${flow}`, { steps });
  }),
  ...inSteps('POST /api/v1/workflows/templates', (steps) => withTemplate(templateOf(...steps), async (made) => made)),
  ...inSteps('PUT /api/v1/workflows/templates/{name}', (steps) =>
    withTemplate(templateOf(plain), (_, path) => ask('PUT', path, { description: 'Mine', steps })),
  ),
  ...inSteps('POST /api/v1/workflows/templates/{name}', (steps) => fromTemplate(templateOf(...steps), {})),
  'POST /api/v1/workflows/templates/{name} parameters': {
    kind: 'form',
    use: (x) =>
      fromTemplate(
        {
          ...templateOf({ id: 'f', type: 'form', config: { interfaceId: '{{x}}' } }),
          parameters: [{ name: 'x', type: 'text', default: randomUUIDv7() }],
        },
        { parameters: { x } },
      ),
  },
  'POST /api/v1/workflows/templates/{name} assignees': {
    kind: 'person',
    use: (id) => fromTemplate(templateOf(plain), { assignees: { a: [id] } }),
  },
  'POST /api/v1/smartdoc/documents/label items[].id': {
    kind: 'document',
    use: (id) => ask('POST', '/api/v1/smartdoc/documents/label', { items: [{ id, labels: [] }] }),
  },
  'POST /api/v1/tasks/complete items[].id': {
    kind: 'task',
    use: (id) => ask('POST', '/api/v1/tasks/complete', { items: [{ id }] }),
  },
  'POST /api/v1/tasks/reassign items[].id': {
    kind: 'task',
    use: (id) => ask('POST', '/api/v1/tasks/reassign', { items: [{ id, userId: world.people.member.id }] }),
  },
  'POST /api/v1/tasks/reassign items[].userId': {
    kind: 'person',
    use: async (userId) =>
      ask('POST', '/api/v1/tasks/reassign', { items: [{ id: await own('/api/v1/tasks/', { title: 'Mine' }), userId }] }),
  },
  [`POST ${registries}/{typeId}/records/ data`]: { kind: 'record', use: (id) => ask('POST', records(), { data: { party: id } }) },
  [`PUT ${registries}/{typeId}/records/{id} data`]: {
    kind: 'record',
    use: (id) => ask('PUT', `${records()}/${mine.record}`, { data: { party: id } }),
  },
  [`PATCH ${registries}/{typeId}/records/{id} data`]: {
    kind: 'record',
    use: (id) => ask('PATCH', `${records()}/${mine.record}`, { data: { party: id } }),
  },
  [`POST ${registries}/{typeId}/records/import file`]: { kind: 'record', use: (id) => ask('POST', `${records()}/import`, csv(id)) },
  [`GET ${registries}/{typeId}/records/ filter`]: {
    kind: 'record',
    use: async (id) => {
      // A record that refers to it, if the caller can create one.
      await ask('POST', records(), { data: { party: id } });
      return ask('GET', `${records()}?filter=party:eq:${id}`);
    },
  },
  [`POST ${registries}/ fields[].default`]: {
    kind: 'record',
    use: (id) => ask('POST', `${registries}/`, { name: 'Mine', fields: withDefault(id) }),
  },
  [`PUT ${registries}/{id} fields[].default`]: {
    kind: 'record',
    use: (id) => ask('PUT', `${registries}/${mine.registry}`, { fields: [...registryOf([]).fields, ...withDefault(id)] }),
  },
  [`POST ${forms}/ fields[].default`]: {
    kind: 'record',
    use: (id) => ask('POST', `${forms}/`, { title: 'Mine', type: 'form', fields: withDefault(id) }),
  },
  [`PUT ${forms}/{id} fields[].default`]: {
    kind: 'record',
    use: async (id) => ask('PUT', `${forms}/${await ownForm()}`, { fields: withDefault(id) }),
  },
  [`POST ${registries}/ fields[].registryTypeId`]: {
    kind: 'registry',
    use: (id) => ask('POST', `${registries}/`, { name: 'Mine', fields: [{ ...party, registryTypeId: id }] }),
  },
  [`PUT ${registries}/{id} fields[].registryTypeId`]: {
    kind: 'registry',
    use: async (id) =>
      ask('PUT', `${registries}/${await own(`${registries}/`, registryOf([]))}`, { fields: [{ ...party, registryTypeId: id }] }),
  },
  [`POST ${forms}/ fields[].registryTypeId`]: {
    kind: 'registry',
    use: (id) => ask('POST', `${forms}/`, { title: 'Mine', type: 'form', fields: [{ ...party, registryTypeId: id }] }),
  },
  [`PUT ${forms}/{id} fields[].registryTypeId`]: {
    kind: 'registry',
    use: async (id) => ask('PUT', `${forms}/${await ownForm()}`, { fields: [{ ...party, registryTypeId: id }] }),
  },
  [`POST ${forms}/ config.notify`]: {
    kind: 'person',
    use: (id) => ask('POST', `${forms}/`, { title: 'Mine', type: 'form', config: { notify: [id] } }),
  },
  [`PUT ${forms}/{id} config.notify`]: {
    kind: 'person',
    use: async (id) => ask('PUT', `${forms}/${await ownForm()}`, { config: { notify: [id] } }),
  },
  [`POST ${forms}/ config.folderId`]: {
    kind: 'folder',
    use: (folderId) => ask('POST', `${forms}/`, { title: 'Mine', type: 'form', config: { folderId } }),
  },
  [`PUT ${forms}/{id} config.folderId`]: {
    kind: 'folder',
    use: async (folderId) => ask('PUT', `${forms}/${await ownForm()}`, { config: { folderId } }),
  },
  [`POST ${forms}/ config.bindsRegistryTypeId`]: {
    kind: 'registry',
    use: (id) => ask('POST', `${forms}/`, { title: 'Mine', type: 'form', config: { bindsRegistryTypeId: id } }),
  },
  [`PUT ${forms}/{id} config.bindsRegistryTypeId`]: {
    kind: 'registry',
    use: async (id) => ask('PUT', `${forms}/${await ownForm()}`, { config: { bindsRegistryTypeId: id } }),
  },
  [`POST ${forms}/{id}/duplicate id`]: { kind: 'form', use: (id) => ask('POST', `${forms}/${id}/duplicate`, {}) },
  'POST /api/v1/document-templates/{id}/documents record.registryTypeId': {
    kind: 'registry',
    use: (registryTypeId) =>
      ask('POST', `/api/v1/document-templates/${mine.template}/documents`, {
        record: { registryTypeId, recordId: hidden.record['of a colleague'] },
      }),
  },
  'POST /api/v1/document-templates/{id}/documents record.recordId': {
    kind: 'record',
    use: (recordId) =>
      ask('POST', `/api/v1/document-templates/${mine.template}/documents`, {
        record: { registryTypeId: hidden.registry['of a colleague'], recordId },
      }),
  },
  'POST /ws/api/agents/cron delivery.endpointId': {
    kind: 'endpoint',
    use: (id) => ask('POST', '/ws/api/agents/cron', { ...agentJob, delivery: toSend(id) }),
  },
  'PATCH /ws/api/agents/cron/{id} delivery.endpointId': { kind: 'endpoint', use: (id) => changedJob(toSend(id)) },
  'POST /ws/api/agents/cron delivery.assignedTo': {
    kind: 'person',
    use: (id) => ask('POST', '/ws/api/agents/cron', { ...agentJob, delivery: toAsk(id) }),
  },
  'PATCH /ws/api/agents/cron/{id} delivery.assignedTo': { kind: 'person', use: (id) => changedJob(toAsk(id)) },
  'GET /ws/api/agents/runs jobId': { kind: 'job', use: (id) => ask('GET', `/ws/api/agents/runs?jobId=${id}`) },
  'POST /api/v1/security/clients/ folderIds': {
    kind: 'folder',
    use: (id) => ask('POST', '/api/v1/security/clients/', { name: 'Mine', scopes: ['folders:read'], folderIds: [id] }),
  },
  'POST /ws/api/agents/ folderIds': { kind: 'folder', use: (id) => ask('POST', '/ws/api/agents/', { name: 'Mine', folderIds: [id] }) },
  'POST /api/v1/matters/{id}/contents items[].id': {
    kind: 'folder',
    use: async (id) =>
      ask('POST', `${matters}/${await own(`${matters}/`, { name: 'Mine' })}/contents`, { items: [{ type: 'folder', id }] }),
  },
  'POST /api/v1/matters/{id}/contents/remove items[].id': {
    kind: 'folder',
    use: async (id) =>
      ask('POST', `${matters}/${await own(`${matters}/`, { name: 'Mine' })}/contents/remove`, { items: [{ type: 'folder', id }] }),
  },
  'POST /api/v1/team/invitations access[].id': {
    kind: 'folder',
    use: (id) =>
      ask('POST', '/api/v1/team/invitations', {
        email: `${randomUUIDv7()}@example.org`,
        role: 'guest',
        endsAt: new Date(Date.now() + 86_400_000).toISOString(),
        access: [{ type: 'folder', id, relation: 'viewer' }],
      }),
  },
  'POST /api/v1/team/invitations/batch items[].access[].id': {
    kind: 'folder',
    use: (id) =>
      ask('POST', '/api/v1/team/invitations/batch', {
        items: [
          {
            email: `${randomUUIDv7()}@example.org`,
            role: 'guest',
            endsAt: new Date(Date.now() + 86_400_000).toISOString(),
            access: [{ type: 'folder', id, relation: 'viewer' }],
          },
        ],
      }),
  },
  'POST /api/v1/team/auditors things[].id': { kind: 'folder', use: (id) => seat('POST', '/api/v1/team/auditors', id) },
  'PATCH /api/v1/team/auditors/{userId} things[].id': {
    kind: 'folder',
    use: async (id) => seat('PATCH', `/api/v1/team/auditors/${mine.auditor}`, id),
  },
  'POST /api/v1/workflows/ documents[].documentId': {
    kind: 'document',
    use: (documentId) =>
      ask('POST', '/api/v1/workflows/', {
        name: 'Mine',
        documents: [{ name: 'annex', documentId }],
        steps: [{ id: 'a', type: 'review', assignedTo: world.people.member.id }],
      }),
  },
  'PUT /api/v1/workflows/{id} documents[].documentId': {
    kind: 'document',
    use: async (documentId) => {
      const steps = [{ id: 'a', type: 'review', assignedTo: world.people.member.id }];
      const id = await own('/api/v1/workflows/', { name: 'Mine', documentId: 'DMS-1', steps });
      return ask('PUT', `/api/v1/workflows/${id}`, { documents: [{ name: 'annex', documentId }] });
    },
  },
  'POST /api/v1/signatures/ documents[].documentId': {
    kind: 'document',
    use: (documentId) =>
      ask('POST', '/api/v1/signatures/', { documents: [{ documentId }], signers: [{ name: 'Ada', email: 'ada@example.org' }] }),
  },
  'GET /api/v1/security/audit targetId': { kind: 'folder', use: (id) => ask('GET', `/api/v1/security/audit?targetId=${id}`) },
  // The last one, because it deletes a document that the caller can read.
  'POST /api/v1/smartdoc/documents/delete items[].id': {
    kind: 'document',
    use: (id) => ask('POST', '/api/v1/smartdoc/documents/delete', { items: [{ id }] }),
  },
};

/** Nested members and members of any shape that name no resource of the team. */
const namesNothing: [member: RegExp, reason: string][] = [
  [/^(passkey|response)\.(id|rawId)$/, 'the id of the passkey itself'],
  [/^metadata$|^headers$/, 'a text of the caller that Chancery does not read'],
  [/^(title|description)$|\.?(label|help|placeholder|message|submitLabel|successMessage)$/, 'texts by language'],
  [/^steps\[\]\.id$|^(signers\[\]\.)?fields\[\]\.(options\[\]\.)?id$/, 'a name within the body itself'],
  [/^config\.bindsRegistryFields$/, 'names of fields'],
  [/^config(\.uploads)?$/, 'settings of a form; Chancery does not read unknown members'],
  [/^roleGroups\[\]\.groupId$|^steps\[\]\.groups$/, 'groups, which all members see'],
  [/^rules\.rules\[\]\.id$|^rules\[\]\.id$|^config\.then\[\]\.id$/, 'a name within the body itself'],
  [/^config\.then\[\]\.(values|parameters)$/, 'sources of values, which name fields of the form'],
  [/^schema$|^files\[\]\.(mediaType|size|sha256)$/, 'parts of a template'],
];

/** By operation: members of any shape that name no resource. */
const noNames: Record<string, string> = {
  'POST /api/v1/workflows/templates/{name} documents[].documentId': 'the same check as in a new workflow',
  'POST /api/v1/team/invitations/batch items[].sponsorId': 'a member of the team, as in one invitation',
  'POST /api/v1/signatures/retry items[].id': 'tested in references.test.ts',
  'POST /api/v1/webhooks/{id}/deliveries/retry items[].id': 'a delivery of the endpoint in the path',
  'POST /api/v1/downloads body': 'the body of another operation, which runs with the access of the caller',
  'POST /api/v1/approval-policies/{name}/try answers': 'values of the caller, which look up no resource',
  'POST /api/v1/approval-policies/{name}/try parameters': 'persons of the team',
  'POST /api/v1/interfaces/ config.then[].templateId': 'checked with the rights of the author when the form is saved (outputs.test.ts)',
  'PUT /api/v1/interfaces/{id} config.then[].templateId': 'checked with the rights of the author when the form is saved (outputs.test.ts)',
  'POST /api/v1/interfaces/ config.then[].registryId': 'checked with the rights of the author when the form is saved (records.test.ts)',
  'PUT /api/v1/interfaces/{id} config.then[].registryId': 'checked with the rights of the author when the form is saved (records.test.ts)',
  'POST /api/v1/interfaces/ config.then[].fields': 'sources of values, which look up no resource',
  'PUT /api/v1/interfaces/{id} config.then[].fields': 'sources of values, which look up no resource',
  'POST /api/v1/interfaces/{id}/check data': 'answers, which look up no resource',
  'POST /api/v1/signatures/bulk data': 'data for a template, which looks up no resource by it',
  'POST /api/v1/document-templates/{id}/preview data': 'data for a template, which looks up no resource by it',
  'POST /api/v1/registries/{typeId}/records/import/preview file': 'cells; a preview looks up no resource by them',
  'POST /api/v1/matters/ fields': 'values of the caller, which Chancery does not read',
  'PATCH /api/v1/matters/{id} fields': 'values of the caller, which Chancery does not read',
  'POST /api/v1/document-templates/{id}/documents data': 'data for a template, which looks up no resource by it',
};

/** Members that an update accepts unchanged, so that a client can send back a response. */
const takenBack = /^Read-only/;

/** Calls `found` for each nested member with the name of an id, and for each member of any shape. */
function look(schema: any, at: string, found: (member: string) => void): void {
  if (typeof schema !== 'object' || schema === null || takenBack.test(schema.description ?? '')) return;
  const within = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => some ?? []);
  const { properties, items, additionalProperties: others } = schema;
  const shapeless = schema.type === 'object' || (schema.type === undefined && schema.enum === undefined && !('const' in schema));
  if (at !== '' && shapeless && !properties && !items && within.length === 0) found(at);
  for (const one of within) look(one, at, found);
  look(items, `${at}[]`, found);
  look(others, `${at}.*`, () => found(at));
  for (const [name, member] of Object.entries<any>(properties ?? {})) {
    const inner = at === '' ? name : `${at}.${name}`;
    const kinds = [member, member.items, ...(member.anyOf ?? [])];
    if (at !== '' && (/^id$|Ids?$|^assigne/.test(name) || kinds.some((kind) => kind?.format === 'uuid'))) found(inner);
    look(member, inner, found);
  }
}

/** Returns all such members of the bodies that a caller of a team can send. */
function nestedMembers(): string[] {
  const { document, operations } = chancery.description;
  const all = operations.flatMap((operation) => {
    if (operation.access !== 'user') return [];
    const content = document.paths[operation.path][operation.method.toLowerCase()].requestBody?.content ?? {};
    const found: string[] = [];
    for (const { schema } of Object.values<any>(content)) look(schema, '', (member) => found.push(`${named(operation)} ${member}`));
    return found;
  });
  return [...new Set(all)];
}

const memberOf = (name: string) => name.split(' ').slice(0, 3).join(' ');

test('each nested member that accepts a resource id is tested here or listed as naming no resource', () => {
  const tried = new Set(Object.keys(uses).map(memberOf));
  const unknown = nestedMembers().filter(
    (name) => !tried.has(name) && !(name in noNames) && !namesNothing.some(([member]) => member.test(name.split(' ')[2] ?? '')),
  );
  assert.deepEqual(unknown, []);
  const operations = new Set(chancery.description.operations.map(named));
  const gone = [...Object.keys(uses), ...Object.keys(noNames)].filter((name) => !operations.has(name.split(' ').slice(0, 2).join(' ')));
  assert.deepEqual(gone, []);
});

/** The text of a response without the parts that differ between requests. */
const wordsOf = ({ status, text }: TestResponse) =>
  `${status} ${text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"trace_id":"[0-9a-f]+"/, '')
    // A workflow has the name of its template.
    .replace(/"T( [0-9a-f]+){5}"/, '"NAME"')}`;

async function confinedClient(): Promise<Asker> {
  const areas = ['folders', 'documents', 'matters', 'workflows', 'tasks', 'interfaces', 'registries'];
  const client = await chancery.client(
    world.people.owner,
    areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
  );
  const folder = await world.made('owner', 'POST', '/api/v1/smartdoc/folders/', { name: 'For the client' });
  await world.made('owner', 'PATCH', `/api/v1/security/clients/${client.id}`, { folderIds: [folder.id] });
  return { token: client.token, within: folder.id };
}

/** The scope that a client needs to name a resource of each kind. A reference to a form discloses its link, so it needs more than a read scope. */
const scopeToName: Partial<Record<Kind, string>> = {
  form: 'interfaces:write',
  record: 'registries:read',
  registry: 'registries:read',
  agent: 'agents:read',
  endpoint: 'webhooks:read',
  task: 'tasks:read',
};

/** Whether a resource is hidden from a caller for this reason. */
type Blind = (kind: Kind, how: string) => boolean;
const everything: Blind = () => true;
/** A caller who sees all resources of the team except those behind a barrier. */
const otherTeams: Blind = (_, how) => how === 'of another team' || how === 'behind a barrier';

/** Cases in which a different response is correct, with the reason. */
const exceptions: [who: RegExp, name: RegExp, how: How, reason: string][] = [
  [
    /^administrator$/,
    / folderIds$/,
    'behind a barrier',
    'limiting a client to folders only removes access, and an administrator knows that the barred folder exists',
  ],
  [/^(administrator|client)$/, /audit targetId$/, 'behind a barrier', 'the journal contains the ids of resources behind a barrier'],
];
const isException = (who: string, name: string, how: string) =>
  exceptions.some(([one, place, why]) => one.test(who) && place.test(name) && why === how);

/** `npm test` tests one member in five. */
const tried = sample(Object.entries(uses), 0.1, ([name]) => name);

test('a nested id of a hidden resource gets the same response, word for word, as an id without a resource', async () => {
  const askers: [who: string, asker: Asker, blind: Blind][] = [
    ['member', { token: world.tokens.member }, everything],
    ['viewer', { token: world.tokens.viewer }, everything],
    ['confined client', await confinedClient(), everything],
    ['administrator', { token: world.tokens.admin }, otherTeams],
    ['client', { token: world.tokens.client }, otherTeams],
  ];
  const wrong: string[] = [];
  for (const [who, caller, blind] of askers) {
    asker = caller;
    for (const [name, { kind, use }] of tried) {
      const things = Object.entries(hidden[kind]).filter(([how]) => blind(kind, how) && !isException(who, name, how));
      if (things.length === 0) continue;
      const nothing = wordsOf(await use(randomUUIDv7()));
      for (const [how, id] of things) {
        const words = wordsOf(await use(id));
        if (words !== nothing) wrong.push(`${who}: ${name}, ${how}: ${words} instead of ${nothing}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test('without the read scope of a resource, a client gets the same response for its nested id as for an id without a resource', async () => {
  const wrong: string[] = [];
  for (const [name, { kind, use }] of tried) {
    const scope = scopeToName[kind];
    if (scope === undefined) continue;
    asker = { token: await world.unscoped(scope) };
    const words = wordsOf(await use(hidden[kind]['of a colleague'] ?? ''));
    const nothing = wordsOf(await use(randomUUIDv7()));
    if (words !== nothing) wrong.push(`without ${scope}: ${name}: ${words} instead of ${nothing}`);
  }
  assert.deepEqual(wrong, []);
});

/** Members for which a visible resource gets the same response too, with the reason. */
const alike: [name: RegExp, reason: string][] = [
  [/^(POST .*\/templates|PUT .*\/templates\/\{name\}) steps\[\]\.(config of a form|assign)/, 'a template is checked only when it is used'],
  [/ fields\[\]\.default$/, 'a default value is checked with the values of each record'],
  [/ jobId$/, 'no job has run'],
];

test('a nested id of a visible resource gets a different response, which proves that the tests above compare something', async () => {
  asker = { token: world.tokens.owner };
  const same: string[] = [];
  for (const [name, { kind, use }] of tried) {
    if (alike.some(([place]) => place.test(name))) continue;
    const words = wordsOf(await use(hidden[kind]['of a colleague'] ?? world.people.admin.id));
    if (words === wordsOf(await use(randomUUIDv7()))) same.push(`${name}: ${words}`);
  }
  assert.deepEqual(same, []);
});
