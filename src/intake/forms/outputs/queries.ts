import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { FormBinding } from '../form-binding.ts';
import type { Definition } from '../schemas.ts';
import type { OutputStates } from './states.ts';

/** Stores the outputs of a submission. */
export const insertOutputs = sqlStatement<TeamScopedId & { outputs: string; at: Date }, never>(
  `INSERT INTO submission_output (team_id, submission_id, output_id, place, make, needs, status, updated_at)
   SELECT $team, $id, output_id, place, make, ARRAY(SELECT jsonb_array_elements_text(needs)), 'waiting', $at
   FROM jsonb_to_recordset($outputs) AS made (output_id text, place int, make text, needs jsonb)`,
);

export type OutputRow = Row<
  'submission_output',
  'output_id' | 'make' | 'needs' | 'status' | 'result_id' | 'attempts' | 'code' | 'detail' | 'next_attempt_at'
>;

/** Returns the outputs of a submission in their order. */
export const outputsOf = sqlStatement<TeamScopedId, OutputRow>(
  `SELECT output_id, make, needs, status, result_id, attempts, code, detail, next_attempt_at FROM submission_output
   WHERE team_id = $team AND submission_id = $id ORDER BY place`,
);

/** Returns the next output to make. An output waits for the outputs that it needs. */
export const nextOutput = sqlStatement<TeamScopedId, Row<'submission_output', 'output_id' | 'attempts'>>(
  `SELECT o.output_id, o.attempts FROM submission_output o
   WHERE o.team_id = $team AND o.submission_id = $id AND o.status = 'waiting' AND NOT EXISTS (
     SELECT FROM submission_output n WHERE n.team_id = $team AND n.submission_id = $id AND n.output_id = ANY (o.needs)
       AND n.status IN ('waiting', 'failed'))
   ORDER BY o.place LIMIT 1`,
);

export type SubmissionToMake = {
  interface_id: string;
  data: Record<string, unknown>;
  records: Record<string, { data: Record<string, unknown> }> | null;
  locale: string | null;
  created_at: string;
  owner_id: string;
  folder_id: string | null;
  uses_by: string;
  definition: Definition;
  outputs: OutputStates;
  bindings: FormBinding[];
};

/** Returns a submission with the published version that it answers. Returns no row after an erasure. */
export const submissionToMake = sqlStatement<TeamScopedId, SubmissionToMake>(
  `SELECT s.interface_id, s.data, s.records, s.locale, s.created_at, i.owner_id, i.folder_id, v.uses_by, v.definition, v.outputs, v.bindings
   FROM submission s
   JOIN interface i ON i.team_id = $team AND i.id = s.interface_id
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = s.interface_id AND v.number = s.version
   WHERE s.team_id = $team AND s.id = $id AND s.erased_at IS NULL`,
  { data: 'a submission that is not erased has data' },
);

type Settled = TeamScopedId & { output: string; status: 'done' | 'skipped' | 'failed'; at: Date };

/** Stores the result of a waiting output. Returns no row if it no longer waits. */
export const settleOutput = sqlStatement<
  Settled & { result: string | null; code: string | null; detail: string | null },
  { output_id: string }
>(
  `UPDATE submission_output SET status = $status, result_id = $result, code = $code, detail = $detail, attempts = attempts + 1,
     next_attempt_at = NULL, updated_at = $at
   WHERE team_id = $team AND submission_id = $id AND output_id = $output AND status = 'waiting' RETURNING output_id`,
);

/** Lets the failed outputs of a submission wait again. */
export const retryOutputs = sqlStatement<TeamScopedId & { at: Date }, { output_id: string }>(
  `UPDATE submission_output SET status = 'waiting', code = NULL, detail = NULL, updated_at = $at
   WHERE team_id = $team AND submission_id = $id AND status = 'failed' RETURNING output_id`,
);

type Delayed = TeamScopedId & { output: string; code: string; detail: string; next: Date; at: Date };

/** Stores why a waiting output was not made yet, and the time of its next attempt. */
export const delayOutput = sqlStatement<Delayed, { output_id: string }>(
  `UPDATE submission_output SET code = $code, detail = $detail, attempts = attempts + 1, next_attempt_at = $next, updated_at = $at
   WHERE team_id = $team AND submission_id = $id AND output_id = $output AND status = 'waiting' RETURNING output_id`,
);

/** Returns the published forms that name a workflow template by its name, or a document template by its id; at most 100. */
export const formsNaming = sqlStatement<
  { team: string; kind: 'workflow' | 'document'; template: string },
  { id: string; title: string; owner_id: string }
>(
  `SELECT i.id, i.title, i.owner_id FROM interface i
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   WHERE i.team_id = $team AND i.status = 'published' AND i.deleted_at IS NULL AND (
     $kind::text = 'workflow' AND v.definition #>> '{config,startsTemplate}' = $template::text
     OR EXISTS (SELECT FROM jsonb_array_elements(coalesce(v.definition #> '{config,then}', '[]')) o WHERE $template = CASE $kind
       WHEN 'workflow' THEN o.value ->> 'template' ELSE lower(o.value ->> 'templateId') END))
   ORDER BY i.id LIMIT 100`,
);

/** Returns the published version of a form, and the member whose rights its effects use. */
export const publishedForm = sqlStatement<TeamScopedId, Row<'interface_version', 'uses_by'> & { definition: Definition }>(
  `SELECT v.uses_by, v.definition FROM interface i
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version WHERE i.team_id = $team AND i.id = $id`,
);
