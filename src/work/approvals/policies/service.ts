import { clientProblems } from '#clients';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Versioned } from '../../../platform/versioned.ts';
import { ruleErrors, type Rules, withDefaults } from '../rules.ts';
import { policyProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Policy, PolicyChange, PolicyVersion } from './schemas.ts';

export const unknownPolicy = (name: string) =>
  clientProblems.approval_policy_not_found(
    `Your team has no approval policy “${name.slice(0, 64)}”. List the policies and check the name.`,
  );

const presentVersion = (row: Omit<queries.PolicyVersionRow, 'created_at'> & { created_at: string }): PolicyVersion => ({
  version: row.version,
  sha256: row.sha256,
  ...row.rules,
  createdBy: row.created_by,
  createdByType: 'user',
  createdAt: row.created_at,
});
export const presentPolicy = (row: queries.PolicyRow): Policy => ({ name: row.name, ...presentVersion(row), updatedAt: row.updated_at });

/** Lists the policies of the team, by name. */
export async function listPolicies({ db, team }: ReadScope, page: { after: string; limit: number }): Promise<Policy[]> {
  return (await db.all(queries.listPolicies, { team, ...page })).map(presentPolicy);
}

/** Returns the row of a policy. Errors: 404 `approval_policy_not_found`. */
export async function findPolicy({ db, team }: ReadScope | Scope, name: string): Promise<queries.PolicyRow> {
  const row = name.includes('\0') ? undefined : await db.first(queries.findPolicy, { team, name });
  if (!row) throw unknownPolicy(name);
  return row;
}

/** Returns a policy. Errors: 404 `approval_policy_not_found`. */
export async function getPolicy(scope: ReadScope, name: string): Promise<Versioned<Policy>> {
  const row = await findPolicy(scope, name);
  return { value: presentPolicy(row), version: row.version };
}

/** Lists the versions of a policy, the newest first. Errors: 404 `approval_policy_not_found`. */
export async function listVersions(
  scope: ReadScope,
  name: string,
  page: { before: number | null; limit: number },
): Promise<PolicyVersion[]> {
  await findPolicy(scope, name);
  return (await scope.db.all(queries.listVersions, { team: scope.team, name, ...page })).map(presentVersion);
}

/** Returns the rules of a request with their defaults. Errors: 422 `approval_policy_invalid`. */
export function checkedRules(input: PolicyChange): Rules {
  const errors = ruleErrors(input);
  const [first] = errors;
  if (first) throw policyProblems.approval_policy_invalid(`\`${first.pointer}\` ${first.reason}.`, { errors: errors.slice(0, 20) });
  return withDefaults(input);
}

/** The rules of a policy, as a round copies them. */
export type StoredPolicy = { name: string; version: number; rules: Rules };

/** Returns policies by name, and locks them against deletion. A name without a policy is absent. */
export async function lockPolicies({ db, team }: Scope, names: readonly string[]): Promise<Map<string, StoredPolicy>> {
  const wanted = [...new Set(names)].filter((name) => !name.includes('\0'));
  const found = wanted.length === 0 ? [] : await db.all(queries.lockPoliciesShared, { team, names: wanted });
  return new Map(found.map(({ name, version, rules }) => [name, { name, version, rules }]));
}

/** Returns the names of the policies of the team. */
export const policyNames = async ({ db, team }: ReadScope | Scope): Promise<string[]> =>
  (await db.all(queries.policyNames, { team })).map(({ name }) => name);

/** Returns the current rules of policies by name. A name without a policy is absent. */
export async function rulesOfPolicies({ db, team }: ReadScope | Scope, names: readonly string[]): Promise<Map<string, Rules>> {
  const wanted = [...new Set(names)].filter((name) => !name.includes('\0'));
  const found = wanted.length === 0 ? [] : await db.all(queries.policiesNamed, { team, names: wanted });
  return new Map(found.map(({ name, rules }) => [name, rules]));
}
