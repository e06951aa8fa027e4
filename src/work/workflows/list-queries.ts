import { jsonObject, jsonThing, maxListBytes, pageStatement } from '../../platform/database/json-page.ts';
import { eachListedBy, type ListedBy, listedRows, type ListSearchParams, matches } from '../../platform/database/list-filters.ts';
import { bySort, isoText, type Cursor, type Sort, sortedBy, sorts } from '../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import { visibleSql } from './queries.ts';

export type WorkflowFilter = {
  team: string;
  status: string[] | null;
  assignee: string | null;
  type: string | null;
  /** The document identifier in two forms: as the database writes it, and as the client sent it. */
  documents: readonly string[] | null;
  matter: string | null;
  /** The workflows to list, if the filter `waitingFor` limits them. */
  waiting: readonly string[] | null;
  overdue: boolean | null;
  updatedSince: string | null;
  now: Date;
  limit: number;
  /** The person to whom barriers apply. Null for an API client. */
  user: string | null;
  /** The person or API client whose workflows are listed. Null for all workflows of the team. */
  principalId: string | null;
} & ListSearchParams &
  Cursor;

const step = jsonObject({
  id: 's.id',
  type: 's.type',
  name: 's.name',
  description: 's.description',
  assignees:
    "CASE WHEN s.assignees <> '{}' OR s.roles <> '{}' THEN to_json(ARRAY(SELECT 'role:' || role FROM unnest(s.roles) role) || s.assignees::text[]) END",
  groups: "CASE WHEN s.groups <> '{}' THEN s.groups END",
  mode: 's.mode',
  dependsOn: 's.depends_on',
  dueInDays: 's.due_in_days',
  config: "CASE WHEN s.config <> '{}' THEN s.config END",
  status: 's.status',
  startedAt: isoText('s.started_at'),
  completedAt: isoText('s.completed_at'),
  outcome: 's.outcome',
  requestId: 's.request_id',
  taskIds: 'task_ids_of_step($team, w.id, s.id)',
});
const item = jsonThing({
  id: 'w.id',
  name: 'w.name',
  type: 'w.type',
  status: 'w.status',
  documentId: 'w.document_id',
  documentLinked: 'w.document_linked',
  documents: `(SELECT coalesce(json_agg(${jsonObject({ name: 'd.name', documentId: 'd.document_id' })} ORDER BY d.position), '[]')
      FROM workflow_document d WHERE d.team_id = $team AND d.workflow_id = w.id)`,
  assignedTo: 'w.assigned_to',
  matterId: 'w.container_id',
  createdBy: 'w.created_by',
  createdByType: 'w.created_by_type',
  templateVersion: 'w.template_version',
  dueDate: isoText('w.due_at'),
  reason: 'w.reason',
  startedAt: isoText('w.started_at'),
  pausedAt: isoText('w.paused_at'),
  completedAt: isoText('w.completed_at'),
  createdAt: isoText('w.created_at'),
  updatedAt: isoText('w.updated_at'),
  steps: `(SELECT coalesce(json_agg(${step} ORDER BY s.position), '[]')
      FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = w.id)`,
});

function listBy(by: ListedBy, sort: Sort) {
  const { order, after, key } = sortedBy(sort, 'w');
  // The sizes limit the page before any step is read, so that no steps beyond the limit of the response are serialized.
  return pageStatement<WorkflowFilter>(
    `WITH found AS (
       SELECT w.* FROM ${by === 'ids' ? listedRows('workflow') : 'workflow'} w
       WHERE w.team_id = $team AND ${after} AND ${visibleSql}
         AND ($status::text[] IS NULL OR w.status = ANY ($status))
         AND ($assignee::uuid IS NULL OR w.assigned_to = $assignee)
         AND ($type::text IS NULL OR w.type = $type)
         AND ($documents::text[] IS NULL OR w.id = ANY (ARRAY(
           SELECT d.workflow_id FROM workflow_document d WHERE d.team_id = $team AND d.document_id = ANY ($documents))))
         AND ($matter::uuid IS NULL OR w.container_id = $matter) AND ${matches('w.name')}
         AND ($waiting::uuid[] IS NULL OR w.id = ANY ($waiting))
         AND ($updatedSince::timestamptz IS NULL OR w.updated_at >= $updatedSince)
         AND ($overdue::boolean IS NULL OR (w.status IN ('draft', 'active') AND coalesce(w.due_at < $now, false)) = $overdue)
       ORDER BY ${order} LIMIT $limit + 1
     ),
     sized AS (SELECT w.*, sum(w.size) OVER (ORDER BY ${order}) - w.size AS before FROM found w),
     page AS (SELECT w.* FROM sized w WHERE w.before <= ${maxListBytes})`,
    { from: 'page w', item, counted: 'found', order, key },
  );
}

