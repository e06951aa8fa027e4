import { randomUUIDv7 } from 'node:crypto';
import { failSubmission } from '../failed-submissions.ts';
import { beginBooking, bookIn, plainCalendar } from '../bookings.ts';
import { allowedThere, insertTool, serverBody, signInServerBody } from '../mcp-tools.ts';
import { policyBody } from '../operations/approval-policies.ts';
import { smallTemplate } from '../operations/small-template.ts';
import { askToSign, outToSign, pdfDocument, unprepared } from '../signatures.ts';
import { clearPacks, failedPack } from '../evidence.ts';
import { waitingBatch } from '../signature-batches.ts';
import { submitFile } from '../submissions.ts';
import { newAddress } from '../suites/acts/kit.ts';
import { insertSeat } from '../memberships.ts';
import type { Caller, AccessWorld } from './callers.ts';

/** A resource that an operation is tested on: its ids by their names in paths, and values for bodies. */
export type Thing = { id: string } & Record<string, string>;
/** Creates a resource for `caller`. If a resource is for one person only, the clerk gets a separate one. */
export type Factory = (world: AccessWorld, caller: Caller) => Promise<Thing>;

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
const workflows = '/api/v1/workflows';
const name = (what: string) => `${what} ${randomUUIDv7()}`;

export function file(title = name('Document'), members: Record<string, string> = {}): FormData {
  const form = new FormData();
  form.set('title', title);
  for (const [key, value] of Object.entries(members)) form.set(key, value);
  form.set('file', new Blob(['Walked'], { type: 'text/plain' }), 'walked.txt');
  return form;
}

const sharers = ['writer', 'reader', 'clerk', 'guest', 'auditor'] as const;
type Sharer = (typeof sharers)[number];

/**
 * Shares a resource with these callers and returns the id of each share. Inserts the rows directly, because calls of the share
 * operations would be a third of all calls. The access table tests these operations in separate rows.
 */
async function share(
  world: AccessWorld,
  type: string,
  id: string,
  given: Record<'writer' | 'reader' | 'clerk', string>,
): Promise<Record<Sharer, string>> {
  const { creator, owner } = world.people;
  const relations: Record<Sharer, string> = { ...given, guest: given.writer, auditor: given.reader };
  const made = Object.fromEntries(sharers.map((who) => [who, randomUUIDv7()])) as Record<Sharer, string>;
  await world.chancery.pool.query(
    `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
     SELECT $1, s.id, $2, $3, 'user', s.user_id, s.relations::text[], 'share', $4, now()
     FROM unnest($5::uuid[], $6::uuid[], $7::text[]) AS s (id, user_id, relations)`,
    [
      world.team.id,
      type,
      id,
      (type === 'assistant' ? owner : creator).id,
      sharers.map((who) => made[who]),
      sharers.map((who) => world.people[who].id),
      sharers.map((who) => relations[who]),
    ],
  );
  return made;
}
const byAccess = { writer: '{editor}', reader: '{viewer}', clerk: '{editor}' };

/** A folder of the creator’s, shared with the writer, the reader and the clerk. */
const folder: Factory = async (world) => {
  const made = await world.made('creator', 'POST', `${folders}/`, { name: name('Folder') });
  const { reader } = await share(world, 'folder', made.id, byAccess);
  return { id: made.id, shareId: reader, grantId: reader };
};

/** A matter of the creator’s, shared with the writer, the reader and the clerk. */
const matter: Factory = async (world) => {
  const made = await world.made('creator', 'POST', '/api/v1/matters/', { name: name('Matter') });
  const { reader } = await share(world, 'folder', made.id, byAccess);
  return { id: made.id, grantId: reader };
};
const closedMatter: Factory = async (world, caller) => {
  const made = await matter(world, caller);
  await world.made('creator', 'POST', `/api/v1/matters/${made.id}/close`);
  return made;
};
const barredMatter: Factory = async (world, caller) => {
  const made = await matter(world, caller);
  await world.made('creator', 'PUT', `/api/v1/matters/${made.id}/barrier`, { userIds: [world.people.reader.id] });
  return made;
};
/** The shared matter, and a document of the creator’s outside of it. */
const matterAndDocument: Factory = async (world, caller) => {
  const made = await matter(world, caller);
  const loose = await world.made('creator', 'POST', `${documents}/`, { title: name('Deed') });
  return { ...made, document: loose.id };
};
const matterWithDocument: Factory = async (world, caller) => {
  const made = await matter(world, caller);
  const inside = await world.made('creator', 'POST', `${documents}/`, { title: name('Deed'), matterId: made.id });
  return { ...made, document: inside.id };
};
const matterDeadline: Factory = async (world, caller) => {
  const made = await matter(world, caller);
  const { id } = await world.made('creator', 'POST', `/api/v1/matters/${made.id}/deadlines`, { title: 'Defence', dueDate: '2099-04-01' });
  return { ...made, deadlineId: id };
};
const nobodysTaskInMatter: Factory = async (world, caller) => {
  const made = await matter(world, caller);
  return { id: (await world.made('creator', 'POST', '/api/v1/tasks/', { title: name('Call'), matterId: made.id })).id };
};
const matterClient: Factory = async (world) => {
  const { id } = await world.made('creator', 'POST', '/api/v1/matter-clients/', { name: name('Client') });
  return { id };
};

