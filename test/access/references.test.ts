import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { batchOf } from '../operations/signature-batches.ts';
import { smallTemplate } from '../operations/small-template.ts';
import { type Chancery, startChancery } from '../harness.ts';
import { whileLocked } from '../row-locks.ts';
import { askToSign, pdfDocument } from '../signatures.ts';
import { named } from '../suites/walk.ts';
import { openWorld, type AccessWorld } from './callers.ts';
import { file } from './things.ts';
import { sample } from '../tier.ts';

/*
 * A reference is a use: a caller needs the right that the reference gives to others. The tests send ids of a colleague's hidden
 * resources in each member that accepts an id. The response must equal that for an id without a resource, and the caller must not
 * gain access.
 */

let chancery: Chancery;
let world: AccessWorld;
let hidden: Hidden;

type Kind = 'folder' | 'matter' | 'document' | 'workflow' | 'task' | 'registry' | 'agent' | 'template' | 'signature' | 'endpoint';
type Hidden = Record<Kind, string>;
const secret = 'Merger of Ada and Grace';

before(async () => {
  chancery = await startChancery({ withoutReading: true, settings: { ALTCHA: 'off' } });
  world = await openWorld(chancery);
  hidden = await makeHidden();
});
after(() => chancery.stop());

/** Creates private resources of the creator. No other caller may see their names. */
async function makeHidden(): Promise<Hidden> {
  const { made, people } = world;
  const folder = await made('creator', 'POST', '/api/v1/smartdoc/folders/', { name: secret });
  const matter = await made('creator', 'POST', '/api/v1/matters/', { name: secret });
  const document = await made('creator', 'POST', '/api/v1/smartdoc/documents/', file(secret, { folderId: folder.id }));
  const workflow = await made('creator', 'POST', '/api/v1/workflows/', {
    name: secret,
    documentId: document.id,
    steps: [{ id: 'a', type: 'task', assignedTo: people.creator.id }],
  });
  await made('creator', 'POST', `/api/v1/workflows/${workflow.id}/start`);
  const task = await made('creator', 'POST', '/api/v1/tasks/', { title: secret, assignedTo: people.creator.id });
  const registry = await made('creator', 'POST', '/api/v1/registries/', {
    name: secret,
    fields: [{ id: 'name', type: 'text', label: secret }],
  });
  await made('creator', 'POST', `/api/v1/registries/${registry.id}/records`, { data: { name: secret } });
  const agent = await made('owner', 'POST', '/ws/api/agents/', { name: secret });
  const endpoint = await made('owner', 'POST', '/api/v1/webhooks/', {
    name: secret,
    url: 'https://hook.example/',
    events: ['webhook.test'],
  });
  const signature = await askToSign(chancery, world.people.creator);
  const template = await made('creator', 'POST', '/api/v1/document-templates/library/nda');
  return {
    folder: folder.id,
    matter: matter.id,
    document: document.id,
    workflow: workflow.id,
    task: task.id,
    registry: registry.id,
    agent: agent.id,
    endpoint: endpoint.id,
    template: template.id,
    signature: signature.id,
  };
}

/** A response without identifiers. */
type ReferenceAnswer = { status: number; code: unknown; detail: unknown };
/** Sends a request that names `id`, and the requests that make the created resource take effect. */
type Use = (id: string) => Promise<ReferenceAnswer>;

const outcome = ({ status, body }: { status: number; body: any }): ReferenceAnswer => ({
  status,
  code: body?.code,
  detail: body?.detail?.replaceAll(/[\da-f-]{36}/g, ''),
});

/** A caller: its token, and the folder of its own resources if it is a client with limited folders. */
type Asker = { token: string; within?: string };
let asker: Asker;
const ask = (method: string, path: string, body?: unknown): Promise<any> => world.send(asker.token, method, path, body);
/** Creates a resource of the caller and returns its id. A caller who cannot create one gets an id without a resource. */
async function own(path: string, body: object): Promise<string> {
  const answer = await ask('POST', path, body);
  assert.ok(answer.status === 201 || asker.token !== world.tokens.member, answer.text);
  return answer.body?.id ?? randomUUIDv7();
}

