import type { Field, FormLocales } from '#fields';
import type { Transaction } from '../../platform/database/database.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { WorkflowRow, StepRow } from './queries.ts';

/** An agent step and the facts of its workflow. */
export type AgentStepRow = Pick<WorkflowRow, 'name' | 'document_id' | 'created_by' | 'created_by_type' | 'owner_id' | 'barred'> & {
  id: string;
  config: Record<string, unknown>;
};

/** The agent steps of a workflow. Most workflows have none, so this does not read the whole workflow. */
export const agentSteps = sqlStatement<TeamScopedId, AgentStepRow>(
  `SELECT s.id, s.config, w.name, w.created_by,
     coalesce((SELECT d.document_id FROM workflow_document d WHERE d.team_id = $team AND d.workflow_id = w.id AND d.name = s.config ->> 'document'), w.document_id) AS document_id,
      w.created_by_type, w.owner_id,
     document_is_barred(w.team_id, w.about_document_id) AS barred
   FROM workflow_step s JOIN workflow w ON w.team_id = $team AND w.id = s.workflow_id
   WHERE s.team_id = $team AND s.workflow_id = $id AND s.type = 'agent' ORDER BY s.position`,
);

/** An unfinished step of an agent in a workflow in progress. */
export const liveStepsOfAgent = sqlStatement<{ team: string; agent: string }, { id: string }>(
  `SELECT s.id FROM workflow w JOIN workflow_step s ON s.team_id = w.team_id AND s.workflow_id = w.id
   WHERE w.team_id = $team AND w.status IN ('active', 'paused') AND s.type = 'agent' AND s.status IN ('pending', 'active', 'failed')
     AND lower(s.config ->> 'agentId') = $agent::text LIMIT 1`,
);

/** The endpoint that a step calls, if its team is active. */
export const endpointOfStep = sqlStatement<TeamScopedId & { step: string }, { endpoint: string }>(
  `SELECT coalesce(lower(s.config ->> 'endpointId'), '') AS endpoint FROM workflow_step s
   WHERE s.team_id = $team AND s.workflow_id = $id AND s.id = $step AND s.type = 'webhook' AND s.config ? 'endpointId' AND team_active(s.team_id)`,
);

/** The workflows with a step that waits for an endpoint. */
export const askingEndpoint = sqlStatement<{ team: string; endpoint: string }, { id: string }>(
  `SELECT DISTINCT workflow_id AS id FROM workflow_step
   WHERE team_id = $team AND type = 'webhook' AND status = 'active' AND lower(config ->> 'endpointId') = $endpoint::text`,
);

/** The definition of a step, with its workflow or template. */
export type StoredStep = { team_id: string; place: string; id: string; type: string; config: Record<string, unknown> };

/**
 * The pending steps of all teams, in pages, by team and place. Steps of unfinished workflows come before those of
 * templates.
 */
export const storedStepsAfter = sqlStatement<{ team: string; place: string; limit: number }, StoredStep>(
  `SELECT team_id, place, id, type, config FROM (
     SELECT s.team_id, 'workflow ' || s.workflow_id || ', step ' || s.id AS place, s.id, s.type, s.config
     FROM workflow w JOIN workflow_step s ON s.team_id = w.team_id AND s.workflow_id = w.id
     WHERE w.status IN ('draft', 'active', 'paused') AND s.status = 'pending'
     UNION ALL
     SELECT t.team_id, 'template ' || t.name || ', step ' || coalesce(one ->> 'id', ''), coalesce(one ->> 'id', ''), coalesce(one ->> 'type', ''), coalesce(one -> 'config', '{}')
     FROM workflow_template t, jsonb_array_elements(t.steps) one
   ) stored WHERE config <> '{}' AND (team_id, place) > ($team::uuid, $place::text) ORDER BY team_id, place LIMIT $limit`,
);

/** The form answers of these tasks. Returns no row for a task that no form completed, or whose answers are erased. */
export const answersOfTasks = sqlStatement<{ team: string; tasks: readonly string[] }, { task_id: string; data: Record<string, unknown> }>(
  'SELECT a.task_id, a.data FROM answers_of_tasks($team::uuid, $tasks::uuid[]) a',
);

/** A submission with the form that it answers. */
type StoredSubmission = {
  data: Record<string, unknown>;
  records: Record<string, { data: Record<string, unknown> }> | null;
  locale: string | null;
  created_at: string;
  fields: Field[];
  settings: FormLocales['publicSettings'];
};

/** The answers of a submission. Returns no row if they are erased. */
export const answersOfSubmission = sqlStatement<TeamScopedId, StoredSubmission>(
  'SELECT s.data, s.records, s.locale, s.created_at, s.fields, s.settings FROM answers_of_submission($team::uuid, $id::uuid) s',
  { fields: 'a member of each definition', settings: 'a member of each definition' },
);

/** The columns of the state of a step. */
const becomes = {
  status: 'text',
  started_at: 'timestamptz',
  completed_at: 'timestamptz',
  outcome: 'text',
  detail: 'text',
  wake_at: 'timestamptz',
  nonce: 'text',
  request_id: 'uuid',
} as const;
type Becomes = Pick<StepRow, keyof typeof becomes>;
const columns = Object.keys(becomes) as (keyof Becomes)[];
const typed = Object.entries(becomes);

/** Updates the steps `c`, and with `raise` the version of their workflow. */
const changeSql = (c: string, raise: boolean) =>
  `${raise ? 'WITH changed AS (UPDATE workflow SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id)' : ''}
   UPDATE workflow_step s SET ${columns.map((column) => `${column} = c.${column}`).join(', ')}, wait_left = NULL
   FROM ${c} WHERE s.team_id = $team AND s.workflow_id = $id AND s.id = c.id`;

const one = `(SELECT $step::text AS id, ${typed.map(([column, type]) => `$${column}::${type} AS ${column}`).join(', ')}) c`;
const several = `jsonb_to_recordset($changes) AS c(id text, ${typed.map(([column, type]) => `${column} ${type}`).join(', ')})`;

const updateStep = sqlStatement<TeamScopedId & Becomes & { step: string }, never>(changeSql(one, false));
const updateSteps = sqlStatement<TeamScopedId & { changes: string }, never>(changeSql(several, false));
const updateStepAndVersion = sqlStatement<TeamScopedId & Becomes & { step: string; at: Date }, never>(changeSql(one, true));
const updateStepsAndVersion = sqlStatement<TeamScopedId & { changes: string; at: Date }, never>(changeSql(several, true));

/** Writes the state of steps by one statement, and with `raise` a new version of their workflow. A single step needs no JSON list. */
export function sendSteps(db: Transaction, which: TeamScopedId & { at: Date }, steps: readonly StepRow[], raise: boolean): void {
  const [first, ...others] = steps;
  if (first === undefined) return;
  if (others.length === 0) return db.send(raise ? updateStepAndVersion : updateStep, { ...which, ...first, id: which.id, step: first.id });
  const changes = JSON.stringify(
    steps.map((step) => Object.fromEntries(['id' as const, ...columns].map((column) => [column, step[column]]))),
  );
  db.send(raise ? updateStepsAndVersion : updateSteps, { ...which, changes });
}