/** A group with a colleague as its member. */
const group: Factory = async (world, caller) => {
  const { id } = await world.made('owner', 'POST', '/api/v1/groups/', { name: name('Group') });
  const { id: userId } = await colleague(world, caller);
  await world.made('owner', 'POST', `/api/v1/groups/${id}/members`, { userId });
  return { id, userId };
};

/** A folder inside the shared one, without shares. */
const subfolder: Factory = async (world, caller) => {
  const above = await folder(world, caller);
  const made = await world.made('creator', 'POST', `${folders}/`, { name: name('Inside'), parentId: above.id });
  return { ...above, id: made.id, above: above.id };
};

const binnedFolder: Factory = async (world, caller) => {
  const made = await subfolder(world, caller);
  await world.made('creator', 'DELETE', `${folders}/${made.id}`);
  return made;
};

/** The shared folder behind a barrier with its creator and the reader as barrier members. */
const barred: Factory = async (world, caller) => {
  const made = await folder(world, caller);
  await world.made('creator', 'PUT', `${folders}/${made.id}/barrier`, { userIds: [world.people.reader.id] });
  return made;
};

/** The barred folder with a request of the administrator for emergency access. */
const emergencyRequested: Factory = async (world, caller) => {
  const made = await barred(world, caller);
  const accessRequest = await world.made('admin', 'POST', `/api/v1/barriers/${made.id}/emergency-access`, { reason: 'Discovery' });
  return { ...made, emergencyAccessId: accessRequest.id };
};

/** The barred folder after the owner of the team approved the request. The administrator has emergency access for 24 hours. */
const emergencyAccess: Factory = async (world, caller) => {
  const made = await emergencyRequested(world, caller);
  await world.made('owner', 'POST', `/api/v1/barriers/${made.id}/emergency-access/${made.emergencyAccessId}/approve`);
  return made;
};

/** A folder in the shared one, next to a folder (`wide`) that the whole team can read. */
const besideWider: Factory = async (world, caller) => {
  const made = await subfolder(world, caller);
  return { ...made, wide: await widerIn(world, made.above ?? '') };
};

async function widerIn(world: AccessWorld, parentId: string): Promise<string> {
  const wide = await world.made('creator', 'POST', `${folders}/`, { name: name('Wider'), parentId });
  await world.made('creator', 'POST', `${folders}/${wide.id}/shares`, { team: true, access: 'read' });
  return wide.id;
}

/** A folder that the API client created, with a document of the client. */
const clientFolder: Factory = async (world) => {
  const made = await world.made('client', 'POST', `${folders}/`, { name: name('By a client') });
  await world.made('client', 'POST', `${documents}/`, file(undefined, { folderId: made.id }));
  return { id: made.id };
};

/** The folder of the client with a document of another owner, which the client moved there. */
const mixedFolder: Factory = async (world, caller) => {
  const made = await clientFolder(world, caller);
  const theirs = await world.made('owner', 'POST', `${documents}/`, file());
  await world.made('client', 'PATCH', `${documents}/${theirs.id}/move`, { folderId: made.id });
  return made;
};

/** A document of the creator’s with one version, in the shared folder. */
const document: Factory = async (world, caller) => {
  const place = await folder(world, caller);
  const made = await world.made('creator', 'POST', `${documents}/`, file(undefined, { folderId: place.id }));
  return { id: made.id, folder: place.id, documentId: made.id, title: made.title };
};

/** The document with a comment of its creator. */
const commentedDocument: Factory = async (world, caller) => {
  const made = await document(world, caller);
  const { id: commentId } = await world.made('creator', 'POST', `${documents}/${made.id}/comments`, { text: 'Seen' });
  return { ...made, commentId };
};

const binnedDocument: Factory = async (world, caller) => {
  const made = await document(world, caller);
  await world.made('creator', 'DELETE', `${documents}/${made.id}`);
  return made;
};