export const listWorkflows = eachListedBy((by) => bySort(sorts, (sort) => listBy(by, sort)));

/** The templates of a team, as in the list. */
export const listTemplates = pageStatement<{ team: string; after: string; limit: number }>(
  `WITH page AS (SELECT t.* FROM workflow_template t WHERE t.team_id = $team AND t.name > $after ORDER BY t.name LIMIT $limit + 1)`,
  {
    from: 'page t',
    item: jsonThing({
      name: 't.name',
      description: 't.description',
      source: "'team'",
      createdBy: 't.created_by',
      createdByType: 'CASE WHEN t.created_by IS NOT NULL THEN t.created_by_type END',
      createdAt: isoText('t.created_at'),
      updatedAt: isoText('t.updated_at'),
      steps: 't.steps',
      parameters: "CASE WHEN t.parameters <> '[]' THEN t.parameters END",
      version: 't.version',
    }),
    order: 't.name',
    key: ['t.name'],
  },
);

/** The versions of a template, the newest first. */
export const listTemplateVersions = pageStatement<{ team: string; name: string; before: number | null; limit: number }>(
  `WITH page AS (SELECT v.* FROM workflow_template_version v WHERE v.team_id = $team AND v.name = $name
     AND ($before::integer IS NULL OR v.version < $before) ORDER BY v.version DESC LIMIT $limit + 1)`,
  {
    from: 'page v',
    item: jsonThing({
      version: 'v.version',
      description: 'v.description',
      steps: 'v.steps',
      parameters: "CASE WHEN v.parameters <> '[]' THEN v.parameters END",
      createdBy: 'v.created_by',
      createdByType: 'CASE WHEN v.created_by IS NOT NULL THEN v.created_by_type END',
      createdAt: isoText('v.created_at'),
    }),
    order: 'v.version DESC',
    key: ['v.version::text'],
  },
);

type AccessRow = { user_id: string; reason: 'maker' | 'assignee' | 'task' | 'document' | 'role'; access: 'read' | 'write'; since: string };

/** The users who may see a workflow, sorted by user. A user with several reasons has several rows. */
export const workflowAccess = sqlStatement<{ team: string; id: string }, AccessRow>(
  `WITH reason AS (
     SELECT a.id, 'role' AS reason, 'write' AS access, a.created_at AS since FROM member a WHERE a.team_id = $team AND a.role IN ('owner', 'admin')
     UNION ALL SELECT w.owner_id, 'maker', 'write', w.created_at FROM workflow w WHERE w.team_id = $team AND w.id = $id
     UNION ALL SELECT w.assigned_to, 'assignee', 'read', w.created_at FROM workflow w WHERE w.team_id = $team AND w.id = $id
     UNION ALL SELECT theirs.user_id, 'document', 'read', coalesce(w.started_at, w.updated_at) FROM workflow w
       CROSS JOIN LATERAL documents_of_workflow($team, w.id) of
       CROSS JOIN LATERAL (SELECT d.user_id FROM filed_documents($team) d WHERE d.id = of.id) theirs
       WHERE w.team_id = $team AND w.id = $id AND (w.status <> 'draft' AND owns_document($team, of.id, theirs.user_id))
     UNION ALL SELECT p.id, 'task', 'read', p.since FROM task_participants($team, $id) p
   ) SELECT a.id AS user_id, r.reason, CASE WHEN a.role = 'viewer' THEN 'read' ELSE r.access END AS access, ${isoText('min(r.since)')} AS since
   FROM reason r CROSS JOIN LATERAL (
     SELECT a.id, a.role, a.created_at FROM member a WHERE a.team_id = $team AND a.id = r.id OFFSET 0
   ) a
   WHERE NOT EXISTS (SELECT FROM workflow w WHERE w.team_id = $team AND w.id = $id AND document_excludes($team, w.about_document_id, a.id))
   GROUP BY a.id, a.role, r.reason, r.access ORDER BY a.id, r.reason LIMIT 10000`,
);
