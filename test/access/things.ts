import { randomUUIDv7 } from 'node:crypto';
import { failSubmission } from '../failed-submissions.ts';
import { beginBooking, bookIn, plainCalendar } from '../bookings.ts';
import { allowedThere, insertTool, serverBody, signInServerBody } from '../mcp-tools.ts';
import { smallTemplate } from '../operations/small-template.ts';
import { askToSign, outToSign, pdfDocument } from '../signatures.ts';
import { clearPacks, failedPack } from '../evidence.ts';
import { waitingBatch } from '../signature-batches.ts';
import { submitFile } from '../submissions.ts';
import { newAddress } from '../suites/acts/kit.ts';
import type { Caller, AccessWorld } from './callers.ts';

/** A thing that an operation is tried on: its identifiers, by the names they have in paths, and what bodies need of it. */
export type Thing = { id: string } & Record<string, string>;
/** `caller` is who will try: where a thing is given to one person, the guest gets one of their own. */
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

type Sharer = 'writer' | 'reader' | 'guest';
const sharers = ['writer', 'reader', 'guest'] as const;

/**
 * Shares a thing with some, and gives the share of each. As rows, which is what the operations make: those have rows of their own in
 * the table of access, and to call them for each thing would be a third of all calls.
 */
async function share(world: AccessWorld, type: string, id: string, relations: Record<Sharer, string>): Promise<Record<Sharer, string>> {
  const { maker, owner } = world.people;
  const made = { writer: randomUUIDv7(), reader: randomUUIDv7(), guest: randomUUIDv7() };
  await world.chancery.pool.query(
    `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
     SELECT $1, s.id, $2, $3, 'user', s.user_id, s.relations::text[], 'share', $4, now()
     FROM unnest($5::uuid[], $6::uuid[], $7::text[]) AS s (id, user_id, relations)`,
    [
      world.team.id,
      type,
      id,
      (type === 'assistant' ? owner : maker).id,
      sharers.map((who) => made[who]),
      sharers.map((who) => world.people[who].id),
      sharers.map((who) => relations[who]),
    ],
  );
  return made;
}
const byAccess = { writer: '{editor}', reader: '{viewer}', guest: '{editor}' };

/** A folder of the maker’s, shared with the writer, the reader and the guest. */
const folder: Factory = async (world) => {
  const made = await world.made('maker', 'POST', `${folders}/`, { name: name('Folder') });
  const { reader } = await share(world, 'folder', made.id, byAccess);
  return { id: made.id, shareId: reader, grantId: reader };
};

/** A group with the colleague in it. */
const group: Factory = async (world, caller) => {
  const { id } = await world.made('owner', 'POST', '/api/v1/groups/', { name: name('Group') });
  const { id: userId } = await colleague(world, caller);
  await world.made('owner', 'POST', `/api/v1/groups/${id}/members`, { userId });
  return { id, userId };
};

/** A folder inside the shared one, in which no share stands. */
const subfolder: Factory = async (world, caller) => {
  const above = await folder(world, caller);
  const made = await world.made('maker', 'POST', `${folders}/`, { name: name('Inside'), parentId: above.id });
  return { ...above, id: made.id, above: above.id };
};

const binnedFolder: Factory = async (world, caller) => {
  const made = await subfolder(world, caller);
  await world.made('maker', 'DELETE', `${folders}/${made.id}`);
  return made;
};

/** The shared folder behind a barrier, inside of which are its maker and the reader. */
const barred: Factory = async (world, caller) => {
  const made = await folder(world, caller);
  await world.made('maker', 'PUT', `${folders}/${made.id}/barrier`, { userIds: [world.people.reader.id] });
  return made;
};

/** The same, when the administrator has asked to be let in. */
const emergencyRequested: Factory = async (world, caller) => {
  const made = await barred(world, caller);
  const accessRequest = await world.made('admin', 'POST', `/api/v1/barriers/${made.id}/emergency-access`, { reason: 'Discovery' });
  return { ...made, emergencyAccessId: accessRequest.id };
};