/** The shared folder with a retention rule. */
const ruledFolder: Factory = async (world, caller) => {
  const made = await folder(world, caller);
  await world.made('creator', 'PUT', `${folders}/${made.id}/retention`, { action: 'keep', after: 'P10Y', from: 'created' });
  return made;
};
/** A folder behind a barrier, with a retention rule. */
const ruledBehindBarrier: Factory = async (world, caller) => {
  const made = await barred(world, caller);
  await world.made('creator', 'PUT', `${folders}/${made.id}/retention`, { action: 'keep', after: 'P10Y', from: 'created' });
  return made;
};
const waitingRule: Factory = async (world, caller) => {
  const made = await ruledFolder(world, caller);
  await world.chancery.pool.query('UPDATE retention_rule SET waiting = 5 WHERE folder_id = $1', [made.id]);
  return made;
};

/** Wraps a factory of documents: sets a unique label. */
const labelled =
  (made: Factory): Factory =>
  async (world, caller) => {
    const found = await made(world, caller);
    await world.made('creator', 'PUT', `${documents}/${found.id}`, { labels: [found.id] });
    return found;
  };

/** Wraps a factory of documents: sets a future expiry date. */
const dated =
  (made: Factory): Factory =>
  async (world, caller) => {
    const found = await made(world, caller);
    await world.made('creator', 'PUT', `${documents}/${found.id}/dates`, { expiresAt: '2998-12-31' });
    return found;
  };

/** A legal hold on the document. */
const hold: Factory = async (world, caller) => {
  const made = await document(world, caller);
  const placed = await world.made('admin', 'POST', '/api/v1/smartdoc/holds/', { documentId: made.id, reason: 'Discovery' });
  return { ...made, id: placed.id };
};
const holdBehindBarrier: Factory = async (world, caller) => {
  const { id, folder: folderId } = await emergencyDocument(world, caller);
  const placed = await world.made('admin', 'POST', '/api/v1/smartdoc/holds/', { documentId: id, reason: 'Discovery' });
  return { id: placed.id, folder: folderId ?? '' };
};

/** A document behind a barrier, with tasks for the assignee and the clerk. */
const barredDocument: Factory = async (world, caller) => {
  const made = await documentOfTask(world, caller);
  const place = await barred(world, caller);
  await world.made('creator', 'PATCH', `${documents}/${made.id}/move`, { folderId: place.id });
  return { ...made, folder: place.id };
};

/** A document in the shared folder, which also contains a folder (`wide`) that the whole team can read. */
const documentBesideWider: Factory = async (world, caller) => {
  const made = await document(world, caller);
  return { ...made, wide: await widerIn(world, made.folder ?? '') };
};

/** A document behind a barrier to which the administrator has emergency access. */
const emergencyDocument: Factory = async (world, caller) => {
  const made = await documentOfTask(world, caller);
  const place = await emergencyAccess(world, caller);
  await world.made('creator', 'PATCH', `${documents}/${made.id}/move`, { folderId: place.id });
  return { ...made, folder: place.id };
};

/** A private document of the creator with a direct share for the reader. */
const givenDocument: Factory = async (world, caller) => {
  const made = await looseDocument(world, caller);
  const grant = await world.made('creator', 'POST', `${documents}/${made.id}/access`, { userId: world.people.reader.id, access: 'read' });
  return { ...made, grantId: grant.id };
};

/** A private document of the creator outside of any folder. */
const looseDocument: Factory = async (world) => {
  const made = await world.made('creator', 'POST', `${documents}/`, file());
  return { id: made.id, documentId: made.id, title: made.title };
};

/** A private document of the creator with tasks for the assignee and the clerk. */
const documentOfTask: Factory = async (world, caller) => {
  const made = await looseDocument(world, caller);
  const workflow = await draftOn(world, made.id, 'task');
  await world.made('creator', 'POST', `${workflows}/${workflow}/start`);
  return made;
};

async function draftOn(world: AccessWorld, documentId: string, type: string): Promise<string> {
  const { assignee, clerk } = world.people;
  const steps = [{ id: 'a', type, assignees: [assignee.id, clerk.id], mode: 'any' }];
  return (await world.made('creator', 'POST', `${workflows}/`, { name: name('Workflow'), documentId, steps })).id;
}

/** A workflow draft of the creator about the creator’s document. Its only step is assigned to the assignee and the clerk. */
const draft: Factory = async (world, caller) => {
  const about = await document(world, caller);
  return { ...about, id: await draftOn(world, about.id, 'task') };
};

const started: Factory = async (world, caller) => {
  const made = await draft(world, caller);
  await world.made('creator', 'POST', `${workflows}/${made.id}/start`);
  return made;
};

const overdueWorkflow: Factory = async (world, caller) => {
  const made = await draft(world, caller);
  await world.made('creator', 'PUT', `${workflows}/${made.id}`, { dueDate: '2020-01-31' });
  await world.made('creator', 'POST', `${workflows}/${made.id}/start`);
  return made;
};