const inside = () => (asker.within === undefined ? {} : { folderId: asker.within });
const ownFolder = () =>
  own('/api/v1/smartdoc/folders/', { name: randomUUIDv7(), ...(asker.within === undefined ? {} : { parentId: asker.within }) });
const ownForm = () => own('/api/v1/interfaces/', { title: 'Mine', type: 'form', fields: [], config: inside() });
/** One template for each caller, because saving one is slow: it renders the template in a separate process. */
const templates = new Map<string, Promise<string>>();
const fromTemplate = async (body: unknown) => {
  const id = templates.get(asker.token) ?? own('/api/v1/document-templates/', smallTemplate());
  templates.set(asker.token, id);
  return ask('POST', `/api/v1/document-templates/${await id}/documents`, body);
};
const ownMatter = () => own('/api/v1/matters/', { name: 'Mine' });
const ownDocument = () => own('/api/v1/smartdoc/documents/', file('Mine', inside()));

/** Steps for the caller and an accomplice. A workflow would give access to both. */
const steps = () => [{ id: 'a', type: 'task', assignees: [world.people.member.id, world.people.assignee.id], mode: 'all' }];

/** Fields that include one that refers to records of a registry. */
const refersTo = (registryTypeId: string) => [{ id: 'party', type: 'registry', label: 'Party', registryTypeId }];

/** Returns the result of the first item of a bulk operation. */
function resultOf(answer: { status: number; body: any }): ReferenceAnswer {
  if (answer.body.results === undefined) return outcome(answer);
  const [{ status, problem }] = answer.body.results;
  return outcome({ status, body: problem });
}

async function startIfMade(answer: any): Promise<ReferenceAnswer> {
  if (answer.status === 201) {
    assert.equal(answer.body.documentLinked, false, 'the id is stored as that of another system');
    const startedNow = await ask('POST', `/api/v1/workflows/${answer.body.id}/start`);
    assert.ok(startedNow.status === 200 || asker.token !== world.tokens.member, startedNow.text);
  }
  return outcome(answer);
}

const agentJob = { name: 'Job', cron: '0 0 1 1 *', message: 'Look' };