/** The same, when the owner of the team has consented: the administrator is inside for a day. */
const emergencyAccess: Factory = async (world, caller) => {
  const made = await emergencyRequested(world, caller);
  await world.made('owner', 'POST', `/api/v1/barriers/${made.id}/emergency-access/${made.emergencyAccessId}/approve`);
  return made;
};

/** A folder in the shared one, beside another (`wide`) that the team reads too. */
const besideWider: Factory = async (world, caller) => {
  const made = await subfolder(world, caller);
  return { ...made, wide: await widerIn(world, made.above ?? '') };
};

async function widerIn(world: AccessWorld, parentId: string): Promise<string> {
  const wide = await world.made('maker', 'POST', `${folders}/`, { name: name('Wider'), parentId });
  await world.made('maker', 'POST', `${folders}/${wide.id}/shares`, { team: true, access: 'read' });
  return wide.id;
}

/** A folder that the API client made, and a document of its own in it. */
const clientFolder: Factory = async (world) => {
  const made = await world.made('client', 'POST', `${folders}/`, { name: name('By a client') });
  await world.made('client', 'POST', `${documents}/`, file(undefined, { folderId: made.id }));
  return { id: made.id };
};

/** The same with a document of somebody else's in it, which the client has moved there. */
const mixedFolder: Factory = async (world, caller) => {
  const made = await clientFolder(world, caller);
  const theirs = await world.made('owner', 'POST', `${documents}/`, file());
  await world.made('client', 'PATCH', `${documents}/${theirs.id}/move`, { folderId: made.id });
  return made;
};

/** A document of the maker’s with one version, in the shared folder. */
const document: Factory = async (world, caller) => {
  const place = await folder(world, caller);
  const made = await world.made('maker', 'POST', `${documents}/`, file(undefined, { folderId: place.id }));
  return { id: made.id, folder: place.id, documentId: made.id, title: made.title };
};

const binnedDocument: Factory = async (world, caller) => {
  const made = await document(world, caller);
  await world.made('maker', 'DELETE', `${documents}/${made.id}`);
  return made;
};

/** The shared folder with a retention rule, and one whose rule waits for a confirmation. */
const ruledFolder: Factory = async (world, caller) => {
  const made = await folder(world, caller);
  await world.made('maker', 'PUT', `${folders}/${made.id}/retention`, { action: 'keep', after: 'P10Y', from: 'created' });
  return made;
};
const waitingRule: Factory = async (world, caller) => {
  const made = await ruledFolder(world, caller);
  await world.chancery.pool.query('UPDATE retention_rule SET waiting = 5 WHERE folder_id = $1', [made.id]);
  return made;
};

/** A document with a label that no other has, in the open and behind the barrier. */
const labelled =
  (made: Factory): Factory =>
  async (world, caller) => {
    const found = await made(world, caller);
    await world.made('maker', 'PUT', `${documents}/${found.id}`, { labels: [found.id] });
    return found;
  };

/** A document with dates that come, in the open and behind the barrier. */
const dated =
  (made: Factory): Factory =>
  async (world, caller) => {
    const found = await made(world, caller);
    await world.made('maker', 'PUT', `${documents}/${found.id}/dates`, { expiresAt: '2998-12-31' });
    return found;
  };

/** A legal hold on the document, and one on the folder behind the barrier. */
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

/** A document that lies behind the barrier, and that the holder and the guest have a task of. */
const barredDocument: Factory = async (world, caller) => {
  const made = await documentOfTask(world, caller);
  const place = await barred(world, caller);
  await world.made('maker', 'PATCH', `${documents}/${made.id}/move`, { folderId: place.id });
  return { ...made, folder: place.id };
};

