import { sqlStatement } from '../../../platform/database/statement.ts';

type Run = { team: string; run: string };
export type CallStatus = 'ready' | 'awaiting_approval' | 'unknown' | 'done' | 'refused';

/** What the model was told before the first step, or one answer of it. */
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
export const stepsOf = sqlStatement<Run, StepRow>(
  `SELECT step, model, content, finish, input_tokens, output_tokens, created_at FROM agent_run_step
   WHERE team_id = $team AND run_id = $run ORDER BY step LIMIT 300`,
);

export type CallRow = {
  id: string;
  step: number;
  tool: string;
  arguments: unknown;
  status: CallStatus;
  /** Its beginning: as much as is shown to the model. */
  result: string | null;
  /** Characters of all of it. */
  total: number | null;
  created_at: string;
  finished_at: string | null;
  /** The task by which a person is asked, what exactly they were asked, and who has approved it. */
  task_id: string | null;
  asked_hash: string | null;
  decided_by: string | null;
  /** When it was about to be sent elsewhere. */
  sent_at: string | null;
};
export const callsOf = sqlStatement<Run & { most: number }, CallRow>(
  `SELECT id, step, tool, arguments, status, left(result, $most::integer) AS result, coalesce(result_total, length(result)) AS total,
     created_at, finished_at, task_id, asked_hash, decided_by, sent_at
   FROM agent_run_call WHERE team_id = $team AND run_id = $run ORDER BY step, position LIMIT 13000`,
);

/**
 * The run, locked, where this attempt still has it in hand and it is not to end: whatever an attempt writes is written under this, so
 * that nothing comes of one that another has followed.
 */
export const holdRun = sqlStatement<Run & { attempt: number }, { id: string; tokens: number; cost_held: number }>(
  `SELECT id, tokens, cost_held FROM agent_run WHERE team_id = $team AND id = $run AND attempts = $attempt AND status = 'running' AND cancel_reason IS NULL
   FOR UPDATE`,
);

/** What a run has taken so far, with what it is about to take: the attempt that has it in hand alone changes it. */
export const takenBy = sqlStatement<Run, { tokens: number; cost_held: number }>(
  'SELECT tokens, cost_held FROM agent_run WHERE team_id = $team AND id = $run',
);

