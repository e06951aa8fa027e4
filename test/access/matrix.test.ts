import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { PoolClient } from 'pg';
import { permissions } from '../../src/access/model.ts';
import { accessTo, accessToContained, audienceOf, callerOf } from '../../src/access/resource-access.ts';
import { can, relationsFor } from '../../src/access/can.ts';
import { noBarrier, viewerOf, viewOf } from '../../src/access/list-queries.ts';
import { dropGrantsTo, dropMemberships } from '../../src/access/queries.ts';
import * as agents from '../../src/automation/agents/queries.ts';
import { listTemplates, templates } from '../../src/records/document-templates/queries.ts';
import { beginning, listDocuments } from '../../src/records/documents/list-queries.ts';
import { reachDocument } from '../../src/records/documents/queries.ts';
import { eachExactFilter } from '../../src/records/documents/schemas.ts';
import { insertPack } from '../../src/records/evidence/queries.ts';
import { getPack } from '../../src/records/evidence/service.ts';
import { listFolders, reachFolder } from '../../src/records/folders/queries.ts';
import { listMatters } from '../../src/records/matters/queries.ts';
import { listInterfaces } from '../../src/intake/forms/list-queries.ts';
import { accessToInterface } from '../../src/intake/forms/policy.ts';
import { reachInterface } from '../../src/intake/forms/queries.ts';
import { largestId } from '../../src/platform/identifiers.ts';
import { firstPlace } from '../../src/platform/database/sorted-page.ts';
import type { Reader, Transaction } from '../../src/platform/database/database.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { Problem } from '../../src/platform/problems.ts';
import type { Actor, ReadScope } from '../../src/platform/scope.ts';
import { listRegistries, registries } from '../../src/intake/registries/queries.ts';
import { insertRequested } from '../../src/automation/runs/run-queries.ts';
import { listRuns, viewableRun } from '../../src/automation/runs/runs.ts';
import { mayManage as mayManageRound } from '../../src/work/approvals/rounds/access.ts';
import { listRounds, visibleRound } from '../../src/work/approvals/rounds/service.ts';
import { insertBatch } from '../../src/work/signature-batches/queries.ts';
import { listBatches, viewableBatch } from '../../src/work/signature-batches/service.ts';
import { mayDo, seen as viewableRequest } from '../../src/work/signatures/requests/lookup.ts';
import { insertDocuments, insertRequest } from '../../src/work/signatures/requests/queries.ts';
import { listRequests } from '../../src/work/signatures/requests/service.ts';
import { claimRefusal, completionRefusal, mayRelease, reassignRefusal } from '../../src/work/tasks/access.ts';
import { type InsertedTask, sendTasks } from '../../src/work/tasks/insert-queries.ts';
import { findTask } from '../../src/work/tasks/lookup.ts';
import { listTasks } from '../../src/work/tasks/service.ts';
import { mayCancel, mayEdit } from '../../src/work/workflows/access.ts';
import { insertWorkflow } from '../../src/work/workflows/change-queries.ts';
import { findRow as viewableWorkflow } from '../../src/work/workflows/lookup.ts';
import { runsOnOwn } from '../../src/work/workflows/queries.ts';
import { listWorkflows } from '../../src/work/workflows/service.ts';
import { model } from '../access-model.ts';
import { interpreter, type Tuple } from '../fga.ts';
import { sharedChancery } from '../harness.ts';

/*
 * The matrix of access: each kind of caller × type × place of the grants × barrier. The statements of the domains read the facts and the
 * lists, and the model says what each caller may do. Each case is a transaction that is rolled back.
 */

let db: PoolClient;
let team: string;
const people: Record<string, { id: string; role: string }> = {};
const teamRoles = {
  owner: 'owner',
  admin: 'admin',
  creator: 'member',
  editor: 'member',
  groupViewer: 'member',
  participant: 'member',
  outsider: 'member',
  rejoined: 'member',
  clerk: 'viewer',
  roleViewer: 'viewer',
  guest: 'guest',
  // A guest whose end has passed. The grants are still stored.
  endedGuest: 'guest',
  auditor: 'auditor',
  emergencyReader: 'admin',
  expiredReader: 'admin',
} as const;
const idOf = (name: keyof typeof teamRoles): string => people[name]?.id ?? assert.fail(name);