/** A started workflow of the administrator about the creator’s document. */
const startedByAnother: Factory = async (world, caller) => {
  const about = await document(world, caller);
  const { assignee, clerk } = world.people;
  const steps = [{ id: 'a', type: 'task', assignees: [assignee.id, clerk.id], mode: 'any' }];
  const made = await world.made('admin', 'POST', `${workflows}/`, { name: name('Workflow'), documentId: about.id, steps });
  await world.made('admin', 'POST', `${workflows}/${made.id}/start`);
  return { ...about, id: made.id };
};

const raiseBarrier = (world: AccessWorld, { folder: place = '' }: Thing) =>
  world.made('creator', 'PUT', `${folders}/${place}/barrier`, { userIds: [world.people.reader.id] });

/** A started workflow behind a barrier with the creator and the reader as barrier members. */
const startedBehindBarrier: Factory = async (world, caller) => {
  const made = await started(world, caller);
  await raiseBarrier(world, made);
  return made;
};

/** A started workflow behind a barrier, with emergency access for the administrator. */
const startedWithEmergencyAccess: Factory = async (world, caller) => {
  const made = await startedBehindBarrier(world, caller);
  const requests = `/api/v1/barriers/${made.folder}/emergency-access`;
  const accessRequest = await world.made('admin', 'POST', requests, { reason: 'Discovery' });
  await world.made('owner', 'POST', `${requests}/${accessRequest.id}/approve`);
  return made;
};

/** An open approval round of the creator about the creator’s document. The assignee is its candidate. */
const approvalRound: Factory = async (world, caller) => {
  const about = await document(world, caller);
  const need = [{ count: 1, from: [`user:${world.people.assignee.id}`] }];
  const steps = [{ id: 'a', type: 'approval', config: { approval: { rules: [{ id: 'one', need }] } } }];
  const flow = await world.made('creator', 'POST', `${workflows}/`, { name: name('Workflow'), documentId: about.id, steps });
  await world.made('creator', 'POST', `${workflows}/${flow.id}/start`);
  const [made] = await world.made('creator', 'GET', `/api/v1/approvals?workflowId=${flow.id}`);
  return { ...about, id: made.id };
};

const barredApprovalRound: Factory = async (world, caller) => {
  const made = await approvalRound(world, caller);
  await raiseBarrier(world, made);
  return made;
};

const paused: Factory = async (world, caller) => {
  const made = await started(world, caller);
  await world.made('creator', 'POST', `${workflows}/${made.id}/pause`, {});
  return made;
};

const template: Factory = async (world) => {
  const made = await world.made('creator', 'POST', `${workflows}/templates`, {
    name: `own-${randomUUIDv7()}`,
    description: 'Own',
    steps: [{ id: 'a', type: 'task' }],
  });
  return { id: made.name, name: made.name };
};

const approvalPolicy: Factory = async (world) => {
  const { name: id } = await world.made('owner', 'POST', '/api/v1/approval-policies/', policyBody());
  return { id, name: id };
};

/** Returns the assignee of a resource for one person: the clerk if the caller is the clerk, otherwise the assignee. */
const givenTo = (world: AccessWorld, caller: Caller) => world.people[caller === 'clerk' ? 'clerk' : 'assignee'];

/** A task that the creator assigned. */
const task: Factory = (world, caller) =>
  world.made('creator', 'POST', '/api/v1/tasks/', { title: name('Task'), assignedTo: givenTo(world, caller).id });

/** A task about the creator’s document. */
const taskOfDocument: Factory = async (world, caller) => {
  const { id } = await looseDocument(world, caller);
  return world.made('creator', 'POST', '/api/v1/tasks/', { title: name('Task'), documentId: id, assignedTo: givenTo(world, caller).id });
};

const completedTask: Factory = async (world, caller) => {
  const made = await taskOfDocument(world, caller);
  return world.made(caller === 'clerk' ? 'clerk' : 'assignee', 'POST', `/api/v1/tasks/${made.id}/complete`, {});
};

const nobodysTask: Factory = (world) => world.made('creator', 'POST', '/api/v1/tasks/', { title: name('Task') });

/** A task of the creator for a group with the assignee and the clerk. */
const groupTask: Factory = async (world) => {
  const { assignee, clerk } = world.people;
  const { id: groupId } = await world.made('owner', 'POST', '/api/v1/groups/', { name: name('Group') });
  for (const { id: userId } of [assignee, clerk]) await world.made('owner', 'POST', `/api/v1/groups/${groupId}/members`, { userId });
  return world.made('creator', 'POST', '/api/v1/tasks/', { title: name('Task'), groupId });
};
/** The same, claimed by the assignee. */
const claimedTask: Factory = async (world, caller) => {
  const { id } = await groupTask(world, caller);
  return world.made('assignee', 'POST', `/api/v1/tasks/${id}/claim`);
};

/** The task of an approval step in the creator’s workflow. */
const approval: Factory = (world, caller) => decision(world, caller, 'approval');

