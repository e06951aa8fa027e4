import { sqlStatement } from '../../../platform/database/statement.ts';

type RunParams = { team: string; run: string };
export type CallStatus = 'ready' | 'awaiting_approval' | 'unknown' | 'done' | 'refused';

/** The instructions of step 0, or one response of the model. */
export type StepContent = { system: string; mark: string; skills?: Readonly<Record<string, string>> } | { text: string };
export type StepRow = {
  step: number;
  model: string | null;
  content: StepContent;
  finish: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  created_at: string;
};
export const stepsOf = sqlStatement<RunParams, StepRow>(
  `SELECT step, model, content, finish, input_tokens, output_tokens, created_at FROM agent_run_step
   WHERE team_id = $team AND run_id = $run ORDER BY step LIMIT 300`,
);

export type CallRow = {
  id: string;
  step: number;
  tool: string;
  arguments: unknown;
  status: CallStatus;
  /** The start of the result, as the model gets it. */
  result: string | null;
  /** The length of the whole result, in characters. */
  total: number | null;
  created_at: string;
  finished_at: string | null;
  /** The approval task, the hash of the exact request, and the approver. */
  task_id: string | null;
  approval_round_id: string | null;
  request_hash: string | null;
  decided_by: string | null;
  /** The time just before the call was sent to an external server. */
  sent_at: string | null;
};
export const callsOf = sqlStatement<RunParams & { most: number }, CallRow>(
  `SELECT id, step, tool, arguments, status, left(result, $most::integer) AS result, coalesce(result_total, length(result)) AS total,
     created_at, finished_at, task_id, approval_round_id, request_hash, decided_by, sent_at
   FROM agent_run_call WHERE team_id = $team AND run_id = $run ORDER BY step, position LIMIT 13000`,
);

/**
 * Locks a run that this attempt owns and that must not end. Every write of an attempt needs this lock, so that an outdated attempt writes nothing.
 */
export const lockAttempt = sqlStatement<RunParams & { attempt: number }, { id: string; tokens: number; cost_reserved: number }>(
  `SELECT id, tokens, cost_reserved FROM agent_run WHERE team_id = $team AND id = $run AND attempts = $attempt AND status = 'running' AND cancel_reason IS NULL
   FOR UPDATE`,
);

/** The usage of a run, including the reservation. Only the current attempt changes it. */
export const takenBy = sqlStatement<RunParams, { tokens: number; cost_reserved: number }>(
  'SELECT tokens, cost_reserved FROM agent_run WHERE team_id = $team AND id = $run',
);

type NewStep = RunParams & {
  step: number;
  model: string | null;
  content: string;
  finish: string | null;
  input: number | null;
  output: number | null;
  cost: number | null;
  priceTable: string | null;
  begunAt: Date;
  at: Date;
};
export const insertStep = sqlStatement<NewStep, never>(
  `INSERT INTO agent_run_step (team_id, run_id, step, model, content, finish, input_tokens, output_tokens, cost_micros, price_table, begun_at, created_at)
   VALUES ($team, $run, $step, $model, $content::jsonb, $finish, $input, $output, $cost, $priceTable, $begunAt, $at)`,
);

/** Inserts the calls of a step; `calls` is a JSON array. A call with a result has ended already. */
export const insertCalls = sqlStatement<RunParams & { step: number; calls: string; at: Date }, never>(
  `INSERT INTO agent_run_call (team_id, run_id, id, step, position, tool, arguments, status, result, created_at, finished_at)
   SELECT $team, $run, c.id, $step, c.position, c.tool, c.arguments, c.status, c.result, $at::timestamptz,
     CASE WHEN c.result IS NOT NULL THEN $at::timestamptz END
   FROM jsonb_to_recordset($calls) AS c (id uuid, position integer, tool text, arguments jsonb, status text, result text)`,
);