/** A document in the shared folder, in which there is one (`wide`) that the team reads too. */
const documentBesideWider: Factory = async (world, caller) => {
  const made = await document(world, caller);
  return { ...made, wide: await widerIn(world, made.folder ?? '') };
};

/** A document behind a barrier to which the administrator has emergency access. */
const emergencyDocument: Factory = async (world, caller) => {
  const made = await documentOfTask(world, caller);
  const place = await emergencyAccess(world, caller);
  await world.made('maker', 'PATCH', `${documents}/${made.id}/move`, { folderId: place.id });
  return { ...made, folder: place.id };
};

/** A document of the maker’s alone that was given to the reader by itself. */
const givenDocument: Factory = async (world, caller) => {
  const made = await looseDocument(world, caller);
  const grant = await world.made('maker', 'POST', `${documents}/${made.id}/access`, { userId: world.people.reader.id, access: 'read' });
  return { ...made, grantId: grant.id };
};

/** The same in no folder: its maker’s alone. */
const looseDocument: Factory = async (world) => {
  const made = await world.made('maker', 'POST', `${documents}/`, file());
  return { id: made.id, documentId: made.id, title: made.title };
};

/** A document that its maker gave to the holder and the guest by a task on it. */
const documentOfTask: Factory = async (world, caller) => {
  const made = await looseDocument(world, caller);
  const workflow = await draftOn(world, made.id, 'task');
  await world.made('maker', 'POST', `${workflows}/${workflow}/start`);
  return made;
};

async function draftOn(world: AccessWorld, documentId: string, type: string): Promise<string> {
  const { holder, guest } = world.people;
  const steps = [{ id: 'a', type, assignees: [holder.id, guest.id], mode: 'any' }];
  return (await world.made('maker', 'POST', `${workflows}/`, { name: name('Workflow'), documentId, steps })).id;
}

/** A draft of the maker’s about a document of theirs; its one step is to be the holder’s and the guest’s. */
const draft: Factory = async (world, caller) => {
  const about = await document(world, caller);
  return { ...about, id: await draftOn(world, about.id, 'task') };
};

const started: Factory = async (world, caller) => {
  const made = await draft(world, caller);
  await world.made('maker', 'POST', `${workflows}/${made.id}/start`);
  return made;
};

const overdueWorkflow: Factory = async (world, caller) => {
  const made = await draft(world, caller);
  await world.made('maker', 'PUT', `${workflows}/${made.id}`, { dueDate: '2020-01-31' });
  await world.made('maker', 'POST', `${workflows}/${made.id}/start`);
  return made;
};

/** The same of the administrator’s, about the document of the maker’s. */
const startedByAnother: Factory = async (world, caller) => {
  const about = await document(world, caller);
  const { holder, guest } = world.people;
  const steps = [{ id: 'a', type: 'task', assignees: [holder.id, guest.id], mode: 'any' }];
  const made = await world.made('admin', 'POST', `${workflows}/`, { name: name('Workflow'), documentId: about.id, steps });
  await world.made('admin', 'POST', `${workflows}/${made.id}/start`);
  return { ...about, id: made.id };
};

const raiseBarrier = (world: AccessWorld, { folder: place = '' }: Thing) =>
  world.made('maker', 'PUT', `${folders}/${place}/barrier`, { userIds: [world.people.reader.id] });

/** The same behind a barrier, inside of which are the maker and the reader. */
const startedBehindBarrier: Factory = async (world, caller) => {
  const made = await started(world, caller);
  await raiseBarrier(world, made);
  return made;
};

/** The same, to which the administrator has emergency access. */
const startedWithEmergencyAccess: Factory = async (world, caller) => {
  const made = await startedBehindBarrier(world, caller);
  const requests = `/api/v1/barriers/${made.folder}/emergency-access`;
  const accessRequest = await world.made('admin', 'POST', requests, { reason: 'Discovery' });
  await world.made('owner', 'POST', `${requests}/${accessRequest.id}/approve`);
  return made;
};