before(async () => {
  const chancery = await sharedChancery();
  const made = await chancery.team();
  team = made.id;
  people.owner = { id: made.owner.id, role: 'owner' };
  for (const [name, role] of Object.entries(teamRoles))
    if (role !== 'owner') people[name] = { id: (await chancery.user(made, { role })).id, role };
  await chancery.pool.query("UPDATE account SET ends_at = now() - interval '1 second' WHERE id = $1", [idOf('endedGuest')]);
  db = await chancery.pool.connect();
});
after(() => db.release());

async function run<Params, Row>({ name, text, values }: Statement<Params, Row>, params: Params): Promise<Row[]> {
  return (await db.query({ name, text, values: values(params) })).rows;
}
const insert = (table: string, row: Record<string, unknown>) =>
  db.query(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
      .map((_, n) => `$${n + 1}`)
      .join(', ')})`,
    Object.values(row),
  );

/** The first page of a list. The tests ask whether one resource is on it. */
const page = { ...firstPlace('createdAt'), since: null, limit: 100 };
const idsOf = (rows: { body: string }[]): string[] => JSON.parse(rows[0]?.body ?? '[]').map(({ id }: { id: string }) => id);

type Allowed = { can(permission: never): boolean } | undefined;
type Stored = { folder: string; barrier: string; document: string; owner: string; group: string };
type MatrixType = {
  /** The type in the model, if it has another name. */
  model?: string;
  /** The relations of a write share and a read share. A type without shares belongs to a document in the folder, which has another owner. */
  shares?: readonly [writing: string, reading: string];
  /** Its relations other than the owner relation. */
  relations?: Partial<Record<keyof typeof teamRoles, string>>;
  /** The relation of the members of the group. */
  ofGroup?: string;
  /** The permissions that the test compares. Each lists permissions of the model, of which one suffices. Absent: all permissions of the model. */
  permissions?: Readonly<Record<string, readonly string[]>>;
  /** The resource type of its grants, if it has another name. */
  grantsOf?: string;
  /** Whether the folder contains the resource, so that relations to the folder apply to it. */
  isContained?: true;
  /** Whether the container is a matter instead of a folder. */
  inMatter?: true;
  insert(id: string, place: Stored): Promise<unknown>;
  access(actor: Actor, id: string): Promise<Allowed>;
  /** The identifiers in the list. Absent: it has no list. Undefined: the list is closed to the actor. */
  list?(actor: Actor): Promise<string[] | undefined>;
};

/** Returns the scope of a read request in the transaction of a case. */
function scopeOf(actor: Actor): ReadScope {
  const reader: Pick<Reader, 'all' | 'first'> = {
    all: run,
    first: async (statement, params) => (await run(statement, params))[0],
  };
  return { db: reader as Reader, team, actor, now, requestId: 'matrix' };
}

/** Returns the result of `find`, or undefined if it throws 404. */
async function visible<Found>(find: Promise<Found>): Promise<Found | undefined> {
  try {
    return await find;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

/** The permissions of a caller who can view a resource. Absent permissions are denied. */
const allowing = (allowed: Readonly<Record<string, boolean>>): Allowed => ({ can: (permission) => allowed[permission] ?? false });
const firstPage = { ...firstPlace('createdAt'), sort: 'createdAt', limit: 100 } as const;
const sha256 = 'a'.repeat(64);

/** A task of an assignee, or of the group. */
const taskOf = (kind: string, assignee: keyof typeof teamRoles | undefined, judged: Record<string, readonly string[]>): MatrixType => ({
  model: 'task',
  relations: { ...(assignee === undefined ? {} : { [assignee]: 'assignee' }), participant: 'absentee' },
  ...(assignee === undefined ? { ofGroup: 'candidate' } : {}),
  permissions: { view: ['view'], release: ['release'], ...judged },
  async insert(id, { document, owner, group }) {
    const task: InsertedTask = {
      id,
      title: kind,
      description: null,
      type: kind,
      assigned_to: assignee === undefined ? null : idOf(assignee),
      assigned_group_id: assignee === undefined ? group : null,
      created_by: idOf('creator'),
      created_by_type: 'user',
      owner_id: owner,
      workflow_id: null,
      step_id: null,
      round_id: null,
      approval_round_id: null,
      document_id: document,
      linked_document_id: document,
      linked_by: idOf('creator'),
      about_document_id: document,
      document_version: null,
      document_sha256: null,
      on_new_version: 'ignore',
      outcomes: [],
      due_at: null,
      delegated_from: null,
      on_behalf_of: idOf('participant'),
      escalation: null,
      escalate_at: null,
    };
    const sent: Promise<unknown>[] = [];
    const tx: Pick<Transaction, 'send'> = { send: (statement, params) => void sent.push(run(statement, params)) };
    sendTasks(tx as Transaction, { team, at: now }, [task]);
    await Promise.all(sent);
  },
  async access(actor, id) {
    const task = await visible(findTask(scopeOf(actor), id));
    if (!task) return undefined;
    const passes = (target: string) => reassignRefusal(actor, task, { target, conflicted: new Set() }) === undefined;
    return allowing({
      view: true,
      complete: completionRefusal(actor, task) === undefined,
      claim: claimRefusal(actor, task, false) === undefined,
      release: mayRelease(actor, task),
      reassign: passes(idOf('editor')),
      take: passes(idOf('participant')),
    });
  },
  list: async (actor) => JSON.parse((await listTasks(scopeOf(actor), {}, firstPage))?.body ?? '[]').map((one: { id: string }) => one.id),
});
const now = new Date();
const contained =
  (type: 'folder' | 'matter' | 'document', statement: typeof reachFolder.folder | typeof reachDocument) =>
  async (actor: Actor, id: string) => {
    const [facts] = await run(statement as typeof reachDocument, { team, id, ...viewerOf(actor) });
    return facts && accessToContained(actor, type, facts);
  };
const registryType = (inMatter: boolean): MatrixType => ({
  shares: ['editor', 'viewer'],
  insert: (id, { folder }) =>
    insert('registry', {
      team_id: team,
      id,
      name: id,
      fields: '[]',
      user_id: idOf('creator'),
      container_id: inMatter ? folder : null,
      created_by: idOf('creator'),
      created_by_type: 'user',
      created_at: now,
      updated_at: now,
    }),
  async access(actor, id) {
    const [row] = await run(registries.find, { team, id, ...callerOf(actor) });
    return row && accessTo(actor, 'registry', { ...row, from: { parent: row.inherited } });
  },
  list: async (actor) => idsOf(await run(listRegistries.createdAt, { team, ...audienceOf(actor, 'registry'), ...page })),
});
const documentType: MatrixType = {
  shares: ['editor', 'viewer'],
  isContained: true,
  insert: (id, { folder, barrier }) =>
    insert('document', { team_id: team, id, user_id: idOf('creator'), title: id, folder_id: folder, barrier_id: barrier }),
  access: contained('document', reachDocument),
  async list(actor) {
    const filters = {
      folder: null,
      matter: null,
      ...eachExactFilter(() => null),
      q: null,
      ids: null,
      labels: null,
      since: null,
      holds: false,
    };
    const params = { team, ...viewerOf(actor), ...filters, ...beginning.createdAt, limit: 100 };
    return idsOf(await run(listDocuments[viewOf(actor)].createdAt, params));
  },
};
const types: Record<string, MatrixType> = {
  matter: {
    shares: ['editor', 'viewer'],
    grantsOf: 'folder',
    async insert(id) {
      await insert('folder', { team_id: team, id, user_id: idOf('creator'), name: id, name_key: id, is_matter: true });
      await insert('matter', { team_id: team, id, number: id, number_key: id, status: 'open' });
    },
    access: contained('matter', reachFolder.matter),
    async list(actor) {
      const filters = { status: null, client: null, responsible: null, q: null };
      return idsOf(await run(listMatters[viewOf(actor)].createdAt, { team, ...viewerOf(actor), ...filters, ...page }));
    },
  },
  'document in a matter': { ...documentType, model: 'document', grantsOf: 'document', inMatter: true },
  'registry in a matter': { ...registryType(true), model: 'registry', grantsOf: 'registry', isContained: true, inMatter: true },
  folder: {
    shares: ['editor', 'viewer'],
    isContained: true,
    insert: (id, { folder, barrier }) =>
      insert('folder', { team_id: team, id, user_id: idOf('creator'), name: id, name_key: id, parent_id: folder, barrier_id: barrier }),
    access: contained('folder', reachFolder.folder),
    list: async (actor) => idsOf(await run(listFolders.none[viewOf(actor)].createdAt, { team, ...viewerOf(actor), ids: null, ...page })),
  },
  document: documentType,
  template: {
    shares: ['editor', 'viewer'],
    async insert(id) {
      const made = { created_by: idOf('creator'), created_by_type: 'user', created_at: now };
      await insert('document_template', { team_id: team, id, name: id, user_id: idOf('creator'), ...made, updated_at: now, number: 1 });
      const version = { team_id: team, template_id: id, number: 1, source: '', schema: {}, files: '[]' };
      await insert('document_template_version', { ...version, ...made });
    },
    async access(actor, id) {
      const [row] = await run(templates.find, { team, id, ...callerOf(actor) });
      return row && accessTo(actor, 'template', row);
    },
    list: async (actor) => idsOf(await run(listTemplates.createdAt, { team, ...audienceOf(actor, 'template'), ...page })),
  },
  registry: registryType(false),
  form: {
    shares: ['editor', 'submission_viewer'],
    insert: (id, { folder }) =>
      insert('interface', {
        team_id: team,
        id,
        type: 'form',
        title: id,
        draft: {},
        owner_id: idOf('creator'),
        folder_id: folder,
        created_by: idOf('creator'),
        created_at: now,
        updated_at: now,
      }),
    async access(actor, id) {
      const [row] = await run(reachInterface, { team, id, ...viewerOf(actor) });
      return row && accessToInterface(actor, row);
    },
    async list(actor) {
      const viewing = relationsFor(actor, 'form', 'view');
      return idsOf(
        await run(listInterfaces.all[viewOf(actor)].createdAt, {
          team,
          ...viewerOf(actor),
          viewing,
          status: null,
          type: null,
          matter: null,
          q: null,
          ids: null,
          ...page,
        }),
      );
    },
  },
  assistant: {
    shares: ['user', 'user'],
    insert: (id) => insert('agent', { team_id: team, id, name: id, scopes: '{}', created_at: now, updated_at: now }),
    async access(actor, id) {
      const [row] = await run(agents.reachAgent, { team, id, ...callerOf(actor) });
      return row && accessTo(actor, 'assistant', row);
    },
    async list(actor) {
      const all = can(actor, 'assistant', 'view', { relations: [] });
      const viewing = relationsFor(actor, 'assistant', 'view');
      return (await run(agents.listAgents.createdAt, { team, all, viewing, ...callerOf(actor), ...page })).map(({ id }) => id);
    },
  },
  workflow: {
    relations: { clerk: 'participant' },
    permissions: { view: ['view'], edit: ['edit'], cancel: ['cancel'] },
    async insert(id, { document, owner }) {
      await run(insertWorkflow, {
        team,
        id,
        name: id,
        type: 'review',
        document,
        linked: document,
        about: document,
        matter: null,
        linkedBy: owner,
        documents: JSON.stringify([
          {
            name: 'document',
            position: 0,
            document_id: document,
            linked_document_id: document,
            linked_by: owner,
            about_document_id: document,
          },
        ]),
        assignedTo: idOf('clerk'),
        createdBy: owner,
        createdByType: 'user',
        dueAt: null,
        submission: null,
        omitted: [],
        templateVersion: null,
        people: '{}',
        steps: '[]',
        at: now,
      });
      await db.query("UPDATE workflow SET status = 'active', started_at = $3 WHERE team_id = $1 AND id = $2", [team, id, now]);
    },
    async access(actor, id) {
      const scope = scopeOf(actor);
      const row = await visible(viewableWorkflow(scope, id));
      if (!row) return undefined;
      const edit = mayEdit(actor, row);
      const owns = actor.type === 'user' && (await scope.db.first(runsOnOwn, { team, id, user: actor.id }))?.owns === true;
      return allowing({ view: true, edit, cancel: edit || mayCancel(actor, row, owns) });
    },
    list: async (actor) =>
      JSON.parse((await listWorkflows(scopeOf(actor), {}, firstPage))?.body ?? '[]').map((one: { id: string }) => one.id),
  },
  task: taskOf('task', 'clerk', { complete: ['complete'], reassign: ['reassign'], take: ['reassign', 'take_back'] }),
  decision: taskOf('approval', 'creator', {
    complete: ['decide'],
    reassign: ['reassign_decision'],
    take: ['reassign_decision', 'take_back'],
  }),
  group_task: taskOf('task', undefined, { claim: ['claim'], reassign: ['reassign'], take: ['reassign', 'take_back'] }),
  group_decision: taskOf('approval', undefined, { claim: ['claim_decision'], reassign: ['reassign_decision'] }),
  approval: {
    permissions: { view: ['view'], manage: ['manage'] },
    insert: (id, { document, owner }) =>
      insert('approval_round', {
        team_id: team,
        id,
        subject_type: 'tool_call',
        subject_id: id,
        policy_sha256: sha256,
        rule: 'one',
        need: '[]',
        exclude: '{}',
        on_rejection: 'first',
        requester_id: owner,
        about_document_id: document,
        created_at: now,
        updated_at: now,
      }),
    async access(actor, id) {
      const row = await visible(visibleRound(scopeOf(actor), id));
      return row && allowing({ view: true, manage: mayManageRound(actor, row.outsider) });
    },
    async list(actor) {
      const found = await listRounds(scopeOf(actor), {}, firstPage);
      return JSON.parse(found?.body ?? '[]').map((one: { id: string }) => one.id);
    },
  },
  signature_request: {
    permissions: { view: ['view'], manage: ['manage'] },
    async insert(id, { document, owner }) {
      await run(insertRequest, {
        team,
        id,
        title: id,
        message: null,
        consentAddition: null,
        locale: 'en',
        requireCode: false,
        allowDelegation: false,
        expires: new Date(now.getTime() + 86_400_000),
        by: owner,
        byType: 'user',
        workflow: null,
        step: null,
        at: now,
      });
      const row = { place: 0, document_id: document, document_version: 1, document_sha256: sha256, title: id };
      await run(insertDocuments, { team, request: id, documents: JSON.stringify([row]) });
    },
    async access(actor, id) {
      const row = await visible(viewableRequest(scopeOf(actor), id));
      return row && allowing({ view: true, manage: mayDo(actor, 'manage', row) });
    },
    async list(actor) {
      const found = await listRequests(scopeOf(actor), {}, { ...firstPage, since: null });
      return JSON.parse(found?.body ?? '[]').map((one: { id: string }) => one.id);
    },
  },
  run: {
    async insert(id, { document, owner }) {
      const agent = randomUUIDv7();
      await insert('agent', { team_id: team, id: agent, name: agent, scopes: '{}', created_at: now, updated_at: now });
      await run(insertRequested, { team, id, agent, onBehalfOf: owner, by: owner, message: 'Look', model: null, timeout: null, at: now });
      await insert('agent_run_subject', { team_id: team, run_id: id, type: 'document', id: document });
    },
    access: async (actor, id) => (await visible(viewableRun(scopeOf(actor), id)))?.access,
    // The route of the list is closed to members without the role.
    list: async (actor) =>
      can(actor, 'run', 'view', { relations: [] })
        ? (await listRuns(scopeOf(actor), {}, { limit: 100, before: undefined })).map(({ id }) => id)
        : undefined,
  },
  batch: {
    insert: (id, { document, owner }) =>
      run(insertBatch, { team, id, title: id, template: null, document, version: 1, manner: '{}', by: owner, byType: 'user', at: now }),
    async access(actor, id) {
      const found = await visible(viewableBatch(scopeOf(actor), id));
      return found && allowing({ view: true, cancel: found.mayCancel });
    },
    list: async (actor) => (await listBatches(scopeOf(actor), { before: largestId, limit: 100 })).map(({ id }) => id),
  },
  evidence_pack: {
    insert: (id, { document, owner }) =>
      run(insertPack, { team, id, type: 'document', subject: document, document, network: false, by: owner, at: now }),
    access: async (actor, id) => (await visible(getPack(scopeOf(actor), id))) && allowing({ view: true }),
  },
};

const places = ['on it', 'above', 'to the team'] as const;
const owners = ['owned by a barrier member', 'owned by an outsider'] as const;
const barriers = ['no barrier', 'a barrier'] as const;

type MatrixCase = { type: string; place: (typeof places | typeof owners)[number]; barrier: (typeof barriers)[number] };

/** Stores a resource with its folder, grants and barrier, and returns the same as tuples of the model. */
async function store({ type, place, barrier }: MatrixCase) {
  const kind = types[type] ?? assert.fail(type);
  const [id, folder, other, group] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  const tuples: Tuple[] = [];
  const tuple = (user: string, relation: string, object: string) => tuples.push({ user, relation, object });
  const creator = idOf('creator');
  for (const [name, role] of Object.entries(teamRoles)) tuple(`user:${people[name]?.id}`, role, `team:${team}`);
  const above = kind.inMatter ? 'matter' : 'folder';
  for (const [one, as] of [
    [folder, above],
    [other, 'folder'],
  ] as const) {
    await insert('folder', { team_id: team, id: one, user_id: creator, name: one, name_key: one, is_matter: as === 'matter' });
    tuple(`team:${team}`, 'team', `${as}:${one}`);
    tuple(`user:${creator}`, 'owner', `${as}:${one}`);
  }
  const created = { created_by: creator, created_by_type: 'user', created_at: now, updated_at: now };
  await insert('access_group', { team_id: team, id: group, name: group, ...created });
  for (const who of ['groupViewer', 'rejoined'] as const)
    await insert('access_group_member', { team_id: team, group_id: group, user_id: idOf(who), added_by: creator, added_at: now });
  tuple(`user:${idOf('groupViewer')}`, 'member', `group:${group}`);

  if (barrier === 'a barrier') {
    await insert('access_barrier', { team_id: team, id: folder, set_by: creator, created_at: now });
    await db.query('UPDATE folder SET barrier_id = id WHERE team_id = $1 AND id = $2', [team, folder]);
    const member = (principal_type: 'user' | 'group', principal_id: string, expires_at: Date | null = null) =>
      insert('access_barrier_member', { team_id: team, barrier_id: folder, principal_type, principal_id, expires_at });
    for (const who of ['creator', 'editor', 'participant', 'clerk', 'guest', 'endedGuest'] as const) {
      await member('user', idOf(who));
      tuple(`user:${idOf(who)}`, 'insider', `barrier:${folder}`);
    }
    await member('group', group);
    tuple(`group:${group}#member`, 'insider', `barrier:${folder}`);
    for (const [who, hours] of [
      ['emergencyReader', 1],
      ['expiredReader', -1],
    ] as const) {
      const at = new Date(now.getTime() + hours * 3_600_000);
      await member('user', idOf(who), at);
      const condition = { name: 'not_expired', context: { expires_at: at.toISOString() } };
      tuples.push({ user: `user:${idOf(who)}`, relation: 'emergency_reader', object: `barrier:${folder}`, condition });
    }
    for (const each of ['user', 'client', 'agent']) tuple(`${each}:*`, 'everyone', `barrier:${folder}`);
    tuple(`barrier:${folder}`, 'barrier', `${above}:${folder}`);
  }

  const stored = { folder, group, barrier: barrier === 'a barrier' ? folder : noBarrier, document: randomUUIDv7() };
  const object = `${kind.model ?? type}:${id}`;
  const owner = idOf(place === 'owned by a barrier member' ? 'editor' : place === 'owned by an outsider' ? 'outsider' : 'creator');
  if (!kind.shares) {
    await types.document?.insert(stored.document, { ...stored, owner: creator });
    const document = `document:${stored.document}`;
    tuple(`team:${team}`, 'team', document);
    tuple(`user:${creator}`, 'owner', document);
    tuple(`folder:${folder}`, 'parent', document);
    tuple(document, 'about', object);
    for (const [name, relation] of Object.entries(kind.relations ?? {})) tuple(`user:${people[name]?.id}`, relation, object);
    if (kind.ofGroup !== undefined) tuple(`group:${group}#member`, kind.ofGroup, object);
  }
  await kind.insert(id, { ...stored, owner });
  tuple(`team:${team}`, 'team', object);
  if (type !== 'assistant') tuple(`user:${owner}`, 'owner', object);
  if (kind.isContained || type === 'form') tuple(`${above}:${folder}`, 'parent', object);

  const [writing, reading] = (place === 'above' ? undefined : kind.shares) ?? ['editor', 'viewer'];
  const [ofType, resource] = place === 'above' ? ['folder', folder] : [kind.grantsOf ?? type, id];
  const shared = place === 'above' ? `${above}:${folder}` : object;
  const grant = async (principal: string, relation: string, source: 'share' | 'task' | 'confinement' = 'share') => {
    const [kindOf = '', name] = principal.split('#')[0]?.split(':') ?? [];
    await insert('access_grant', {
      team_id: team,
      id: randomUUIDv7(),
      resource_type: ofType,
      resource_id: resource,
      principal_type: kindOf,
      principal_id: name,
      relations: [relation],
      source,
      source_id: source === 'task' ? randomUUIDv7() : null,
      granted_by: creator,
      created_at: now,
    });
    tuple(principal, relation, shared);
  };
  // Programs are confined to folders, never to matters.
  const confinedTo = kind.inMatter ? other : folder;
  const confined = { type: 'client', id: randomUUIDv7(), scopes: new Set<string>(), folderIds: [confinedTo] } as const;
  if (!kind.shares) {
    await run(dropGrantsTo, { team, user: idOf('rejoined') });
  } else if (place === 'to the team') {
    await grant(`team:${team}#anyone`, reading);
  } else {
    await grant(`user:${idOf('editor')}`, writing);
    await grant(`group:${group}#member`, reading);
    await grant(`user:${idOf('clerk')}`, writing);
    await grant(`user:${idOf('rejoined')}`, writing);
    for (const who of ['guest', 'endedGuest'] as const) await grant(`user:${idOf(who)}`, writing);
    await grant(`user:${idOf('auditor')}`, reading);
    if (kind.grantsOf === undefined && type === 'document' && place === 'on it')
      await grant(`user:${idOf('participant')}`, 'participant', 'task');
    if ((type === 'template' || type === 'registry') && place === 'on it') await grant(`client:${confined.id}`, 'manager', 'confinement');
    // The user left the team and rejoined: the earlier grants are gone.
    await run(dropGrantsTo, { team, user: idOf('rejoined') });
  }
  await run(dropMemberships, { team, user: idOf('rejoined') });
  const without = [`user:${idOf('rejoined')}`, `user:${idOf('endedGuest')}`];
  const kept = tuples.filter(({ user, object: on }) => !without.includes(user) || on === `team:${team}`);

  const callers = new Map<string, Actor>(
    Object.entries(people).map(([name, { id: user, role }]) => [name, { type: 'user', id: user, role }]),
  );
  const scopes = new Set<string>();
  callers.set('client', { type: 'client', id: randomUUIDv7(), scopes });
  callers.set('agent', { type: 'agent', id: randomUUIDv7(), scopes });
  callers.set('confined client', confined);
  callers.set('confined agent', { type: 'agent', id: randomUUIDv7(), scopes, folderIds: [confinedTo] });
  callers.set('client of another folder', { type: 'client', id: randomUUIDv7(), scopes, folderIds: [other] });
  for (const actor of callers.values()) {
    if (actor.type !== 'client' && actor.type !== 'agent') continue;
    const me = `${actor.type}:${actor.id}`;
    const add = (relation: string, on: string) => kept.push({ user: me, relation, object: on });
    add('writer', `team:${team}`);
    if (actor.folderIds === undefined) add('unconfined', `team:${team}`);
    for (const root of actor.folderIds ?? []) add('editor', `folder:${root}`);
    // A connected app that is limited to the folder of a form has these relations to the form.
    if (type === 'form' && actor.folderIds?.includes(folder))
      for (const relation of ['editor', 'submission_viewer', 'submission_manager']) add(relation, object);
  }
  return { kind, id, object, tuples: kept, callers };
}

