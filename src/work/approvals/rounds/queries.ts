import { eligibleSql, isRelatedToWorkflowSql, votesSql } from '#tasks';
import { pageStatement, jsonThing } from '../../../platform/database/json-page.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isoText, type Cursor, sortedBy } from '../../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import { ruleLimits } from '../rules.ts';

export type RoundRow = Row<
  'approval_round',
  | 'id'
  | 'subject_type'
  | 'subject_id'
  | 'workflow_id'
  | 'step_id'
  | 'status'
  | 'outcome'
  | 'policy_name'
  | 'policy_version'
  | 'rule'
  | 'on_rejection'
  | 'document_id'
  | 'document_version'
  | 'document_sha256'
  | 'args_sha256'
  | 'supersedes'
  | 'version'
> & { need: { count: number; from: string[] }[]; barred: boolean };

const columns = `r.id, r.subject_type, r.subject_id, r.workflow_id, r.step_id, r.status, r.outcome, r.policy_name, r.policy_version, r.rule, r.on_rejection,
  r.need, r.document_id, r.document_version, r.document_sha256, r.args_sha256, r.supersedes, r.version,
  document_is_barred(r.team_id, r.about_document_id) AS barred`;

export const findRound = sqlStatement<TeamScopedId, RoundRow>(
  `SELECT ${columns} FROM approval_round r WHERE r.team_id = $team AND r.id = $id`,
);

type Subject = { team: string; subjectType: string; subjectId: string };

/** The latest round of a subject, in any state. */
export const latestRound = sqlStatement<Subject, { id: string }>(
  `SELECT r.id FROM approval_round r WHERE r.team_id = $team AND r.subject_type = $subjectType AND r.subject_id = $subjectId
   ORDER BY r.id DESC LIMIT 1`,
);

type CandidateInput = {
  team: string;
  /** A JSON array of `{place, kind, value}`: people who can fill the places of a need. */
  sources: string;
  type: string;
  about: string | null;
  exclude: readonly string[];
  requester: string | null;
  workflow: string | null;
  /** The documents in the round with their versions. */
  documents: readonly string[];
  versions: readonly (number | null)[];
  previous: string | null;
};

/** The eligible members that a rule names, with the needs that each can fill. One more than the maximum shows that there are too many. */
export const eligibleCandidates = sqlStatement<CandidateInput, { id: string; places: number[] }>(
  `SELECT a.id, array_agg(DISTINCT s.place ORDER BY s.place) AS places
   FROM jsonb_to_recordset($sources) AS s(place integer, kind text, value text)
   CROSS JOIN LATERAL (
     SELECT m.id FROM member m WHERE m.team_id = $team AND s.kind = 'user' AND m.id::text = s.value
     UNION ALL SELECT m.id FROM member m WHERE m.team_id = $team AND s.kind = 'role' AND m.role = s.value
     UNION ALL SELECT g.id FROM access_group_members($team, CASE WHEN s.kind = 'group' THEN s.value::uuid END) g(id)
   ) named JOIN member a ON a.team_id = $team AND a.id = named.id
   WHERE ${eligibleSql({
     type: '$type::text',
     about: '$about::uuid',
     conflicted: 'SELECT NULL::uuid WHERE false',
   })} AND a.id NOT IN (SELECT e.person FROM excluded_by($team, $exclude, $requester, $workflow, $documents, $versions::integer[], $previous) e)
   GROUP BY a.id ORDER BY a.id LIMIT ${ruleLimits.candidates + 1}`,
);

type NewRound = TeamScopedId &
  Omit<Subject, 'team'> & {
    workflow: string | null;
    step: string | null;
    policy: string | null;
    policyVersion: number | null;
    policySha256: string;
    rule: string;
    inputDigest: Buffer | null;
    inputSalt: Buffer | null;
    need: string;
    exclude: readonly string[];
    onRejection: string;
    requester: string | null;
    document: string | null;
    about: string | null;
    version: number | null;
    sha256: string | null;
    /** A JSON array of `{id, version, sha256}`. */
    documents: string;
    argsSha256: string | null;
    supersedes: string | null;
    /** Hours until it expires, by the clock of the database. */
    hours: number | null;
    at: Date;
    candidates: string;
  };