/** By operation and member: the kind of resource that the member names, and the request that sends it. */
const uses: Record<string, { kind: Kind; use: Use }> = {
  'POST /api/v1/smartdoc/folders/ parentId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7(), parentId: id })),
  },
  'PUT /api/v1/smartdoc/folders/{id} parentId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('PUT', `/api/v1/smartdoc/folders/${await ownFolder()}`, { parentId: id })),
  },
  'PATCH /api/v1/smartdoc/folders/{id}/move parentId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('PATCH', `/api/v1/smartdoc/folders/${await ownFolder()}/move`, { parentId: id })),
  },
  'POST /api/v1/smartdoc/documents/ folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/documents/', { title: 'Mine', folderId: id })),
  },
  'PUT /api/v1/smartdoc/documents/{id} folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('PUT', `/api/v1/smartdoc/documents/${await ownDocument()}`, { folderId: id })),
  },
  'PATCH /api/v1/smartdoc/documents/{id}/move folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('PATCH', `/api/v1/smartdoc/documents/${await ownDocument()}/move`, { folderId: id })),
  },
  'POST /api/v1/smartdoc/documents/move folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/documents/move', { documentIds: [await ownDocument()], folderId: id })),
  },
  'POST /api/v1/smartdoc/documents/move documentIds': {
    kind: 'document',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/documents/move', { documentIds: [id], folderId: null })),
  },
  'POST /api/v1/smartdoc/documents/download folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/documents/download', { folderId: id })),
  },
  'POST /api/v1/smartdoc/documents/download documentIds': {
    kind: 'document',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/documents/download', { documentIds: [id] })),
  },
  'GET /api/v1/smartdoc/documents/ folderId': {
    kind: 'folder',
    use: async (id) => listed(await ask('GET', `/api/v1/smartdoc/documents?folderId=${id}`)),
  },
  'PUT /api/v1/smartdoc/documents/{id}/dates documentId': {
    kind: 'document',
    use: async (id) => outcome(await ask('PUT', `/api/v1/smartdoc/documents/${await ownDocument()}/dates`, { documentId: id })),
  },
  'POST /api/v1/signatures/ documentId': {
    kind: 'document',
    use: async (id) =>
      outcome(
        await ask('POST', '/api/v1/signatures/', {
          documentId: id,
          signers: [{ email: world.people.assignee.email, name: 'Assignee' }],
        }),
      ),
  },
  'GET /api/v1/signatures/ documentId': {
    kind: 'document',
    use: async (id) => listed(await ask('GET', `/api/v1/signatures?documentId=${id}`)),
  },
  'POST /api/v1/smartdoc/holds/ folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/holds/', { folderId: id, reason: 'Mine' })),
  },
  'POST /api/v1/smartdoc/holds/ documentId': {
    kind: 'document',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/holds/', { documentId: id, reason: 'Mine' })),
  },
  'GET /api/v1/smartdoc/holds/ folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('GET', `/api/v1/smartdoc/holds?folderId=${id}`)),
  },
  'GET /api/v1/smartdoc/holds/ documentId': {
    kind: 'document',
    use: async (id) => outcome(await ask('GET', `/api/v1/smartdoc/holds?documentId=${id}`)),
  },
  'POST /api/v1/workflows/ documentId': {
    kind: 'document',
    use: async (id) => startIfMade(await ask('POST', '/api/v1/workflows/', { name: 'Mine', documentId: id, steps: steps() })),
  },
  'PUT /api/v1/workflows/{id} documentId': {
    kind: 'document',
    use: async (id) => {
      const flow = await own('/api/v1/workflows/', { name: 'Mine', documentId: 'DMS-1', steps: steps() });
      const changed = await ask('PUT', `/api/v1/workflows/${flow}`, { documentId: id });
      const startedNow = await ask('POST', `/api/v1/workflows/${flow}/start`);
      assert.equal(startedNow.status, changed.status, startedNow.text);
      return outcome(changed);
    },
  },
  'POST /api/v1/workflows/templates/{name} documentId': {
    kind: 'document',
    use: async (id) => startIfMade(await ask('POST', '/api/v1/workflows/templates/nda-approval', { documentId: id })),
  },
  'GET /api/v1/workflows/ documentId': {
    kind: 'document',
    use: async (id) => listed(await ask('GET', `/api/v1/workflows?documentId=${id}`)),
  },
  'GET /api/v1/workflows/document/{documentId} documentId': {
    kind: 'document',
    use: async (id) => listed(await ask('GET', `/api/v1/workflows/document/${id}`)),
  },
  'POST /api/v1/tasks/ documentId': {
    kind: 'document',
    use: async (id) =>
      outcome(await ask('POST', '/api/v1/tasks/', { title: 'Mine', documentId: id, assignedTo: world.people.assignee.id })),
  },
  'GET /api/v1/tasks/ documentId': {
    kind: 'document',
    use: async (id) => listed(await ask('GET', `/api/v1/tasks?documentId=${id}`)),
  },
  'POST /api/v1/tasks/complete itemId': {
    kind: 'task',
    use: async (id) => resultOf(await ask('POST', '/api/v1/tasks/complete', { items: [{ id }] })),
  },
  'POST /api/v1/tasks/reassign itemId': {
    kind: 'task',
    use: async (id) => resultOf(await ask('POST', '/api/v1/tasks/reassign', { items: [{ id, userId: world.people.member.id }] })),
  },
  'POST /api/v1/smartdoc/documents/label itemId': {
    kind: 'document',
    use: async (id) => resultOf(await ask('POST', '/api/v1/smartdoc/documents/label', { items: [{ id, labels: ['seen'] }] })),
  },
  'POST /api/v1/signatures/retry itemId': {
    kind: 'signature',
    use: async (id) => resultOf(await ask('POST', '/api/v1/signatures/retry', { items: [{ id }] })),
  },
  'POST /api/v1/interfaces/task-links taskId': {
    kind: 'task',
    use: async (id) => outcome(await ask('POST', '/api/v1/interfaces/task-links', { taskId: id })),
  },
  'POST /ws/api/agents/presets/apply agentId': {
    kind: 'agent',
    use: async (id) => outcome(await ask('POST', '/ws/api/agents/presets/apply', { presetId: 'policy-librarian', agentId: id })),
  },
  'GET /ws/api/agents/skills agentId': {
    kind: 'agent',
    use: async (id) => outcome(await ask('GET', `/ws/api/agents/skills?agentId=${id}`)),
  },
  'POST /ws/api/agents/skills agentIds': {
    kind: 'agent',
    use: async (id) => outcome(await ask('POST', '/ws/api/agents/skills', { content: 'Mine', agentIds: [id] })),
  },
  'GET /ws/api/agents/tools agentId': {
    kind: 'agent',
    use: async (id) => outcome(await ask('GET', `/ws/api/agents/tools?agentId=${id}`)),
  },
  'GET /ws/api/agents/cron agentId': {
    kind: 'agent',
    use: async (id) => listed(await ask('GET', `/ws/api/agents/cron?agentId=${id}`)),
  },
  'GET /ws/api/agents/runs agentId': {
    kind: 'agent',
    use: async (id) => listed(await ask('GET', `/ws/api/agents/runs?agentId=${id}`)),
  },
  'POST /ws/api/agents/cron agentId': {
    kind: 'agent',
    use: async (id) => outcome(await ask('POST', '/ws/api/agents/cron', { ...agentJob, agentId: id })),
  },
  'PATCH /ws/api/agents/cron/{id} agentId': {
    kind: 'agent',
    use: async (id) => {
      const job = await world.made('owner', 'POST', '/ws/api/agents/cron', agentJob);
      return outcome(await ask('PATCH', `/ws/api/agents/cron/${job.id}`, { agentId: id }));
    },
  },
  'POST /ws/api/agents/cron endpointId': {
    kind: 'endpoint',
    use: async (endpointId) =>
      outcome(await ask('POST', '/ws/api/agents/cron', { ...agentJob, delivery: { mode: 'webhook', endpointId } })),
  },
  'PATCH /ws/api/agents/cron/{id} endpointId': {
    kind: 'endpoint',
    use: async (endpointId) => {
      const job = await world.made('owner', 'POST', '/ws/api/agents/cron', agentJob);
      return outcome(await ask('PATCH', `/ws/api/agents/cron/${job.id}`, { delivery: { mode: 'webhook', endpointId } }));
    },
  },
  'POST /api/v1/approval-policies/{name}/try documentId': {
    kind: 'document',
    use: async (documentId) =>
      outcome(
        await ask('POST', `/api/v1/approval-policies/p-${randomUUIDv7().slice(-12)}/try`, {
          documentId,
          rules: [{ id: 'all', need: [{ count: 1, from: ['role:owner'] }] }],
        }),
      ),
  },
  'POST /api/v1/evidence documentId': {
    kind: 'document',
    use: async (documentId) => outcome(await ask('POST', '/api/v1/evidence', { documentId })),
  },
  'GET /api/v1/approvals/ workflowId': {
    kind: 'workflow',
    use: async (id) => listed(await ask('GET', `/api/v1/approvals?workflowId=${id}`)),
  },
  'POST /api/v1/evidence workflowId': {
    kind: 'workflow',
    use: async (workflowId) => outcome(await ask('POST', '/api/v1/evidence', { workflowId })),
  },
  'POST /api/v1/evidence signatureRequestId': {
    kind: 'signature',
    use: async (signatureRequestId) => outcome(await ask('POST', '/api/v1/evidence', { signatureRequestId })),
  },
  'POST /api/v1/signatures/bulk documentId': {
    kind: 'document',
    use: async (documentId) => outcome(await ask('POST', '/api/v1/signatures/bulk', batchOf(documentId))),
  },
  'POST /api/v1/signatures/bulk templateId': {
    kind: 'template',
    use: async (templateId) => outcome(await ask('POST', '/api/v1/signatures/bulk', { title: 'Mine', templateId, csv: batchOf('').csv })),
  },
  'POST /api/v1/signatures/bulk folderId': {
    kind: 'folder',
    // The rows need a worker: src/work/signature-batches tests them.
    use: async (folderId) => outcome(await ask('POST', '/api/v1/signatures/bulk', { ...batchOf(await ownDocument()), folderId })),
  },
  'POST /api/v1/document-templates/{id}/documents folderId': {
    kind: 'folder',
    use: async (folderId) => outcome(await fromTemplate({ data: { name: 'Mine' }, folderId })),
  },
  'POST /api/v1/document-templates/{id}/documents registryTypeId': {
    kind: 'registry',
    use: async (registryTypeId) => outcome(await fromTemplate({ record: { registryTypeId, recordId: randomUUIDv7() } })),
  },
  'POST /api/v1/registries/ registryTypeId': {
    kind: 'registry',
    use: async (id) => outcome(await ask('POST', '/api/v1/registries/', { name: 'Mine', fields: refersTo(id) })),
  },
  'PUT /api/v1/registries/{id} registryTypeId': {
    kind: 'registry',
    use: async (id) => {
      const mine = await own('/api/v1/registries/', { name: 'Mine', fields: [{ id: 'name', type: 'text', label: 'Name' }] });
      return outcome(await ask('PUT', `/api/v1/registries/${mine}`, { fields: refersTo(id) }));
    },
  },
  'POST /api/v1/interfaces/ registryTypeId': {
    kind: 'registry',
    use: async (id) => outcome(await ask('POST', '/api/v1/interfaces/', { title: 'Mine', type: 'form', fields: refersTo(id) })),
  },
  'PUT /api/v1/interfaces/{id} registryTypeId': {
    kind: 'registry',
    use: async (id) => outcome(await ask('PUT', `/api/v1/interfaces/${await ownForm()}`, { fields: refersTo(id) })),
  },
  'POST /api/v1/interfaces/ bindsRegistryTypeId': {
    kind: 'registry',
    use: async (id) =>
      outcome(await ask('POST', '/api/v1/interfaces/', { title: 'Mine', type: 'registry', config: { bindsRegistryTypeId: id } })),
  },
  'PUT /api/v1/interfaces/{id} bindsRegistryTypeId': {
    kind: 'registry',
    use: async (id) => outcome(await ask('PUT', `/api/v1/interfaces/${await ownForm()}`, { config: { bindsRegistryTypeId: id } })),
  },
  'POST /api/v1/interfaces/ folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('POST', '/api/v1/interfaces/', { title: 'Mine', type: 'form', config: { folderId: id } })),
  },
  'PUT /api/v1/interfaces/{id} folderId': {
    kind: 'folder',
    use: async (id) => outcome(await ask('PUT', `/api/v1/interfaces/${await ownForm()}`, { config: { folderId: id } })),
  },
  'POST /api/v1/smartdoc/folders/ matterId': {
    kind: 'matter',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7(), matterId: id })),
  },
  'POST /api/v1/smartdoc/documents/ matterId': {
    kind: 'matter',
    use: async (id) => outcome(await ask('POST', '/api/v1/smartdoc/documents/', file('Mine', { matterId: id }))),
  },
  'GET /api/v1/smartdoc/documents/ matterId': {
    kind: 'matter',
    use: async (id) => listed(await ask('GET', `/api/v1/smartdoc/documents?matterId=${id}`)),
  },
  'POST /api/v1/workflows/ matterId': {
    kind: 'matter',
    use: async (id) =>
      outcome(await ask('POST', '/api/v1/workflows/', { name: 'Mine', documentId: 'elsewhere', steps: steps(), matterId: id })),
  },
  'GET /api/v1/workflows/ matterId': {
    kind: 'matter',
    use: async (id) => listed(await ask('GET', `/api/v1/workflows?matterId=${id}`)),
  },
  'POST /api/v1/tasks/ matterId': {
    kind: 'matter',
    use: async (id) => outcome(await ask('POST', '/api/v1/tasks/', { title: 'Mine', matterId: id })),
  },
  'GET /api/v1/tasks/{id}/document documentId': {
    kind: 'document',
    use: async (id) =>
      outcome(await ask('GET', `/api/v1/tasks/${await own('/api/v1/tasks/', { title: 'Mine' })}/document?documentId=${id}`)),
  },
  'GET /api/v1/tasks/{id}/document/content documentId': {
    kind: 'document',
    use: async (id) =>
      outcome(await ask('GET', `/api/v1/tasks/${await own('/api/v1/tasks/', { title: 'Mine' })}/document/content?documentId=${id}`)),
  },
  'GET /api/v1/tasks/ matterId': {
    kind: 'matter',
    use: async (id) => listed(await ask('GET', `/api/v1/tasks?matterId=${id}`)),
  },
  'GET /api/v1/signatures/ matterId': {
    kind: 'matter',
    use: async (id) => listed(await ask('GET', `/api/v1/signatures?matterId=${id}`)),
  },
  'POST /api/v1/interfaces/ matterId': {
    kind: 'matter',
    use: async (id) => outcome(await ask('POST', '/api/v1/interfaces/', { title: 'Mine', type: 'form', fields: [], matterId: id })),
  },
  'GET /api/v1/interfaces/ matterId': {
    kind: 'matter',
    use: async (id) => listed(await ask('GET', `/api/v1/interfaces?matterId=${id}`)),
  },
  'POST /api/v1/registries/ matterId': {
    kind: 'matter',
    use: async (id) =>
      outcome(
        await ask('POST', '/api/v1/registries/', { name: 'Mine', fields: [{ id: 'name', type: 'text', label: 'Name' }], matterId: id }),
      ),
  },
  'PUT /api/v1/smartdoc/documents/{id} matterId': {
    kind: 'matter',
    use: async (id) => outcome(await ask('PUT', `/api/v1/smartdoc/documents/${await ownDocument()}`, { description: 'New', matterId: id })),
  },
  'PUT /api/v1/registries/{id} matterId': {
    kind: 'matter',
    use: async (id) => {
      const mine = await own('/api/v1/registries/', { name: 'Mine', fields: [{ id: 'name', type: 'text', label: 'Name' }] });
      return outcome(await ask('PUT', `/api/v1/registries/${mine}`, { description: 'New', matterId: id }));
    },
  },
  'POST /api/v1/matters/{id}/contents itemId': {
    kind: 'document',
    use: async (id) =>
      outcome(await ask('POST', `/api/v1/matters/${await ownMatter()}/contents`, { items: [{ type: 'document', id }], confirm: true })),
  },
  'POST /api/v1/matters/{id}/contents/remove itemId': {
    kind: 'document',
    use: async (id) =>
      outcome(await ask('POST', `/api/v1/matters/${await ownMatter()}/contents/remove`, { items: [{ type: 'document', id }] })),
  },
  'GET /api/v1/tasks/ workflowId': {
    kind: 'workflow',
    use: async (id) => listed(await ask('GET', `/api/v1/tasks?workflowId=${id}`)),
  },
  // The last one, because it deletes a document that the caller can read.
  'POST /api/v1/smartdoc/documents/delete itemId': {
    kind: 'document',
    use: async (id) => resultOf(await ask('POST', '/api/v1/smartdoc/documents/delete', { items: [{ id }] })),
  },
};