/** The task of an approval step behind a barrier with the creator and the reader as barrier members. */
const approvalBehindBarrier: Factory = async (world, caller) => {
  const made = await approval(world, caller);
  await raiseBarrier(world, made);
  return made;
};

async function decision(world: AccessWorld, caller: Caller, type: string, config: object = {}): Promise<Thing> {
  const about = await document(world, caller);
  const made = await world.made('creator', 'POST', `${workflows}/`, {
    name: name('Workflow'),
    documentId: about.id,
    steps: [{ id: 'a', type, assignees: [givenTo(world, caller).id], config }],
  });
  await world.made('creator', 'POST', `${workflows}/${made.id}/start`);
  const [open] = await world.made('creator', 'GET', `/api/v1/tasks/?workflowId=${made.id}`);
  return { ...about, id: open.id };
}

/** The task of a step with a form of the creator. */
const formTask: Factory = async (world, caller) => {
  const { id } = await plainForm(world, caller);
  await world.made('creator', 'POST', `${interfaces}/${id}/publish`, { revision: 1 });
  return decision(world, caller, 'form', { interfaceId: id });
};

/** The task of a signature step in the creator’s workflow. */
const signature: Factory = (world, caller) => decision(world, caller, 'signature');

/** A new member of the team for each call, because the operations end the membership. */
const colleague: Factory = async (world) => {
  const { id } = await world.chancery.user(world.team);
  return { id, userId: id };
};

/** A new auditor for each call. */
const auditor: Factory = async ({ chancery, team }) => {
  const { id } = await chancery.user(team, { role: 'auditor' });
  await insertSeat(chancery.pool, team.id, id);
  return { id, userId: id };
};

const invitation: Factory = (world) => world.made('owner', 'POST', '/api/v1/team/invitations', { email: newAddress(), role: 'member' });

const interfaces = '/api/v1/interfaces';

/** A published form of the creator, with its submissions in the shared folder. */
const form: Factory = async (world, caller) => {
  const place = await folder(world, caller);
  const made = await world.made('creator', 'POST', `${interfaces}/`, {
    title: name('Form'),
    type: 'form',
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    config: { folderId: place.id },
  });
  await world.made('creator', 'POST', `${interfaces}/${made.id}/publish`, { revision: 1 });
  return { id: made.id, folder: place.id };
};

/** A registry of the creator, shared with the writer, the reader and the clerk. */
const registry: Factory = async (world) => {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const made = await world.made('creator', 'POST', '/api/v1/registries/', { name: name('Registry'), fields });
  return { id: made.id, typeId: made.id, grantId: (await share(world, 'registry', made.id, byAccess)).reader };
};

/** One document template for each team. Other templates are copies of it, because saving one takes a second. */
const templatesOf = new Map<string, Promise<string>>();

/** A document template of the creator, shared with the writer, the reader and the clerk. */
const documentTemplate: Factory = async (world) => {
  const { pool } = world.chancery;
  const { team } = world.people.creator;
  const first = templatesOf.get(team) ?? world.made('creator', 'POST', '/api/v1/document-templates/', smallTemplate()).then(({ id }) => id);
  templatesOf.set(team, first);
  const made = { id: randomUUIDv7() };
  await pool.query(
    `INSERT INTO document_template (team_id, id, name, user_id, created_by, created_by_type, created_at, updated_at)
     SELECT team_id, $3, $4, user_id, created_by, created_by_type, created_at, updated_at FROM document_template WHERE team_id = $1 AND id = $2`,
    [team, await first, made.id, name('Template')],
  );
  await pool.query(
    `INSERT INTO document_template_version (team_id, template_id, number, source, schema, files, created_by, created_by_type, created_at)
     SELECT team_id, $3, 1, source, schema, files, created_by, created_by_type, created_at FROM document_template_version
     WHERE team_id = $1 AND template_id = $2 AND number = 1`,
    [team, await first, made.id],
  );
  return { id: made.id, slug: 'nda', version: '1', grantId: (await share(world, 'template', made.id, byAccess)).reader };
};

/** A signature batch that the creator requested. */
const signatureBatch: Factory = ({ chancery, people }) => waitingBatch(chancery.pool, people.creator);

/** A document of the creator for which an evidence pack can be requested. */
const evidenceSource: Factory = async (world, caller) => {
  const made = await document(world, caller);
  await clearPacks(world.chancery.pool, world.team.id);
  return made;
};

/** A failed evidence pack that the creator requested. A successful one would make the result depend on when its file is written. */
const evidencePack: Factory = async (world, caller) => {
  const made = await document(world, caller);
  return failedPack(world.chancery.pool, world.people.creator, made.id);
};