/** Inserts an open round with its documents and candidates. `candidates`: a JSON array of `{account, places, task}`. */
export const insertRound = sqlStatement<NewRound, never>(
  `WITH made AS (
     INSERT INTO approval_round (team_id, id, subject_type, subject_id, workflow_id, step_id, policy_name, policy_version, policy_sha256, rule, input_digest,
       input_salt, need, exclude, on_rejection, requester_id, document_id, about_document_id, document_version, document_sha256, args_sha256, supersedes,
       expires_at, created_at, updated_at)
     VALUES ($team, $id, $subjectType, $subjectId, $workflow, $step, $policy, $policyVersion, $policySha256, $rule, $inputDigest, $inputSalt, $need, $exclude,
       $onRejection, $requester, $document, $about, $version, $sha256, $argsSha256, $supersedes, now() + make_interval(hours => $hours), $at, $at)
     RETURNING id
   ), about AS (
     INSERT INTO approval_round_document (team_id, round_id, position, document_id, document_version, document_sha256)
     SELECT $team, made.id, d.place - 1, d.id, d.version, d.sha256
     FROM made, ROWS FROM (jsonb_to_recordset($documents) AS (id uuid, version integer, sha256 text)) WITH ORDINALITY AS d(id, version, sha256, place)
   )
   INSERT INTO approval_candidate (team_id, round_id, account_id, places, task_id)
   SELECT $team, made.id, c.account, c.places, c.task FROM made, jsonb_to_recordset($candidates) AS c(account uuid, places integer[], task uuid)`,
);

export type CandidateRow = Row<'approval_candidate', 'account_id' | 'places' | 'task_id'> &
  Pick<Row<'task', 'status' | 'outcome' | 'completed_at'>, 'status' | 'outcome' | 'completed_at'>;

/** The candidates of a round, with their votes. */
export const candidatesOf = sqlStatement<TeamScopedId, CandidateRow>(
  `SELECT c.account_id, c.places, c.task_id, t.status, t.outcome, t.completed_at
   FROM approval_candidate c JOIN ${votesSql('$team', 'c.round_id')} ON t.id = c.task_id
   WHERE c.team_id = $team AND c.round_id = $id ORDER BY c.account_id`,
);

/** Ends a round in one of the states `from` that the caller has locked. `outcome`: its outcome, or why it was voided. */
export const endRound = sqlStatement<
  TeamScopedId & { from: readonly string[]; status: string; outcome: string | null; at: Date },
  RoundRow
>(
  `UPDATE approval_round r SET status = $status, outcome = $outcome, version = version + 1, updated_at = $at, ended_at = $at
   WHERE r.team_id = $team AND r.id = $id AND r.status = ANY ($from) RETURNING ${columns}`,
);

export const touchRound = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE approval_round SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

/** Locks the open rounds of a workflow, or of some of its steps. The caller must have locked the workflow. */
export const lockRoundsOfWorkflow = sqlStatement<{ team: string; workflow: string; steps: readonly string[] | null }, { id: string }>(
  `SELECT r.id FROM approval_round r WHERE r.team_id = $team AND r.workflow_id = $workflow AND r.status = 'open'
     AND ($steps::text[] IS NULL OR r.step_id = ANY ($steps)) ORDER BY r.id FOR NO KEY UPDATE`,
);

export const replaceCandidate = sqlStatement<TeamScopedId & { from: string; to: string }, never>(
  'UPDATE approval_candidate SET account_id = $to WHERE team_id = $team AND round_id = $id AND account_id = $from',
);

/** Joins the approval round `r` with this identifier, if there is one. */
export const joinRoundSql = (id: string) => `LEFT JOIN approval_round r ON r.team_id = $team AND r.id = ${id}`;

const isPausedSql = `EXISTS (SELECT FROM ${votesSql('r.team_id', 'r.id')} WHERE t.status = 'open' AND t.paused)`;

/** Whether a round has expired, by the clock of the database. A round of a paused workflow ends after the pause. */
export const expiredRound = sqlStatement<TeamScopedId, unknown>(
  `SELECT FROM approval_round r WHERE r.team_id = $team AND r.id = $id AND r.status = 'open' AND r.expires_at <= now() AND NOT ${isPausedSql}`,
);