/**
 * Members that name no resource of a colleague, such as a person, a session or a secret of the caller. Only callers who can read all
 * folders set `folderIds` of an API client, and it only removes access. An update accepts the submission of a record only unchanged.
 * A step belongs to the workflow in the path. Callers who name agents and their jobs see all of them. All members see all groups. Managers see
 * all users of directories.
 */
const ofPeople =
  /^(presetId|groupId|groupIds|jobId|folderIds|stepId|submissionId|teamId|userId|userIds|toUserId|assignedTo|assignees|newOwnerId|actorId|targetId|successorId|challengeId|setupId|connectionId|clientId|responsibleId|assigneeId|keyId|externalId|sponsorId|ownerSuccessorId|scimUserId|creatorId|requesterId|submitterId)$/;

function listed(answer: { status: number; body: any; text: string }): ReferenceAnswer {
  assert.ok(!answer.text.includes(secret), answer.text);
  // Callers can see resources that they created with the same id.
  return { status: answer.status, code: undefined, detail: undefined };
}

/** Returns all members of bodies, queries and paths with the name of a resource id. */
function references(): string[] {
  const found: string[] = [];
  for (const operation of chancery.description.operations) {
    if (operation.access !== 'user') continue;
    const names = [
      ...Object.keys(operation.body?.properties ?? {}),
      ...operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      // The body of a bulk operation names several resources. Deliveries belong to the endpoint in the path.
      ...(operation.body?.properties?.items?.items?.properties?.id && !operation.path.endsWith('/deliveries/retry') ? ['itemId'] : []),
      ...Object.keys(operation.body?.properties?.delivery?.properties ?? {}),
      // The body also names the registries that fields refer to.
      ...(operation.body?.properties?.fields?.items?.properties?.registryTypeId ? ['registryTypeId'] : []),
      ...Object.keys(operation.body?.properties?.config?.properties ?? {}),
      ...(operation.body?.properties?.record?.properties?.registryTypeId ? ['registryTypeId'] : []),
      // The walk tests the resource in the path. This path names a second one.
      ...(operation.path.includes('{documentId}') ? ['documentId'] : []),
    ];
    // The workflow of a record is in the body only as the response shows it: an update ignores it.
    const ignored = operation.path.endsWith('/records/{id}') ? ['workflowId'] : [];
    for (const name of new Set(names))
      if (!ignored.includes(name) && /Ids?$|^assigne/.test(name) && !ofPeople.test(name)) found.push(`${named(operation)} ${name}`);
  }
  return found;
}