/** A document that the creator generated from a template, outside of any folder. */
const madeDocument: Factory = async (world, caller) => {
  const of = await documentTemplate(world, caller);
  const made = await world.made('creator', 'POST', '/api/v1/smartdoc/documents/', { title: name('Made') });
  await world.chancery.pool.query(
    "INSERT INTO document_from_template (team_id, document_id, template_id, number, source) VALUES ($1, $2, $3, 1, 'data')",
    [world.people.creator.team, made.id, of.id],
  );
  return { id: made.id };
};

/** An agent, shared with the writer, the reader and the clerk. Its creator is the owner of the team. */
/** One API client for all agents of a world, because a team has a limited number. */
const callersOfWorlds = new WeakMap<object, Promise<{ id: string }>>();
function callerOf(world: Parameters<Factory>[0]): Promise<{ id: string }> {
  const known = callersOfWorlds.get(world);
  const client = known ?? world.made('owner', 'POST', '/api/v1/security/clients/', { name: name('Caller'), scopes: ['agents:run'] });
  callersOfWorlds.set(world, client);
  return client;
}

const agent: Factory = async (world) => {
  const made = await world.made('owner', 'POST', '/ws/api/agents/', { name: name('Agent') });
  const client = await callerOf(world);
  await world.made('owner', 'PUT', `/ws/api/agents/${made.id}/callers`, { clientId: client.id });
  return {
    id: made.id,
    agentId: made.id,
    clientId: client.id,
    shareId: (await share(world, 'assistant', made.id, { writer: '{user}', reader: '{user}', clerk: '{user}' })).reader,
  };
};

/** An agent that is stopped individually and together with all agents of the team. */
const stoppedAgent: Factory = async (world, caller) => {
  const made = await agent(world, caller);
  for (const path of [`/ws/api/agents/${made.id}/stop`, '/ws/api/agents/stop']) await world.made('owner', 'POST', path, { reason: 'Odd' });
  return made;
};

const agentFile: Factory = async (world, caller) => {
  const made = await agent(world, caller);
  await world.made('owner', 'PUT', `/ws/api/agents/${made.id}/files/walked.md`, { content: 'Walked' });
  return { ...made, fileName: 'walked.md' };
};

/** An agent job. The owner of the team is responsible for it. */
const agentJob: Factory = async (world) => {
  const body = { name: name('Job'), cron: '0 0 1 1 *', message: 'Look' };
  const made = await world.made('owner', 'POST', '/ws/api/agents/cron', { ...body, overlap: 'queue' });
  return { id: made.id, jobId: made.id };
};

const agentRun: Factory = async (world, caller) => {
  const { id: jobId } = await agentJob(world, caller);
  const { runId } = await world.made('owner', 'POST', `/ws/api/agents/cron/${jobId}/run`);
  return { id: runId, jobId };
};

const agentSkill: Factory = async (world) => {
  const skillName = `walked-${randomUUIDv7()}`;
  const content = `---\nname: ${skillName}\ndescription: Walked.\n---\nWalked\n`;
  const { id } = await world.made('owner', 'POST', '/ws/api/agents/skills', { content });
  return { id, skillName, content };
};

const runOfJob: Factory = async (world, caller) => {
  const { id: runId, jobId } = await agentRun(world, caller);
  return { id: jobId ?? '', runId: runId ?? '' };
};

/** An agent whose model may receive content of the team, with a run that the reader requested. */
const pendingAgent: Factory = async (world, caller) => {
  await world.made('owner', 'PUT', '/ws/api/agents/settings', { enabled: true });
  // An earlier row can have stopped all agents.
  if ((await world.made('owner', 'GET', '/ws/api/agents/stop')).stopped) await world.made('owner', 'POST', '/ws/api/agents/start');
  const made = await agent(world, caller);
  const { runId } = await world.made('reader', 'POST', `/ws/api/agents/${made.id}/runs`, { message: 'Look' });
  return { ...made, id: runId };
};

const agentMcpServer: Factory = async (world) => {
  // A team has at most 20, and the walk creates more.
  await world.chancery.pool.query(
    "DELETE FROM agent_mcp_server WHERE id IN (SELECT id FROM agent_mcp_server WHERE slug LIKE 'w-%' ORDER BY id DESC OFFSET 8)",
  );
  const { id } = await world.made('owner', 'POST', '/ws/api/agents/mcp-servers', serverBody());
  return { id, serverId: id, ...(await insertTool(world.chancery, id)) };
};

/** An MCP server with a sign-in. */
const signInServer: Factory = async (world, caller) => {
  await agentMcpServer(world, caller);
  const { id } = await world.made('owner', 'POST', '/ws/api/agents/mcp-servers', await signInServerBody());
  return { id, serverId: id };
};