type NewStep = Run & {
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

/** The calls of a step; `calls` is a JSON array. One that is over as it is written says with what. */
export const insertCalls = sqlStatement<Run & { step: number; calls: string; at: Date }, never>(
  `INSERT INTO agent_run_call (team_id, run_id, id, step, position, tool, arguments, status, result, created_at, finished_at)
   SELECT $team, $run, c.id, $step, c.position, c.tool, c.arguments, c.status, c.result, $at::timestamptz,
     CASE WHEN c.result IS NOT NULL THEN $at::timestamptz END
   FROM jsonb_to_recordset($calls) AS c (id uuid, position integer, tool text, arguments jsonb, status text, result text)`,
);

/** Notes that a call is about to be sent elsewhere; nothing where that was noted before. */
export const noteSent = sqlStatement<Run & { id: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET sent_at = $at WHERE team_id = $team AND run_id = $run AND id = $id AND sent_at IS NULL AND finished_at IS NULL RETURNING id`,
);

/** Whether a run has read anything here, skills aside: a call of a tool of this service has been carried out. */
export const hasRead = sqlStatement<Run & { skill: string }, { id: string }>(
  `SELECT id FROM agent_run_call WHERE team_id = $team AND run_id = $run AND status = 'done' AND tool <> $skill AND strpos(tool, '__') = 0 LIMIT 1`,
);

/** Ends a call that is not over. */
export const endCall = sqlStatement<
  Run & { id: string; status: CallStatus; result: string; total: number | null; at: Date },
  { id: string }
>(
  `UPDATE agent_run_call SET status = $status, result = $result, result_total = $total, finished_at = $at
   WHERE team_id = $team AND run_id = $run AND id = $id AND finished_at IS NULL RETURNING id`,
);

/** Counts a step of a run: `tokens` and `held` are by how much more it took and cost than was counted before it. */
export const countStep = sqlStatement<
  Run & {
    step: number;
    tokens: number;
    held: number;
    input: number;
    output: number;
    cost: number | null;
    priceTable: string | null;
    summary: string | null;
  },
  never
>(
  `UPDATE agent_run SET steps = $step, tokens = tokens + $tokens, cost_held = cost_held + $held,
     input_tokens = input_tokens + $input, output_tokens = output_tokens + $output,
     cost_micros = CASE WHEN $cost::bigint IS NULL THEN cost_micros ELSE coalesce(cost_micros, 0) + $cost END, price_table = coalesce($priceTable, price_table),
     summary = coalesce($summary, summary)
   WHERE team_id = $team AND id = $run`,
);

/**
 * Counts tokens before they are taken: of a run, of its agent's day and of the team's (`all`), each as far as its limit allows; and what
 * they may cost, as far as the limits of the agent and of the team allow that. Nothing where one is reached; what was counted of the others is then to be
 * undone. `amount` and `cost` are no more than any limit of a day.
 */
export const reserve = sqlStatement<
  Run & {
    agent: string;
    all: string;
    day: string;
    amount: number;
    ofRun: number;
    ofAgent: number;
    ofTeam: number;
    cost: number;
    costOfRun: number | null;
    costOfAgent: number | null;
    costOfTeam: number | null;
  },
  { tokens: number }
>(
  `WITH run AS (
     UPDATE agent_run SET tokens = tokens + $amount, cost_held = cost_held + $cost
     WHERE team_id = $team AND id = $run AND tokens + $amount <= $ofRun AND ($costOfRun::bigint IS NULL OR cost_held + $cost <= $costOfRun)
     RETURNING id
   ), mine AS (
     INSERT INTO agent_usage AS u (team_id, agent_id, day, tokens, cost_held) SELECT $team, $agent, $day, $amount, $cost FROM run
     ON CONFLICT (team_id, agent_id, day) DO UPDATE SET tokens = u.tokens + $amount, cost_held = u.cost_held + $cost
     WHERE u.tokens + $amount <= $ofAgent AND ($costOfAgent::bigint IS NULL OR u.cost_held + $cost <= $costOfAgent) RETURNING agent_id
   )
   INSERT INTO agent_usage AS u (team_id, agent_id, day, tokens, cost_held) SELECT $team, $all, $day, $amount, $cost FROM mine
   ON CONFLICT (team_id, agent_id, day) DO UPDATE SET tokens = u.tokens + $amount, cost_held = u.cost_held + $cost
   WHERE u.tokens + $amount <= $ofTeam AND ($costOfTeam::bigint IS NULL OR u.cost_held + $cost <= $costOfTeam) RETURNING tokens`,
);
/** Takes back what was counted of a run for an answer that has taken nothing. */
export const giveBack = sqlStatement<Run & { tokens: number; cost: number }, never>(
  'UPDATE agent_run SET tokens = tokens - $tokens, cost_held = cost_held - $cost WHERE team_id = $team AND id = $run',
);
/** What was taken in the end: `tokens` and `held` are by how much that is more than was counted before. */
export const settleDay = sqlStatement<
  { team: string; agent: string; day: string; tokens: number; held: number; input: number; output: number; cost: number },
  never
>(
  `UPDATE agent_usage SET tokens = tokens + $tokens, cost_held = cost_held + $held, input_tokens = input_tokens + $input, output_tokens = output_tokens + $output,
     cost_micros = cost_micros + $cost
   WHERE team_id = $team AND agent_id = $agent AND day = $day`,
);

/** A run waits for a person: it has worked for so long, and leaves its place. */
export const parkRun = sqlStatement<Run & { status: 'awaiting_approval' | 'needs_attention'; worked: number }, never>(
  `UPDATE agent_run SET status = $status, in_hand = false, worked_ms = worked_ms + $worked WHERE team_id = $team AND id = $run`,
);

export const noteSimulated = sqlStatement<Run, never>('UPDATE agent_run SET simulated = true WHERE team_id = $team AND id = $run');

/** Whether a call names a tool of a server elsewhere: no tool of this service has two low lines in its name. */
export const isRemote = ({ tool }: Pick<CallRow, 'tool'>): boolean => tool.includes('__');

/** Tools whose `id` is the document that they read. */
export const toolsOfDocuments: readonly string[] = ['get_document', 'list_document_versions', 'read_document_text'];

/** Tools whose results list documents as they are shown. */
export const listsOfDocuments: readonly string[] = ['search_documents', 'find_in_documents'];

/** Tools whose results tell what was submitted, with the identifier of each submission: those of forms, and of the records that forms made. */
export const toolsOfSubmissions: readonly string[] = [
  'list_submissions',
  'get_submission',
  'search_registry_records',
  'get_registry_record',
];

export const identifier = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
/**
 * A document in what a list of them has told, by its members in the order in which lists have them: nothing that somebody has written about a document
 * is taken for another.
 */
export const listedDocument = String.raw`\{"id":"(${identifier})","title":${quoted}(?:,"[a-zA-Z]+":${quoted})*,"userId":"${identifier}","status":"`;

/** One of what a run was told of that is gone: a document for good, or a submission that is erased since. */
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

/** A run that is over; `finished_at` is text, to the microsecond. */
export type RunOver = { team_id: string; id: string; finished_at: string };
/** Runs that are over and what was said in them is kept, as they ended, from behind one of them on. */
export const runsWithSteps = sqlStatement<{ after: string | null; id: string; limit: number }, RunOver>(
  `SELECT r.team_id, r.id, r.finished_at::text AS finished_at FROM agent_run r
   WHERE r.finished_at >= coalesce($after::timestamptz, now() - interval '32 days') AND (r.finished_at, r.id) > (coalesce($after::timestamptz, '-infinity'), $id::uuid)
     AND EXISTS (SELECT FROM agent_run_step o WHERE o.team_id = r.team_id AND o.run_id = r.id)
   ORDER BY r.finished_at, r.id LIMIT $limit`,
);