test('each member that accepts a resource id is tested here', () => {
  assert.deepEqual(references().toSorted(), Object.keys(uses).toSorted());
});

/** Creates an API client that is limited to one empty folder. */
async function confinedClient(): Promise<Required<Asker>> {
  const { chancery: service, people, made } = world;
  const areas = ['folders', 'documents', 'workflows', 'tasks', 'signatures', 'interfaces', 'registries', 'matters'];
  const client = await service.client(
    people.owner,
    areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
  );
  const folder = await made('owner', 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() });
  await made('owner', 'PATCH', `/api/v1/security/clients/${client.id}`, { folderIds: [folder.id] });
  return { token: client.token, within: folder.id };
}

/** `npm test` tests one member in five. */
const tried = sample(Object.entries(uses), 0.1, ([name]) => name);

test('the id of an unreadable resource gets the same response as an id without a resource', async () => {
  for (const [who, caller] of Object.entries({
    member: { token: world.tokens.member },
    viewer: { token: world.tokens.viewer },
    'a confined client': await confinedClient(),
  })) {
    asker = caller;
    for (const [name, { kind, use }] of tried) {
      assert.deepEqual(await use(hidden[kind]), await use(randomUUIDv7()), `${who}: ${name}`);
    }
  }
});

/**
 * Creates resources of the creator behind a barrier, which the administrator set with the reader as its only barrier member. The owner of
 * the folder, the administrator and a member with a share are excluded.
 */
