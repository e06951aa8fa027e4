import { insertDocumentsSql } from './document-queries.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

type NewWorkflow = {
  team: string;
  id: string;
  name: string;
  type: string;
  document: string;
  linked: string | null;
  about: string | null;
  matter: string | null;
  linkedBy: string;
  assignedTo: string | null;
  createdBy: string;
  createdByType: string;
  dueAt: string | null;
  templateVersion: number | null;
  submission: string | null;
  omitted: readonly string[];
  people: string;
  steps: string;
  documents: string;
  at: Date;
};

const stepColumns = `id text, position integer, type text, name text, description text, assignees uuid[], mode text, depends_on text[],
  due_in_days integer, config jsonb, roles text[], groups uuid[]`;

/** Returns the minimum size of steps in a list, in bytes. */
const sizeOf = (step: string) => `coalesce(sum(octet_length(${step}.config::text) + coalesce(octet_length(${step}.description), 0)), 0)`;

/** Inserts a workflow with its documents and steps in one statement. `documents` and `steps` are JSON arrays of rows. */
export const insertWorkflow = sqlStatement<NewWorkflow, never>(
  `WITH made AS (
     INSERT INTO workflow (team_id, id, name, type, document_id, linked_document_id, about_document_id, container_id, linked_by, size, assigned_to, created_by,
       created_by_type, owner_id, due_at, template_version, submission_id, omitted_documents, people, created_at, updated_at)
     SELECT $team, $id, $name, $type, $document, $linked, $about, $matter, $linkedBy, (SELECT ${sizeOf('s')} FROM jsonb_to_recordset($steps) AS s(${stepColumns})),
       $assignedTo, $createdBy, $createdByType, $createdBy, $dueAt, $templateVersion, $submission, $omitted, $people, $at, $at RETURNING id
   ),
   documents AS (${insertDocumentsSql('made.id', 'made, ')})
   INSERT INTO workflow_step (team_id, workflow_id, id, position, type, name, description, assignees, mode, depends_on, due_in_days, config, roles, groups)
   SELECT $team, made.id, s.id, s.position, s.type, s.name, s.description, s.assignees, s.mode, s.depends_on, s.due_in_days, s.config, s.roles, s.groups
   FROM made, jsonb_to_recordset($steps) AS s(${stepColumns})`,
);

/** Deletes the pending steps, except `kept`. */
export const dropPendingSteps = sqlStatement<TeamScopedId & { kept: readonly string[] }, never>(
  "DELETE FROM workflow_step WHERE team_id = $team AND workflow_id = $id AND status = 'pending' AND id <> ALL ($kept::text[])",
);

export const insertSteps = sqlStatement<TeamScopedId & { steps: string }, never>(
  `INSERT INTO workflow_step (team_id, workflow_id, id, position, type, name, description, assignees, mode, depends_on, due_in_days, config, roles, groups)
   SELECT $team, $id, s.id, s.position, s.type, s.name, s.description, s.assignees, s.mode, s.depends_on, s.due_in_days, s.config, s.roles, s.groups
   FROM jsonb_to_recordset($steps) AS s(${stepColumns})
   ON CONFLICT (team_id, workflow_id, id) DO UPDATE SET position = excluded.position`,
);

/** Replaces the settings of a failed step. */
export const correctStep = sqlStatement<TeamScopedId & { step: string; config: string }, never>(
  "UPDATE workflow_step SET config = $config WHERE team_id = $team AND workflow_id = $id AND id = $step AND status = 'failed'",
);

export const measureSteps = sqlStatement<TeamScopedId, never>(
  `UPDATE workflow SET size = (SELECT ${sizeOf('s')} FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = $id)
   WHERE team_id = $team AND id = $id`,
);

type WorkflowChange = TeamScopedId & {
  name: string;
  document: string;
  linked: string | null;
  about: string | null;
  linkedBy: string | null;
  assignedTo: string | null;
  dueAt: string | null;
  dueGiven: boolean;
  at: Date;
};

export const updateWorkflow = sqlStatement<WorkflowChange, never>(
  `UPDATE workflow SET name = $name, document_id = $document, linked_document_id = $linked, about_document_id = $about, linked_by = $linkedBy, assigned_to = $assignedTo,
     overdue_emitted = overdue_emitted AND due_at IS NOT DISTINCT FROM $dueAt::timestamptz, due_at = $dueAt,
     due_fixed = due_fixed OR (status = 'paused' AND $dueGiven::boolean),
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