/** Rounds that have expired, oldest first. */
export const dueRounds = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT r.team_id, r.id, r.expires_at, row_number() OVER (PARTITION BY r.team_id ORDER BY r.expires_at) AS place
     FROM approval_round r WHERE r.status = 'open' AND r.expires_at <= least(now(), $now::timestamptz) AND NOT ${isPausedSql}
       AND NOT job_waits('approval-expiry', r.team_id, r.id::text) AND team_active(r.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY expires_at LIMIT $limit`,
);

/** The condition: the caller may see the round `r`. `$principalId`: the person or API client whose rounds are visible, or null for all of the team. */
const visibleSql = `(($principalId::uuid IS NULL OR r.requester_id = $principalId
     OR ${isRelatedToWorkflowSql('r.workflow_id')}
     OR EXISTS (SELECT FROM ${votesSql('$team', 'r.id')}
       WHERE ($principalId IN (t.on_behalf_of, t.participant_id) OR t.assigned_to = $principalId AND t.status = 'open')))
   AND NOT document_excludes($team, r.about_document_id, $user::uuid))`;

const item = jsonThing({
  id: 'r.id',
  subject: "json_build_object('type', r.subject_type, 'workflowId', r.workflow_id, 'stepId', r.step_id)",
  status: 'r.status',
  outcome: "CASE WHEN r.status IN ('approved', 'rejected') THEN r.outcome END",
  reason: "CASE WHEN r.status = 'voided' THEN r.outcome END",
  policy: "json_build_object('name', r.policy_name, 'version', r.policy_version, 'sha256', r.policy_sha256)",
  rule: 'r.rule',
  inputDigest: "encode(r.input_digest, 'hex')",
  document:
    "CASE WHEN r.document_id IS NOT NULL THEN json_build_object('id', r.document_id, 'version', r.document_version, 'sha256', r.document_sha256) END",
  documents: `(SELECT coalesce(json_agg(json_strip_nulls(json_build_object('id', d.document_id, 'version', d.document_version, 'sha256', d.document_sha256))
       ORDER BY d.position), '[]')
     FROM approval_round_document d WHERE d.team_id = $team AND d.round_id = r.id)`,
  argsSha256: 'r.args_sha256',
  need: 'r.need',
  exclude: 'r.exclude',
  onRejection: 'r.on_rejection',
  candidates: `(SELECT coalesce(json_agg(json_build_object('userId', c.account_id, 'needs', c.places, 'taskId', c.task_id) ORDER BY c.account_id), '[]')
     FROM approval_candidate c WHERE c.team_id = $team AND c.round_id = r.id)`,
  votes: `(SELECT coalesce(json_agg(json_build_object('userId', c.account_id, 'taskId', t.id, 'outcome', t.outcome, 'votedBy', t.completed_by,
       'onBehalfOf', CASE WHEN t.completed_by <> c.account_id THEN c.account_id END, 'votedAt', ${isoText('t.completed_at')}) ORDER BY t.completed_at, t.id), '[]')
     FROM approval_candidate c JOIN ${votesSql('$team', 'c.round_id')} ON t.id = c.task_id
     WHERE c.team_id = $team AND c.round_id = r.id AND t.status IN ('completed', 'rejected'))`,
  supersedes: 'r.supersedes',
  expiresAt: isoText('r.expires_at'),
  createdAt: isoText('r.created_at'),
  updatedAt: isoText('r.updated_at'),
  endedAt: isoText('r.ended_at'),
});

type Viewer = { team: string; principalId: string | null; user: string | null };

/** A round that the caller may see, as JSON, and whether they see it by emergency access only. */
export const visibleRound = sqlStatement<
  Viewer & { id: string },
  { body: string; version: number; workflow_id: string | null; outsider: boolean }
>(
  `SELECT ${item} AS body, r.version, r.workflow_id, s.outsider FROM approval_round r
   CROSS JOIN LATERAL document_barrier_state($team, r.about_document_id, $user) s
   WHERE r.team_id = $team AND r.id = $id AND ${visibleSql}`,
);

export type RoundFilter = Viewer & {
  status: readonly string[] | null;
  subject: string | null;
  workflow: string | null;
  limit: number;
} & Pick<Cursor, 'after'>;
export const roundSorts = ['createdAt', '-createdAt'] as const;
export type RoundSort = (typeof roundSorts)[number];

function listBy(sort: RoundSort) {
  const { order, after, key } = sortedBy(sort, 'r');
  return pageStatement<RoundFilter>(
    `WITH page AS (
       SELECT r.* FROM approval_round r WHERE r.team_id = $team AND ${after}
         AND ($status::text[] IS NULL OR r.status = ANY ($status))
         AND ($subject::text IS NULL OR r.subject_type = $subject)
         AND ($workflow::uuid IS NULL OR r.workflow_id = $workflow)
         AND ${visibleSql}
       ORDER BY ${order} LIMIT $limit + 1
     )`,
    { from: 'page r', item, order, key },
  );
}
/** Lists the rounds that the caller may see. */
export const listRounds: Record<RoundSort, ReturnType<typeof listBy>> = {
  createdAt: listBy('createdAt'),
  '-createdAt': listBy('-createdAt'),
};