const paused: Factory = async (world, caller) => {
  const made = await started(world, caller);
  await world.made('maker', 'POST', `${workflows}/${made.id}/pause`, {});
  return made;
};

const template: Factory = async (world) => {
  const made = await world.made('maker', 'POST', `${workflows}/templates`, {
    name: `own-${randomUUIDv7()}`,
    description: 'Own',
    steps: [{ id: 'a', type: 'task' }],
  });
  return { id: made.name, name: made.name };
};

/** Whose a thing is that can be one person’s alone: the holder’s, or the guest’s when the guest tries. */
const givenTo = (world: AccessWorld, caller: Caller) => world.people[caller === 'guest' ? 'guest' : 'holder'];

/** A task that the maker gave. */
const task: Factory = (world, caller) =>
  world.made('maker', 'POST', '/api/v1/tasks/', { title: name('Task'), assignedTo: givenTo(world, caller).id });

/** A task about a document of the maker’s. */
const taskOfDocument: Factory = async (world, caller) => {
  const { id } = await looseDocument(world, caller);
  return world.made('maker', 'POST', '/api/v1/tasks/', { title: name('Task'), documentId: id, assignedTo: givenTo(world, caller).id });
};

const completedTask: Factory = async (world, caller) => {
  const made = await taskOfDocument(world, caller);
  return world.made(caller === 'guest' ? 'guest' : 'holder', 'POST', `/api/v1/tasks/${made.id}/complete`, {});
};

const nobodysTask: Factory = (world) => world.made('maker', 'POST', '/api/v1/tasks/', { title: name('Task') });

/** The task of an approval in a workflow of the maker’s. */
const approval: Factory = (world, caller) => decision(world, caller, 'approval');

/** The same behind a barrier, inside of which are the maker and the reader. */
const approvalBehindBarrier: Factory = async (world, caller) => {
  const made = await approval(world, caller);
  await raiseBarrier(world, made);
  return made;
};

async function decision(world: AccessWorld, caller: Caller, type: string, config: object = {}): Promise<Thing> {
  const about = await document(world, caller);
  const made = await world.made('maker', 'POST', `${workflows}/`, {
    name: name('Workflow'),
    documentId: about.id,
    steps: [{ id: 'a', type, assignees: [givenTo(world, caller).id], config }],
  });
  await world.made('maker', 'POST', `${workflows}/${made.id}/start`);
  const [open] = await world.made('maker', 'GET', `/api/v1/tasks/?workflowId=${made.id}`);
  return { ...about, id: open.id };
}

/** The task of a step that names a form of the maker’s. */
const formTask: Factory = async (world, caller) => {
  const { id } = await plainForm(world, caller);
  await world.made('maker', 'POST', `${interfaces}/${id}/publish`, { revision: 1 });
  return decision(world, caller, 'form', { interfaceId: id });
};

/** The task of a signature, in a workflow of the maker’s. */
const signature: Factory = (world, caller) => decision(world, caller, 'signature');

/** A plain member of the team, new each time: what is done to them ends them. */
const colleague: Factory = async (world) => {
  const { id } = await world.chancery.user(world.team);
  return { id, userId: id };
};

const invitation: Factory = (world) => world.made('owner', 'POST', '/api/v1/team/invitations', { email: newAddress(), role: 'member' });

const interfaces = '/api/v1/interfaces';

/** A form that the maker has published, its answers in the shared folder. */
const form: Factory = async (world, caller) => {
  const place = await folder(world, caller);
  const made = await world.made('maker', 'POST', `${interfaces}/`, {
    title: name('Form'),
    type: 'form',
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    config: { folderId: place.id },
  });
  await world.made('maker', 'POST', `${interfaces}/${made.id}/publish`, { revision: 1 });
  return { id: made.id, folder: place.id };
};