/** An MCP server with a sign-in that the caller has begun, and the values that the browser returns with. */
const begunSignIn: Factory = async (world, caller) => {
  const { id } = await signInServer(world, caller);
  const by = caller === 'admin' ? 'admin' : 'owner';
  const { authorizationUrl } = await world.made(by, 'POST', `/ws/api/agents/mcp-servers/${id}/sign-in`, {});
  return { id, serverId: id, ...(await allowedThere(authorizationUrl)) };
};

/** A built-in preset. */
const preset: Factory = async () => ({ id: 'policy-librarian' });

const binnedRegistry: Factory = async (world, caller) => {
  const made = await registry(world, caller);
  await world.made('creator', 'DELETE', `/api/v1/registries/${made.id}`);
  return made;
};

/** A record of the shared registry. */
const registryRecord: Factory = async (world, caller) => {
  const of = await registry(world, caller);
  const made = await world.made('creator', 'POST', `/api/v1/registries/${of.id}/records`, { data: { name: name('Record') } });
  return { ...of, id: made.id };
};

const changedRecord: Factory = async (world, caller) => {
  const made = await registryRecord(world, caller);
  await world.made('creator', 'PATCH', `/api/v1/registries/${made.typeId}/records/${made.id}`, { data: { name: name('Changed') } });
  return made;
};

const binnedRecord: Factory = async (world, caller) => {
  const made = await registryRecord(world, caller);
  await world.made('creator', 'DELETE', `/api/v1/registries/${made.typeId}/records/${made.id}`);
  return made;
};

const registryImport: Factory = async (world, caller) => {
  const of = await registry(world, caller);
  const table = new FormData();
  table.set('file', new Blob(['name\nImported\n'], { type: 'text/csv' }), 'records.csv');
  const made = await world.made('creator', 'POST', `/api/v1/registries/${of.id}/records/import`, table);
  return { ...of, id: made.id };
};

/** A record from a form that waits for approval. */
const pendingRecord: Factory = async (world, caller) => {
  const made = await registryRecord(world, caller);
  await world.chancery.pool.query("UPDATE registry_record SET state = 'pending' WHERE id = $1", [made.id]);
  await world.chancery.pool.query("UPDATE registry_value SET state = 'pending' WHERE record_id = $1", [made.id]);
  return made;
};

/** The creator’s booking form with a calendar and an unconfirmed booking. */
const bookingForm: Factory = async (world, caller) => {
  const made = await form(world, caller);
  await world.made('creator', 'PUT', `${interfaces}/${made.id}/calendar`, { ...plainCalendar, confirmation: 'manual' });
  const { bookingId } = await bookIn(world.chancery, world.team.id, made.id);
  return { ...made, bookingId };
};

/** The booking form with a confirmed booking. */
const bookedForm: Factory = async (world, caller) => {
  const made = await bookingForm(world, caller);
  await world.made('creator', 'POST', `${interfaces}/${made.id}/bookings/${made.bookingId}/confirm`);
  return made;
};

/** The booking form with an appointment that has begun. */
const pastBooking: Factory = async (world, caller) => {
  const made = await bookedForm(world, caller);
  await beginBooking(world.chancery, made.bookingId ?? '');
  return made;
};

/** A form that the writer can edit. The reader can read its submissions. The clerk can do both. */
const formForEditors: Factory = async (world, caller) => {
  const made = await form(world, caller);
  const rights = { writer: '{editor}', reader: '{submission_viewer}', clerk: '{editor,submission_viewer}' };
  return { ...made, shareId: (await share(world, 'form', made.id, rights)).writer };
};

/** A form with one submission. The writer can edit the form and read the submission. */
const formForOne: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  await world.chancery.pool.query("UPDATE access_grant SET relations = '{editor,submission_viewer}' WHERE id = $1", [made.shareId]);
  return made;
};

/** A shared form with a submission, behind a barrier with the reader as barrier member. */
const barredForm: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  await world.made('creator', 'PUT', `${folders}/${made.folder}/barrier`, { userIds: [world.people.reader.id] });
  return made;
};

/** A form with its submissions outside of any folder. */
const plainForm: Factory = async (world) => {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const { id } = await world.made('creator', 'POST', `${interfaces}/`, { title: name('Form'), type: 'form', fields });
  await share(world, 'form', id, { writer: '{editor}', reader: '{submission_viewer}', clerk: '{editor}' });
  return { id };
};

/** A form with one submission, shared with editors and readers. */
const answeredForm: Factory = async (world, caller) => {
  const made = await formForEditors(world, caller);
  const { publicToken } = await world.made('creator', 'GET', `${interfaces}/${made.id}/links`);
  const { submissionId } = await world.made('creator', 'POST', `${interfaces}/public/${publicToken}/submit`, { data: { name: 'Ada' } });
  // A team can have two running exports at a time.
  await world.chancery.pool.query(
    "UPDATE submission_export SET status = 'failed', ended_at = now() WHERE team_id = $1 AND status = 'waiting'",
    [world.team.id],
  );
  return { ...made, submissionId };
};