async function makeBarred(): Promise<Partial<Hidden> & { folder: string }> {
  const { made, people } = world;
  const folder = await made('creator', 'POST', '/api/v1/smartdoc/folders/', { name: `${secret}, barred` });
  await made('creator', 'POST', `/api/v1/smartdoc/folders/${folder.id}/shares`, { userId: people.writer.id, access: 'write' });
  const document = await pdfDocument(chancery, people.creator, { title: secret, folderId: folder.id });
  const workflow = await made('creator', 'POST', '/api/v1/workflows/', {
    name: secret,
    documentId: document.id,
    steps: [{ id: 'a', type: 'approval', assignedTo: people.writer.id }],
  });
  await made('creator', 'POST', `/api/v1/workflows/${workflow.id}/start`);
  const task = await made('creator', 'POST', '/api/v1/tasks/', { title: secret, documentId: document.id, assignedTo: people.writer.id });
  const signature = await askToSign(chancery, people.creator, { documentId: document.id });
  await made('admin', 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [people.reader.id] });
  return { folder: folder.id, document: document.id, workflow: workflow.id, task: task.id, signature: signature.id };
}

test('an excluded person or client gets 404 for a resource behind a barrier, with any role or share', async () => {
  const barred = await makeBarred();
  for (const who of ['owner', 'admin', 'creator', 'writer', 'client'] as const) {
    asker = { token: world.tokens[who] };
    for (const [name, { kind, use }] of tried) {
      const id = barred[kind];
      if (id !== undefined) assert.deepEqual(await use(id), await use(randomUUIDv7()), `${who}: ${name}`);
    }
    const place = await world.send(asker.token, 'GET', `/api/v1/smartdoc/folders/${barred.folder}`);
    assert.equal(place.status, 404, `${who} is still excluded`);
  }
});