/** A registry of the maker’s, shared with the writer, the reader and the guest. */
const registry: Factory = async (world) => {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const made = await world.made('maker', 'POST', '/api/v1/registries/', { name: name('Registry'), fields });
  return { id: made.id, typeId: made.id, grantId: (await share(world, 'registry', made.id, byAccess)).reader };
};

/** One template for documents of each team, which others are copies of: to set one, as it is when it is saved, takes a second. */
const templatesOf = new Map<string, Promise<string>>();

/** A template for documents, of the maker’s, shared with the writer, the reader and the guest. */
const documentTemplate: Factory = async (world) => {
  const { pool } = world.chancery;
  const { team } = world.people.maker;
  const first = templatesOf.get(team) ?? world.made('maker', 'POST', '/api/v1/document-templates/', smallTemplate()).then(({ id }) => id);
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

/** A batch that the maker has asked for. */
const signatureBatch: Factory = ({ chancery, people }) => waitingBatch(chancery.pool, people.maker);

/** A document of the maker’s, of which a pack can be asked for. */
const evidenceSource: Factory = async (world, caller) => {
  const made = await document(world, caller);
  await clearPacks(world.chancery.pool, world.team.id);
  return made;
};

/** A pack of it that the maker has asked for, and that has failed: whether its file is written already would be a matter of time. */
const evidencePack: Factory = async (world, caller) => {
  const made = await document(world, caller);
  return failedPack(world.chancery.pool, world.people.maker, made.id);
};

/** A document that the maker has made from a template, outside of any folder. */
const madeDocument: Factory = async (world, caller) => {
  const of = await documentTemplate(world, caller);
  const made = await world.made('maker', 'POST', '/api/v1/smartdoc/documents/', { title: name('Made') });
  await world.chancery.pool.query(
    "INSERT INTO document_from_template (team_id, document_id, template_id, number, source) VALUES ($1, $2, $3, 1, 'data')",
    [world.people.maker.team, made.id, of.id],
  );
  return { id: made.id };
};

/** An agent, given to the writer, the reader and the guest. A team has one maker of agents, its owner. */
const agent: Factory = async (world) => {
  const made = await world.made('owner', 'POST', '/ws/api/agents/', { name: name('Agent') });
  return {
    id: made.id,
    agentId: made.id,
    shareId: (await share(world, 'assistant', made.id, { writer: '{user}', reader: '{user}', guest: '{user}' })).reader,
  };
};

/** The same, stopped by itself and with all agents of the team. */
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

/** A job of an agent, and a run of it. A team has one who answers for jobs, its owner. */
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

/** An agent as above, whose model may be given the content of the team, and a run that the reader has asked for. */
const pendingAgent: Factory = async (world, caller) => {
  await world.made('owner', 'PUT', '/ws/api/agents/settings', { enabled: true });
  // Another row has stopped them all.
  if ((await world.made('owner', 'GET', '/ws/api/agents/stop')).stopped) await world.made('owner', 'POST', '/ws/api/agents/start');
  const made = await agent(world, caller);
  const { runId } = await world.made('reader', 'POST', `/ws/api/agents/${made.id}/runs`, { message: 'Look' });
  return { ...made, id: runId };
};

const agentMcpServer: Factory = async (world) => {
  // A team has 20 at most, and the walk makes more.
  await world.chancery.pool.query(
    "DELETE FROM agent_mcp_server WHERE id IN (SELECT id FROM agent_mcp_server WHERE slug LIKE 'w-%' ORDER BY id DESC OFFSET 8)",
  );
  const { id } = await world.made('owner', 'POST', '/ws/api/agents/mcp-servers', serverBody());
  return { id, serverId: id, ...(await insertTool(world.chancery, id)) };
};

/** One at which one can sign in. */
const signInServer: Factory = async (world, caller) => {
  await agentMcpServer(world, caller);
  const { id } = await world.made('owner', 'POST', '/ws/api/agents/mcp-servers', await signInServerBody());
  return { id, serverId: id };
};

/** The same, where whoever tries has begun to; what their browser has brought back goes along. */
const begunSignIn: Factory = async (world, caller) => {
  const { id } = await signInServer(world, caller);
  const by = caller === 'admin' ? 'admin' : 'owner';
  const { authorizationUrl } = await world.made(by, 'POST', `/ws/api/agents/mcp-servers/${id}/sign-in`, {});
  return { id, serverId: id, ...(await allowedThere(authorizationUrl)) };
};

/** One that the service brings. */
const preset: Factory = async () => ({ id: 'policy-librarian' });

const binnedRegistry: Factory = async (world, caller) => {
  const made = await registry(world, caller);
  await world.made('maker', 'DELETE', `/api/v1/registries/${made.id}`);
  return made;
};

/** A record of the shared registry. */
const registryRecord: Factory = async (world, caller) => {
  const of = await registry(world, caller);
  const made = await world.made('maker', 'POST', `/api/v1/registries/${of.id}/records`, { data: { name: name('Record') } });
  return { ...of, id: made.id };
};

const changedRecord: Factory = async (world, caller) => {
  const made = await registryRecord(world, caller);
  await world.made('maker', 'PATCH', `/api/v1/registries/${made.typeId}/records/${made.id}`, { data: { name: name('Changed') } });
  return made;
};

const binnedRecord: Factory = async (world, caller) => {
  const made = await registryRecord(world, caller);
  await world.made('maker', 'DELETE', `/api/v1/registries/${made.typeId}/records/${made.id}`);
  return made;
};

const registryImport: Factory = async (world, caller) => {
  const of = await registry(world, caller);
  const table = new FormData();
  table.set('file', new Blob(['name\nImported\n'], { type: 'text/csv' }), 'records.csv');
  const made = await world.made('maker', 'POST', `/api/v1/registries/${of.id}/records/import`, table);
  return { ...of, id: made.id };
};

/** One that waits for approval, as a form makes it. */
const pendingRecord: Factory = async (world, caller) => {
  const made = await registryRecord(world, caller);
  await world.chancery.pool.query("UPDATE registry_record SET state = 'pending' WHERE id = $1", [made.id]);
  await world.chancery.pool.query("UPDATE registry_value SET state = 'pending' WHERE record_id = $1", [made.id]);
  return made;
};

/** The form of the maker’s for bookings, with a calendar and one booking that waits to be confirmed. */
const bookingForm: Factory = async (world, caller) => {
  const made = await form(world, caller);
  await world.made('maker', 'PUT', `${interfaces}/${made.id}/calendar`, { ...plainCalendar, confirmation: 'manual' });
  const { bookingId } = await bookIn(world.chancery, world.team.id, made.id);
  return { ...made, bookingId };
};

/** The same, whose booking is confirmed. */
const bookedForm: Factory = async (world, caller) => {
  const made = await bookingForm(world, caller);
  await world.made('maker', 'POST', `${interfaces}/${made.id}/bookings/${made.bookingId}/confirm`);
  return made;
};

/** The same, whose appointment has begun. */
const pastBooking: Factory = async (world, caller) => {
  const made = await bookedForm(world, caller);
  await beginBooking(world.chancery, made.bookingId ?? '');
  return made;
};

/** A form that its maker lets the writer edit, the reader read the answers of, and the guest do both. */
const formForEditors: Factory = async (world, caller) => {
  const made = await form(world, caller);
  const rights = { writer: '{editor}', reader: '{submission_viewer}', guest: '{editor,submission_viewer}' };
  return { ...made, shareId: (await share(world, 'form', made.id, rights)).writer };
};

/** A form, answered once, that its maker lets the writer edit and read the answers of. */
const formForOne: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  await world.chancery.pool.query("UPDATE access_grant SET relations = '{editor,submission_viewer}' WHERE id = $1", [made.shareId]);
  return made;
};