/** The compared permissions of a type, each with the permissions of the model of which one suffices. */
function permissionsOf(type: string): Readonly<Record<string, readonly string[]>> {
  const { model: name = type, permissions: own } = types[type] ?? assert.fail(type);
  return (
    own ?? Object.fromEntries(Object.keys(permissions[name as keyof typeof permissions]).map((permission) => [permission, [permission]]))
  );
}

/** The permissions that were allowed to a caller, and those that were denied to one. */
const outcomes = new Set<string>();

/** Returns the differences between the statements and the model in one case. `prepare` runs in its transaction before the statements. */
async function differences(one: MatrixCase, prepare: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const wrong: string[] = [];
  await db.query('BEGIN');
  try {
    const { kind, id, object, tuples, callers } = await store(one);
    await prepare();
    await db.query("SELECT set_config('app.team_id', $1, true)", [team]);
    await db.query('SET LOCAL ROLE chancery_app');
    const requested = permissionsOf(one.type);
    for (const [who, actor] of callers) {
      const user = `${actor.type}:${'id' in actor ? actor.id : ''}`;
      const suffices = async (named: readonly string[]) =>
        (
          await interpreter(model)(
            tuples,
            named.map((permission) => ({ user, relation: `can_${permission}`, object })),
          )
        ).includes(true);
      const access = await kind.access(actor, id);
      const say = (what: string, is: boolean) =>
        wrong.push(`${who} ${is ? 'has' : 'lacks'} ${what} (${kind.shares ? `shares ${one.place}` : one.place}, ${one.barrier})`);
      for (const [permission, by] of Object.entries(requested)) {
        const found = access?.can(permission as never) ?? false;
        const wanted = await suffices(by);
        outcomes.add(`${one.type} ${permission} ${wanted}`);
        if (found !== wanted) say(permission, found);
      }
      const isListed = (await kind.list?.(actor))?.includes(id);
      if (isListed !== undefined && isListed !== (await suffices(['view']))) say('it in the list', isListed);
    }
  } finally {
    await db.query('ROLLBACK');
  }
  return wrong;
}