test('a request that names an unreadable resource does not wait for its row locks', async () => {
  const folder = { team: world.team.id, ids: [hidden.folder], trees: false };
  const touch = () => chancery.pool.query('UPDATE folder SET updated_at = updated_at WHERE id = $1', [hidden.folder]);
  assert.equal(
    await whileLocked(chancery.pool, folder, 100, async () => String((await touch()).rowCount)),
    'waits',
    'the test detects a waiting request',
  );
  asker = { token: world.tokens.member };
  const waiting: string[] = [];
  for (const [name, { kind, use }] of tried) {
    // Create the caller’s own resource, which names the hidden one, before the lock.
    const used = { at: Promise.resolve<unknown>(undefined) };
    const found = await whileLocked(chancery.pool, { team: world.team.id, ids: [hidden[kind]], trees: false }, 10_000, async () => {
      const answer = use(hidden[kind]);
      used.at = answer;
      return String((await answer).status);
    });
    await used.at;
    if (found === 'waits') waiting.push(name);
  }
  assert.deepEqual(waiting, []);
});

/** The scope that a client needs to name a resource of each kind. The scope of a new resource also permits naming its folder. */
const scopeToName: Partial<Record<Kind, string>> = {
  document: 'documents:read',
  matter: 'matters:read',
  workflow: 'workflows:read',
  task: 'tasks:read',
  registry: 'registries:read',
  agent: 'agents:read',
  template: 'documents:read',
  signature: 'signatures:read',
  endpoint: 'webhooks:read',
};