/** A form that is shared and answered, behind a barrier whose member is the reader. */
const barredForm: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  await world.made('maker', 'PUT', `${folders}/${made.folder}/barrier`, { userIds: [world.people.reader.id] });
  return made;
};

/** The same whose answers live in no folder. */
const plainForm: Factory = async (world) => {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const { id } = await world.made('maker', 'POST', `${interfaces}/`, { title: name('Form'), type: 'form', fields });
  await share(world, 'form', id, { writer: '{editor}', reader: '{submission_viewer}', guest: '{editor}' });
  return { id };
};

/** A form that is shared with editors and readers, answered once. */
const answeredForm: Factory = async (world, caller) => {
  const made = await formForEditors(world, caller);
  const { publicToken } = await world.made('maker', 'GET', `${interfaces}/${made.id}/links`);
  const { submissionId } = await world.made('maker', 'POST', `${interfaces}/public/${publicToken}/submit`, { data: { name: 'Ada' } });
  // A team has two exports written at a time.
  await world.chancery.pool.query(
    "UPDATE submission_export SET status = 'failed', ended_at = now() WHERE team_id = $1 AND status = 'waiting'",
    [world.team.id],
  );
  return { ...made, submissionId };
};

/** The same with a file that a visitor has submitted. */
const submittedFile: Factory = async (world, caller) => {
  const made = await formForEditors(world, caller);
  await world.made('maker', 'PUT', `${interfaces}/${made.id}`, { fields: [{ id: 'file', type: 'file', label: 'File' }] });
  const { publicToken } = await world.made('maker', 'POST', `${interfaces}/${made.id}/publish`, { revision: 2 });
  return { ...made, ...(await submitFile(world.chancery, publicToken)) };
};