/** Records that a call is about to be sent. Returns nothing if that was recorded before. */
export const recordSent = sqlStatement<RunParams & { id: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET sent_at = $at WHERE team_id = $team AND run_id = $run AND id = $id AND sent_at IS NULL AND finished_at IS NULL RETURNING id`,
);

/** Whether a run has executed a call of a local tool, other than reading skills. */
export const hasRead = sqlStatement<RunParams & { skill: string }, { id: string }>(
  `SELECT id FROM agent_run_call WHERE team_id = $team AND run_id = $run AND status = 'done' AND tool <> $skill AND strpos(tool, '__') = 0 LIMIT 1`,
);

/** Ends an open call. */
export const endCall = sqlStatement<
  RunParams & { id: string; status: CallStatus; result: string; total: number | null; at: Date },
  { id: string }
>(
  `UPDATE agent_run_call SET status = $status, result = $result, result_total = $total, finished_at = $at
   WHERE team_id = $team AND run_id = $run AND id = $id AND finished_at IS NULL RETURNING id`,
);

/** Updates the counts of a run after a step. `tokens` and `costDifference` are the differences from the reserved amounts. */
export const countStep = sqlStatement<
  RunParams & {
    step: number;
    tokens: number;
    costDifference: number;
    input: number;
    output: number;
    cost: number | null;
    priceTable: string | null;
    summary: string | null;
  },
  never
>(
  `UPDATE agent_run SET steps = $step, tokens = tokens + $tokens, cost_reserved = cost_reserved + $costDifference,
     input_tokens = input_tokens + $input, output_tokens = output_tokens + $output,
     cost_micros = CASE WHEN $cost::bigint IS NULL THEN cost_micros ELSE coalesce(cost_micros, 0) + $cost END, price_table = coalesce($priceTable, price_table),
     summary = coalesce($summary, summary)
   WHERE team_id = $team AND id = $run`,
);

/**
 * Reserves tokens and their cost for a run, for the day of its agent and for the day of the team (`all`), within each limit. Returns nothing if a
 * limit is reached; the caller must then roll back the partial reservation. `amount` and `cost` must not exceed a daily limit, because the statement
 * does not check the first row of a day.
 */
export const reserve = sqlStatement<
  RunParams & {
    agent: string;
    all: string;
    day: string;
    amount: number;
    maxPerRun: number;
    maxPerAgent: number;
    maxPerTeam: number;
    cost: number;
    costOfRun: number | null;
    costOfAgent: number | null;
    costOfTeam: number | null;
  },
  { tokens: number }
>(
  `WITH run AS (
     UPDATE agent_run SET tokens = tokens + $amount, cost_reserved = cost_reserved + $cost
     WHERE team_id = $team AND id = $run AND tokens + $amount <= $maxPerRun AND ($costOfRun::bigint IS NULL OR cost_reserved + $cost <= $costOfRun)
     RETURNING id
   ), mine AS (
     INSERT INTO agent_usage AS u (team_id, agent_id, day, tokens, cost_reserved) SELECT $team, $agent, $day, $amount, $cost FROM run
     ON CONFLICT (team_id, agent_id, day) DO UPDATE SET tokens = u.tokens + $amount, cost_reserved = u.cost_reserved + $cost
     WHERE u.tokens + $amount <= $maxPerAgent AND ($costOfAgent::bigint IS NULL OR u.cost_reserved + $cost <= $costOfAgent) RETURNING agent_id
   )
   INSERT INTO agent_usage AS u (team_id, agent_id, day, tokens, cost_reserved) SELECT $team, $all, $day, $amount, $cost FROM mine
   ON CONFLICT (team_id, agent_id, day) DO UPDATE SET tokens = u.tokens + $amount, cost_reserved = u.cost_reserved + $cost
   WHERE u.tokens + $amount <= $maxPerTeam AND ($costOfTeam::bigint IS NULL OR u.cost_reserved + $cost <= $costOfTeam) RETURNING tokens`,
);
/** Releases the reservation for a response that used no tokens. */
export const releaseReservation = sqlStatement<RunParams & { tokens: number; cost: number }, never>(
  'UPDATE agent_run SET tokens = tokens - $tokens, cost_reserved = cost_reserved - $cost WHERE team_id = $team AND id = $run',
);
/** Corrects the usage of a day. `tokens` and `costDifference` are the differences from the reserved amounts. */
export const correctUsageOfDay = sqlStatement<
  { team: string; agent: string; day: string; tokens: number; costDifference: number; input: number; output: number; cost: number },
  never
>(
  `UPDATE agent_usage SET tokens = tokens + $tokens, cost_reserved = cost_reserved + $costDifference, input_tokens = input_tokens + $input, output_tokens = output_tokens + $output,
     cost_micros = cost_micros + $cost
   WHERE team_id = $team AND agent_id = $agent AND day = $day`,
);

/** Parks a run that waits for a person: adds its working time and frees its slot. */
export const parkRun = sqlStatement<RunParams & { status: 'awaiting_approval' | 'needs_attention'; worked: number }, never>(
  `UPDATE agent_run SET status = $status, in_flight = false, worked_ms = worked_ms + $worked WHERE team_id = $team AND id = $run`,
);

export const recordSimulated = sqlStatement<RunParams, never>('UPDATE agent_run SET simulated = true WHERE team_id = $team AND id = $run');

/** Whether a call is for a tool of an external server. Only the names of such tools contain two underscores. */
export const isRemote = ({ tool }: Pick<CallRow, 'tool'>): boolean => tool.includes('__');

/** Tools that read the document in `id`. */
export const toolsOfDocuments: readonly string[] = ['get_document', 'list_document_versions', 'read_document_text'];

/** Tools that return lists of documents. */
export const listsOfDocuments: readonly string[] = ['search_documents', 'find_in_documents'];

/**
 * Tools that return submissions with their identifiers: the tools of forms, and the tools of registries, whose records
 * can come from submissions.
 */
export const toolsOfSubmissions: readonly string[] = [
  'list_submissions',
  'get_submission',
  'search_registry_records',
  'get_registry_record',
];

export const identifier = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
/** Matches a document in a list result by its members in their fixed order. The order prevents a match on text that a user wrote. */
export const listedDocument = String.raw`\{"id":"(${identifier})","title":${quoted}(?:,"[a-zA-Z]+":${quoted})*,"userId":"${identifier}","status":"`;

/** Returns a named document that was permanently deleted, or a named submission that was erased after it was read. */
export const erasedAmong = sqlStatement<
  { team: string; documents: readonly string[]; submissions: readonly string[]; readAt: readonly string[] },
  { id: string }
>(
  `SELECT named.id FROM unnest($documents::uuid[]) AS named (id)
   CROSS JOIN LATERAL (SELECT document_is_gone($team, named.id) AS gone OFFSET 0) d WHERE d.gone
   UNION ALL
   SELECT named.id FROM unnest($submissions::uuid[], $readAt::timestamptz[]) AS named (id, read_at)
   CROSS JOIN LATERAL (SELECT submission_erased_since($team, named.id, named.read_at) AS erased OFFSET 0) s WHERE s.erased
   LIMIT 1`,
);

/** A run that has ended; `finished_at` is text with microseconds. */
export type RunOver = { team_id: string; id: string; finished_at: string };
/** Runs that have ended and still have steps, ordered by their end, after a cursor. */
export const runsWithSteps = sqlStatement<{ after: string | null; id: string; limit: number }, RunOver>(
  `SELECT r.team_id, r.id, r.finished_at::text AS finished_at FROM agent_run r
   WHERE r.finished_at >= coalesce($after::timestamptz, now() - interval '32 days') AND (r.finished_at, r.id) > (coalesce($after::timestamptz, '-infinity'), $id::uuid)
     AND EXISTS (SELECT FROM agent_run_step o WHERE o.team_id = r.team_id AND o.run_id = r.id)
   ORDER BY r.finished_at, r.id LIMIT $limit`,
);
