import { randomUUIDv7 } from 'node:crypto';
import { dueTime, placeOfWork, requireInside, requireMembers, type WorkPlace, workflowsWaitingFor } from '#tasks';
import { listedBy, type ListSearch, searchParams } from '../../platform/database/list-filters.ts';
import type { ListPage } from '../../platform/database/json-page.ts';
import type { Cursor, Sort } from '../../platform/database/sorted-page.ts';
import { isUuid, spellings } from '../../platform/identifiers.ts';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import { type Actor, type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { Versioned } from '../../platform/versioned.ts';
import { requirePolicies } from './approval-steps.ts';
import { requireAgents } from './agent-steps.ts';
import {
  type DocumentLink,
  documentRows,
  givenDocuments,
  linkDocuments,
  linkOfFirst,
  requireInsideAll,
  requireNamedDocuments,
  requireOneMatter,
} from './documents.ts';
import { namedInRules } from './approval-config.ts';
import { escalatedTo, peopleNamed } from './escalation.ts';
import { workflowEventData } from './event-data.ts';
import { workflowCreated } from './events.ts';
import { lockGroupsOf } from './groups.ts';
import * as lists from './list-queries.ts';
import type { WorkflowRow } from './queries.ts';
import { findRow } from './lookup.ts';
import { listedFor, mayCreate } from './access.ts';
import { presentWorkflow } from './present.ts';
import * as changeQueries from './change-queries.ts';
import type { CreateWorkflow, Workflow, WorkflowAccess } from './schemas.ts';
import { requireScopeToSign, requireSigners } from './signature-steps.ts';
import { pendingStep, refuseViewersIn, stepRows } from './step-rows.ts';
import { requireEndpoints } from './webhook-steps.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

type WorkflowFilters = ListSearch & {
  status?: string[] | undefined;
  assignedTo?: string | undefined;
  waitingFor?: 'me' | undefined;
  type?: string | undefined;
  documentId?: string | undefined;
  matterId?: string | undefined;
  overdue?: boolean | undefined;
  updatedSince?: string | undefined;
};

/** Lists the workflows that the actor may see, with their steps. The list can be filtered, and is sorted by age or by `sort`. */
export async function listWorkflows(
  scope: ReadScope,
  filters: WorkflowFilters,
  page: Cursor & { sort: Sort; limit: number },
): Promise<ListPage | undefined> {
  if ([filters.assignedTo, filters.waitingFor].includes('me') && scope.actor.type !== 'user')
    throw problems.person_required(
      '`assignedTo=me` and `waitingFor=me` select the workflows of the caller, and an API client has none. Use `assignedTo` with a member.',
    );
  const assignee = filters.assignedTo === 'me' && scope.actor.type === 'user' ? scope.actor.id : filters.assignedTo;
  if (![assignee, filters.matterId].every((id) => id === undefined || isUuid(id))) return undefined;
  // No text in PostgreSQL contains this character, so nothing matches.
  if ([filters.type, filters.documentId].some((text) => text?.includes('\0'))) return undefined;
  const { sort, ...place } = page;
  return scope.db.first(lists.listWorkflows[listedBy(filters)][sort], {
    team: scope.team,
    principalId: listedFor(scope.actor),
    user: userIdOf(scope.actor),
    status: filters.status ?? null,
    assignee: assignee ?? null,
    type: filters.type ?? null,
    documents: spellings(filters.documentId),
    matter: filters.matterId ?? null,
    waiting: filters.waitingFor === 'me' && scope.actor.type === 'user' ? await workflowsWaitingFor(scope, scope.actor.id) : null,
    overdue: filters.overdue ?? null,
    updatedSince: filters.updatedSince ?? null,
    now: scope.now,
    ...searchParams(filters),
    ...place,
  });
}

export async function getWorkflow(scope: ReadScope | Scope, id: string): Promise<Versioned<Workflow>> {
  const row = await findRow(scope, id);
  return { value: presentWorkflow(row), version: row.version };
}

/** Lists the users who may see a workflow, with the reasons. Errors: 404. */
export async function listAccess(scope: ReadScope, id: string): Promise<WorkflowAccess> {
  const row = await findRow(scope, id);
  const found = await scope.db.all(lists.workflowAccess, { team: scope.team, id: row.id });
  return { grants: found.map(({ user_id: userId, access, reason, since }) => ({ userId, access, reason, since })) };
}

type NewWorkflow = Omit<CreateWorkflow, 'name'> & {
  name: string;
  type: string;
  templateVersion?: number;
  /** The submission that starts the workflow. */
  submissionId?: string;
  /** Documents of the form that its conditions omitted. Steps do without them. */
  omittedDocuments?: readonly string[];
  stored?: ReadonlySet<string>;
  /** The persons in the parameters of the template, by name. */
  people?: Readonly<Record<string, string>>;
};

/** Creates a draft workflow. Errors: 403 `document_access_denied`, 422 `workflow_steps_invalid`, `assignee_not_found`, `outside_barrier`. */
export async function createWorkflow(scope: Scope, input: NewWorkflow): Promise<Versioned<Workflow>> {
  if (scope.actor.type === 'system' || !mayCreate(scope.actor))
    throw problems.forbidden('Viewers cannot create workflows. Ask an owner or administrator for another role.');
  const name = cleanName(input.name);
  const named = givenDocuments(input);
  const steps = stepRows(input.steps, input.stored);
  requireNamedDocuments(steps, [...named, ...(input.omittedDocuments ?? []).map((omitted) => ({ name: omitted }))]);
  requireSigners(steps);
  requireScopeToSign(scope, steps);
  await lockGroupsOf(scope, steps);
  const { links, dueAt, viewers } = await pipelined({
    links: () => linkDocuments(scope, named),
    dueAt: () => (typeof input.dueDate === 'string' ? dueTime(scope, input.dueDate) : null),
    viewers: () =>
      requireMembers(scope, [
        ...(input.assignedTo ? [input.assignedTo] : []),
        ...steps.flatMap(({ assignees }) => assignees),
        ...escalatedTo(steps),
        ...namedInRules(steps, 'user'),
      ]),
  });
  refuseViewersIn(viewers, steps, input.assignedTo);
  const place = await placeOfWork(scope, input.matterId, links[0]?.linked);
  requireOneMatter(links, place.matter);
  const people = peopleNamed({ steps, assigned_to: input.assignedTo ?? null });
  if (place.barred) await requireInside(scope, place.about, people);
  await requireInsideAll(scope, links.slice(1), people);
  await requireAgents(scope, steps);
  await requirePolicies(scope, steps, place.about);
  await requireEndpoints(scope, steps);
  const draft = draftOf({ actor: scope.actor, now: scope.now }, input, { name, dueAt, links, place });
  scope.db.send(changeQueries.insertWorkflow, {
    team: scope.team,
    id: draft.id,
    name,
    type: draft.type,
    document: draft.document_id,
    linked: draft.linked_document_id,
    about: draft.about_document_id,
    matter: draft.container_id,
    linkedBy: scope.actor.id,
    assignedTo: draft.assigned_to,
    createdBy: scope.actor.id,
    createdByType: scope.actor.type,
    dueAt,
    templateVersion: draft.template_version,
    submission: draft.submission_id,
    omitted: draft.omitted_documents,
    people: JSON.stringify(draft.people),
    steps: JSON.stringify(steps),
    documents: documentRows(draft.documents),
    at: scope.now,
  });
  await record(scope, workflowCreated, draft.id, workflowEventData(scope, draft), draft.barred);
  return { value: presentWorkflow({ ...draft, steps: steps.map(pendingStep) }), version: 1 };
}

type Draft = Omit<WorkflowRow, 'steps' | 'some_stand_in'>;

/** The row of a new workflow, as the database stores it. */
function draftOf(
  { actor, now }: { actor: Extract<Actor, { id: string }>; now: Date },
  { type, assignedTo, templateVersion, submissionId, omittedDocuments = [], people = {} }: NewWorkflow,
  { name, dueAt, links, place }: { name: string; dueAt: string | null; links: readonly DocumentLink[]; place: WorkPlace },
): Draft {
  const at = now.toISOString();
  const id = randomUUIDv7();
  // The barrier of its matter hides a workflow whose first document is in another system.
  const documents = links.map((link, position) => ({
    ...link,
    leads: false,
    ...(position === 0 ? { about_document_id: place.about } : {}),
  }));
  return {
    id,
    name,
    type,
    status: 'draft',
    ...linkOfFirst(id, documents),
    documents,
    container_id: place.matter,
    assigned_to: assignedTo?.toLowerCase() ?? null,
    created_by: actor.id,
    created_by_type: actor.type,
    owner_id: actor.id,
    due_at: dueAt,
    reason: null,
    started_at: null,
    paused_at: null,
    completed_at: null,
    returns: 0,
    template_version: templateVersion ?? null,
    submission_id: submissionId ?? null,
    omitted_documents: [...omittedDocuments],
    people,
    version: 1,
    created_at: at,
    updated_at: at,
    barred: place.barred || links.some(({ linked }) => linked?.barred),
  };
}