/** A form with a file that a visitor submitted. */
const submittedFile: Factory = async (world, caller) => {
  const made = await formForEditors(world, caller);
  await world.made('creator', 'PUT', `${interfaces}/${made.id}`, { fields: [{ id: 'file', type: 'file', label: 'File' }] });
  const { publicToken } = await world.made('creator', 'POST', `${interfaces}/${made.id}/publish`, { revision: 2 });
  return { ...made, ...(await submitFile(world.chancery, publicToken)) };
};

/** A form with one submission and an export that the creator requested. */
const exportedForm: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  const { id: exportId } = await world.made('creator', 'POST', `${interfaces}/${made.id}/submissions/exports`, { format: 'csv' });
  // The export is failed and has no file. Otherwise the result would depend on when the file is written.
  await world.chancery.pool.query("UPDATE submission_export SET status = 'failed', submissions = NULL, ended_at = now() WHERE id = $1", [
    exportId,
  ]);
  await world.chancery.pool.query('DELETE FROM submission_export_file WHERE id = $1', [exportId]);
  return { ...made, exportId };
};

/** A form with a submission whose follow-up action failed. */
const failedForm: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  await failSubmission(world.chancery, made.submissionId ?? '');
  return made;
};

/** A sent signature request of the creator for the creator’s document. */
const signatureRequest: Factory = async (world) => {
  const place = await folder(world, 'creator');
  const { id: documentId } = await pdfDocument(world.chancery, world.people.creator, { title: name('To sign'), folderId: place.id });
  const made = await askToSign(world.chancery, world.people.creator, { documentId });
  await outToSign(world.chancery, made.id);
  return { id: made.id, signerId: made.signers[0].id, documentId, folder: place.id };
};
/** A signature request behind a barrier with its creator and the reader as barrier members. */
const barredRequest: Factory = async (world, caller) => {
  const made = await signatureRequest(world, caller);
  await world.made('creator', 'PUT', `${folders}/${made.folder}/barrier`, { userIds: [world.people.reader.id] });
  return made;
};
const requestIn =
  (state: string): Factory =>
  async (world, caller) => {
    const made = await signatureRequest(world, caller);
    await world.chancery.pool.query(`UPDATE signature_request SET ${state} WHERE id = $1`, [made.id]);
    return made;
  };

export const things = {
  signatureRequest,
  barredRequest,
  failedRequest: async (world, caller) => unprepared(world.chancery, await requestIn("status = 'failed'")(world, caller)),
  suspendedRequest: requestIn("suspended = 'right_lost'"),
  failedForm,
  plainForm,
  submittedFile,
  exportedForm,
  answeredForm,
  formForEditors,
  formForOne,
  barredForm,
  form,
  bookingForm,
  bookedForm,
  pastBooking,
  folder,
  subfolder,
  binnedFolder,
  barred,
  emergencyRequested,
  emergencyAccess,
  besideWider,
  clientFolder,
  mixedFolder,
  document,
  commentedDocument,
  binnedDocument,
  barredDocument,
  labelled: labelled(document),
  labelledBehindBarrier: labelled((world, caller) => barredDocument(world, caller)),
  ruledFolder,
  ruledBehindBarrier,
  waitingRule,
  datedDocument: dated(document),
  datedBehindBarrier: dated((world, caller) => barredDocument(world, caller)),
  hold,
  holdBehindBarrier,
  documentBesideWider,
  emergencyDocument,
  givenDocument,
  looseDocument,
  documentOfTask,
  draft,
  started,
  overdueWorkflow,
  approvalRound,
  barredApprovalRound,
  startedByAnother,
  startedBehindBarrier,
  startedWithEmergencyAccess,
  paused,
  template,
  approvalPolicy,
  task,
  taskOfDocument,
  completedTask,
  nobodysTask,
  groupTask,
  claimedTask,
  approval,
  approvalBehindBarrier,
  formTask,
  signature,
  colleague,
  auditor,
  group,
  matter,
  closedMatter,
  barredMatter,
  matterAndDocument,
  matterWithDocument,
  matterDeadline,
  nobodysTaskInMatter,
  matterClient,
  invitation,
  registry,
  documentTemplate,
  madeDocument,
  signatureBatch,
  evidenceSource,
  evidencePack,
  binnedRegistry,
  registryRecord,
  changedRecord,
  registryImport,
  binnedRecord,
  pendingRecord,
  agent,
  stoppedAgent,
  agentFile,
  agentJob,
  agentRun,
  agentSkill,
  agentMcpServer,
  signInServer,
  begunSignIn,
  pendingAgent,
  runOfJob,
  preset,
} satisfies Record<string, Factory>;
export type ThingName = keyof typeof things;