test('without the read scope of a resource, a client gets the same response for its id as for an id without a resource', async () => {
  for (const [name, { kind, use }] of tried) {
    const scope = scopeToName[kind];
    // A list filter accepts any id that the client knows.
    if (scope === undefined || name.startsWith('GET ')) continue;
    asker = { token: await world.unscoped(scope) };
    assert.deepEqual(await use(hidden[kind]), await use(randomUUIDv7()), name);
  }
});

test('after all these requests, neither the caller nor an accomplice can read the hidden resources', async () => {
  const paths = [
    `/api/v1/smartdoc/folders/${hidden.folder}`,
    `/api/v1/smartdoc/folders/${hidden.folder}/shares`,
    `/api/v1/smartdoc/documents/${hidden.document}`,
    `/api/v1/smartdoc/documents/${hidden.document}/versions`,
    `/api/v1/smartdoc/documents/${hidden.document}/content`,
    `/api/v1/workflows/${hidden.workflow}`,
    `/api/v1/tasks/${hidden.task}`,
    `/api/v1/tasks/${hidden.task}/comments`,
    `/api/v1/registries/${hidden.registry}`,
    `/api/v1/registries/${hidden.registry}/records`,
  ];
  const lists = [
    'smartdoc/folders/',
    'smartdoc/documents/',
    'smartdoc/documents/bin',
    'workflows/',
    'workflows/active',
    'tasks/',
    'registries/',
  ];
  const { member, assignee, viewer, clerk } = world.tokens;
  const tokens = { member, assignee, viewer, clerk, 'a client confined to another folder': (await confinedClient()).token };
  for (const [who, token] of Object.entries(tokens)) {
    for (const path of paths) assert.equal((await world.send(token, 'GET', path)).status, 404, `${who} reads ${path}`);
    for (const list of lists) {
      const answer = await world.send(token, 'GET', `/api/v1/${list}`);
      assert.ok(answer.status === 200 && !answer.text.includes(secret), `${who} sees it in ${list}: ${answer.text}`);
    }
  }
});
