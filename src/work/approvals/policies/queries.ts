import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { Rules } from '../rules.ts';

/** Maximum number of stored versions of one name. */
const maxVersions = 1_000;

type PolicyKey = { team: string; name: string };
export type PolicyRow = RowWithout<'approval_policy', 'rules' | 'team_id'> & { rules: Rules };
const columns = 'name, version, rules, sha256, created_by, created_at, updated_at';

export const listPolicies = sqlStatement<{ team: string; after: string; limit: number }, PolicyRow>(
  `SELECT ${columns} FROM approval_policy WHERE team_id = $team AND name > $after ORDER BY name LIMIT $limit + 1`,
);
export const findPolicy = sqlStatement<PolicyKey, PolicyRow>(
  `SELECT ${columns} FROM approval_policy WHERE team_id = $team AND name = $name`,
);
/** The names of the policies of a team. The number of policies is limited. */
export const policyNames = sqlStatement<{ team: string }, { name: string }>(
  'SELECT name FROM approval_policy WHERE team_id = $team ORDER BY name',
);
export const policiesNamed = sqlStatement<{ team: string; names: readonly string[] }, PolicyRow>(
  `SELECT ${columns} FROM approval_policy WHERE team_id = $team AND name = ANY ($names::text[])`,
);
/** Locks a policy before a change. */
export const lockPolicy = sqlStatement<PolicyKey, PolicyRow>(
  `SELECT ${columns} FROM approval_policy WHERE team_id = $team AND name = $name FOR UPDATE`,
);
/** Locks policies against deletion, in the order of their names. */
export const lockPoliciesShared = sqlStatement<{ team: string; names: readonly string[] }, PolicyRow>(
  `SELECT ${columns} FROM approval_policy WHERE team_id = $team AND name = ANY ($names) ORDER BY name FOR KEY SHARE`,
);

type NewPolicy = PolicyKey & { rules: string; sha256: string; by: string; at: Date; most: number };
/** Adds a policy. Returns no row if the team has `most` policies or a policy with this name. Continues the versions of a deleted policy. */
export const insertPolicy = sqlStatement<NewPolicy, PolicyRow>(
  `INSERT INTO approval_policy (team_id, name, version, rules, sha256, created_by, created_at, updated_at)
   SELECT $team, $name, coalesce((SELECT max(v.version) FROM approval_policy_version v WHERE v.team_id = $team AND v.name = $name), 0) + 1,
     $rules, $sha256, $by, $at, $at
   WHERE (SELECT count(*) FROM approval_policy WHERE team_id = $team) < $most
   ON CONFLICT DO NOTHING RETURNING ${columns}`,
);
export const updatePolicy = sqlStatement<PolicyKey & { rules: string; sha256: string; at: Date }, PolicyRow>(
  `UPDATE approval_policy SET rules = $rules, sha256 = $sha256, version = version + 1, updated_at = $at
   WHERE team_id = $team AND name = $name RETURNING ${columns}`,
);
export const deletePolicy = sqlStatement<PolicyKey, never>('DELETE FROM approval_policy WHERE team_id = $team AND name = $name');

/** Stores the current rules as a version. Deletes versions that are too old. */
export const keepVersion = sqlStatement<PolicyKey & { by: string; at: Date }, never>(
  `WITH dropped AS (
     DELETE FROM approval_policy_version v USING approval_policy p
     WHERE v.team_id = $team AND v.name = $name AND p.team_id = $team AND p.name = $name AND v.version <= p.version - ${maxVersions}
   )
   INSERT INTO approval_policy_version (team_id, name, version, rules, sha256, created_by, created_at)
   SELECT team_id, name, version, rules, sha256, $by::uuid, $at FROM approval_policy WHERE team_id = $team AND name = $name`,
);
export type PolicyVersionRow = RowWithout<'approval_policy_version', 'name' | 'rules' | 'team_id'> & { rules: Rules };
export const listVersions = sqlStatement<PolicyKey & { before: number | null; limit: number }, PolicyVersionRow>(
  `SELECT version, rules, sha256, created_by, created_at FROM approval_policy_version
   WHERE team_id = $team AND name = $name AND ($before::integer IS NULL OR version < $before) ORDER BY version DESC LIMIT $limit + 1`,
);

type TrialExclusions = {
  team: string;
  exclude: readonly string[];
  creator: string | null;
  submitter: string | null;
  requester: string | null;
  document: string | null;
  version: number | null;
};
/** The persons whom `exclude` would keep from a decision with these participants. */
export const excludedFromTrial = sqlStatement<TrialExclusions, { id: string; reason: string }>(
  `SELECT c.person AS id, c.reason FROM conflict_reasons($team, $creator, $requester, NULL, $document, $version, NULL) c
   WHERE is_excluded($team, $exclude, c.reason)
   UNION SELECT c.person, 'submitter' FROM conflict_reasons($team, $submitter, NULL, NULL, NULL, NULL, NULL) c
   WHERE is_excluded($team, $exclude, 'submitter') ORDER BY id, reason`,
  { id: 'the function returns no null', reason: 'as above' },
);

/** A template or a step of an unfinished workflow that names a policy. `id` is null for a workflow that a barrier hides from the person. */
export type PolicyUse = { kind: string; id: string | null; step: string | null };
export const policyUses = sqlStatement<PolicyKey & { person: string | null; limit: number }, PolicyUse>(
  'SELECT u.kind, u.id, u.step FROM approval_policy_uses($team, $name, $person) u ORDER BY u.kind, u.id, u.step LIMIT $limit',
  { kind: 'the function returns no null' },
);