/** The form answered once, of which the maker has asked for an export. */
const exportedForm: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  const { id: exportId } = await world.made('maker', 'POST', `${interfaces}/${made.id}/submissions/exports`, { format: 'csv' });
  // Whether its file is written already would be a matter of time: it has failed, and has none.
  await world.chancery.pool.query("UPDATE submission_export SET status = 'failed', submissions = NULL, ended_at = now() WHERE id = $1", [
    exportId,
  ]);
  await world.chancery.pool.query('DELETE FROM submission_export_file WHERE id = $1', [exportId]);
  return { ...made, exportId };
};

/** The same, where something that was to follow has failed. */
const failedForm: Factory = async (world, caller) => {
  const made = await answeredForm(world, caller);
  await failSubmission(world.chancery, made.submissionId ?? '');
  return made;
};

/** A request of the maker's for signatures on their document, which is out to be signed. */
const signatureRequest: Factory = async (world) => {
  const place = await folder(world, 'maker');
  const { id: documentId } = await pdfDocument(world.chancery, world.people.maker, { title: name('To sign'), folderId: place.id });
  const made = await askToSign(world.chancery, world.people.maker, { documentId });
  await outToSign(world.chancery, made.id);
  return { id: made.id, signerId: made.signers[0].id, documentId, folder: place.id };
};
/** The same behind a barrier, inside of which are its maker and the reader. */
const barredRequest: Factory = async (world, caller) => {
  const made = await signatureRequest(world, caller);
  await world.made('maker', 'PUT', `${folders}/${made.folder}/barrier`, { userIds: [world.people.reader.id] });
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
  failedRequest: requestIn("status = 'failed', presented_storage_key = NULL"),
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
  binnedDocument,
  barredDocument,
  labelled: labelled(document),
  labelledBehindBarrier: labelled((world, caller) => barredDocument(world, caller)),
  ruledFolder,
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
  startedByAnother,
  startedBehindBarrier,
  startedWithEmergencyAccess,
  paused,
  template,
  task,
  taskOfDocument,
  completedTask,
  nobodysTask,
  approval,
  approvalBehindBarrier,
  formTask,
  signature,
  colleague,
  group,
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
