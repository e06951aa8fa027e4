import { lockGroupsShared } from '#access';
import { requireMembers } from '#tasks';
import { hashOfJson } from '../../../platform/canonical-json.ts';
import { changesBetween } from '../../../platform/journal/changes.ts';
import { record } from '../../../platform/journal/record.ts';
import { type Scope, userIdOf } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { type Rules, sourceOf } from '../rules.ts';
import { policyCreated, policyDeleted, policyUpdated } from './events.ts';
import { policyProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Policy, PolicyBody, PolicyChange } from './schemas.ts';
import { checkedRules, presentPolicy, unknownPolicy } from './service.ts';
import { warningsAtSave } from './try.ts';

const maxPolicies = 200;
/** Maximum number of places that `policy_in_use` lists. */
const maxPlaces = 50;

/** Requires that the members and groups in rules exist, and locks them. Errors: 404 `group_not_found`, 422 `assignee_not_found`. */
async function requireNamed(scope: Scope, { rules }: Rules): Promise<void> {
  const sources = rules.flatMap(({ need }) => need.flatMap(({ from }) => from.flatMap((one) => sourceOf(one) ?? [])));
  const named = (kind: string) => sources.flatMap((one) => (one.kind === kind ? [one.value] : []));
  await requireMembers(scope, named('user'));
  const groups = named('group');
  if (groups.length > 0) await lockGroupsShared(scope, groups);
}

/** Returns a changed policy with its warnings. Errors: 422 `too_many_candidates`. */
async function saved(scope: Scope, row: queries.PolicyRow): Promise<Versioned<Policy>> {
  const warnings = await warningsAtSave(scope, row.rules);
  return { value: { ...presentPolicy(row), ...(warnings.length === 0 ? {} : { warnings }) }, version: row.version };
}

/** Returns the person who changes policies. The route requires a person. */
function authorOf({ actor }: Scope): string {
  const id = userIdOf(actor);
  if (id === null) throw new Error('only persons change approval policies');
  return id;
}

/**
 * Creates a policy. Errors: 409 `approval_policy_exists`, `approval_policy_limit`, 422 `approval_policy_invalid`.
 */
export async function createPolicy(scope: Scope, { name, ...input }: PolicyBody): Promise<Versioned<Policy>> {
  const { db, team, now: at } = scope;
  const rules = checkedRules(input);
  await requireNamed(scope, rules);
  const by = authorOf(scope);
  const stored = { team, name, rules: JSON.stringify(rules), sha256: hashOfJson(rules), by, at };
  const made = await db.first(queries.insertPolicy, { ...stored, most: maxPolicies });
  if (!made) {
    if (await db.first(queries.findPolicy, { team, name }))
      throw policyProblems.approval_policy_exists(`Your team already has a policy “${name}”. Change it, or choose another name.`);
    throw policyProblems.approval_policy_limit(`Your team has ${maxPolicies} policies, the maximum. Delete one that is not used.`);
  }
  db.send(queries.keepVersion, { team, name, by, at });
  await record(scope, policyCreated, name, journalled(made));
  return saved(scope, made);
}

const journalled = ({ version, sha256, rules }: queries.PolicyRow) => ({ version, sha256, exclude: [...rules.exclude] });

/** Locks a policy before a change. Errors: 404, 412. */
async function lockedPolicy({ db, team }: Scope, name: string, expect: VersionCheck): Promise<queries.PolicyRow> {
  const row = name.includes('\0') ? undefined : await db.first(queries.lockPolicy, { team, name });
  if (!row) throw unknownPolicy(name);
  expect(row.version);
  return row;
}

/**
 * Replaces the rules of a policy, as a new version. Equal rules change nothing. Open rounds keep their rules. Errors: 404, 412, 422
 * `approval_policy_invalid`.
 */
export async function updatePolicy(scope: Scope, name: string, input: PolicyChange, expect: VersionCheck): Promise<Versioned<Policy>> {
  const { db, team, now: at } = scope;
  const rules = checkedRules(input);
  await requireNamed(scope, rules);
  const before = await lockedPolicy(scope, name, expect);
  const sha256 = hashOfJson(rules);
  if (sha256 === before.sha256) return saved(scope, before);
  const changed = await db.first(queries.updatePolicy, { team, name, rules: JSON.stringify(rules), sha256, at });
  if (!changed) throw unknownPolicy(name);
  db.send(queries.keepVersion, { team, name, by: authorOf(scope), at });
  await record(scope, policyUpdated, name, { ...journalled(changed), changes: changesBetween(before.rules, changed.rules) });
  return saved(scope, changed);
}

/** Deletes a policy that nothing names. Its versions stay. Errors: 404, 409 `policy_in_use`, 412. */
export async function deletePolicy(scope: Scope, name: string, expect: VersionCheck): Promise<void> {
  const { db, team } = scope;
  const policy = await lockedPolicy(scope, name, expect);
  const places = await db.all(queries.policyUses, { team, name, person: userIdOf(scope.actor), limit: maxPlaces });
  if (places.length > 0)
    throw policyProblems.policy_in_use(
      'Templates, unfinished workflows, agents, API clients or connected apps name this policy: `places` lists them. Name another policy there first.',
      {
        members: {
          places: places.map(({ kind, id, step }) => ({ kind, ...(id === null ? {} : { id }), ...(step === null ? {} : { step }) })),
        },
      },
    );
  db.send(queries.deletePolicy, { team, name });
  await record(scope, policyDeleted, name, journalled(policy));
}