for (const [type, { isContained, shares }] of Object.entries(types)) {
  test(`the matrix of ${type}: each kind of caller has the permissions and the list of the model`, async () => {
    const wrong: string[] = [];
    for (const place of shares ? places : owners)
      for (const barrier of barriers) {
        if (shares && !isContained && type !== 'form' && (barrier === 'a barrier' || place === 'above')) continue;
        wrong.push(...(await differences({ type, place, barrier })));
      }
    assert.deepEqual(wrong, []);
    const constant = Object.keys(permissionsOf(type)).filter(
      (name) => !outcomes.has(`${type} ${name} true`) || !outcomes.has(`${type} ${name} false`),
    );
    assert.deepEqual(constant, [], 'each permission is allowed to a caller and denied to another');
  });
}

/** Defects of database functions. Each has the case that detects it and the start of its message. */
const defects: readonly [name: string, of: string, from: string, to: string, shown: MatrixCase, said: string][] = [
  [
    'an owner',
    'access_facts',
    "ROW('{owner}'",
    "ROW('{}'",
    { type: 'document', place: 'on it', barrier: 'no barrier' },
    'creator lacks edit',
  ],
  [
    'the members of a group',
    'access_principals',
    'm.user_id = caller',
    'false',
    { type: 'registry', place: 'on it', barrier: 'no barrier' },
    'groupViewer lacks view',
  ],
  [
    'that a share with the team includes no guest',
    'access_principals',
    'WHEN ends IS NULL',
    'WHEN true',
    { type: 'registry', place: 'to the team', barrier: 'no barrier' },
    'guest has view',
  ],
  [
    'the end of a guest',
    'access_principals',
    'IF ends <= now()',
    'IF false',
    { type: 'document', place: 'on it', barrier: 'no barrier' },
    'endedGuest has view',
  ],
  [
    'the members of the group of a task',
    'access_in_group',
    'm.user_id = person',
    'false',
    { type: 'group_task', place: 'owned by a barrier member', barrier: 'no barrier' },
    'groupViewer lacks view',
  ],
  [
    'a barrier',
    'barrier_state',
    'bool_or(m.reads IS NOT TRUE)',
    'false',
    { type: 'form', place: 'on it', barrier: 'a barrier' },
    'owner has view',
  ],
  [
    'that emergency access is read-only',
    'barrier_state',
    'bool_or(o.expires_at IS NULL)',
    'true',
    { type: 'folder', place: 'above', barrier: 'a barrier' },
    'emergencyReader has edit',
  ],
  [
    'the end of emergency access',
    'open_barriers',
    '(o.expires_at IS NULL OR o.expires_at > now())',
    'true',
    { type: 'document', place: 'above', barrier: 'a barrier' },
    'expiredReader has it in the list',
  ],
  [
    'the folders below a share',
    'access_containers',
    'p.ancestor_id = s.id',
    'p.ancestor_id = s.id AND p.distance > 5',
    { type: 'document', place: 'above', barrier: 'no barrier' },
    'editor lacks it in the list',
  ],
];
for (const [name, of, from, to, shown, said] of defects)
  test(`the matrix detects a function that ignores ${name}`, async () => {
    const wrong = await differences(shown, async () => {
      const { rows } = await db.query('SELECT pg_get_functiondef($1::regproc) AS text', [of]);
      assert.ok(rows[0].text.includes(from), `${of} has ${from}`);
      await db.query(rows[0].text.replace(from, to));
    });
    assert.ok(
      wrong.some((one) => one.startsWith(said)),
      wrong.join('\n'),
    );
  });
