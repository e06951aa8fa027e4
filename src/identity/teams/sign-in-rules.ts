import { type Accounts, requireRecentSignIn, teamStatements } from '#accounts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Versioned, VersionCheck } from '../../platform/versioned.ts';
import { policyChanged } from './events.ts';
import { teamProblems } from './problems.ts';
import type { Policy } from './schemas.ts';

type PolicyRow = { second_factor: boolean; session_hours: number | null; version: number };

const none: PolicyRow = { second_factor: false, session_hours: null, version: 0 };

function present({ second_factor: secondFactor, session_hours: sessionHours, version }: PolicyRow) {
  return { value: { secondFactor, ...(sessionHours === null ? {} : { sessionHours }) }, version };
}

/** The sign-in rules of the team. */
export async function getPolicy(scope: ReadScope | Scope): Promise<{ value: Policy; version: number }> {
  return present((await scope.db.first(teamStatements.findPolicy, { team: scope.team })) ?? none);
}

/**
 * Replaces the sign-in rules of the team. They apply at the next request of each member. Errors: 401 `reauthentication_required`, 409
 * `policy_locks_you_out`, 412.
 */
export async function putPolicy(
  accounts: Accounts,
  scope: Scope,
  session: string,
  input: Policy,
  expect: VersionCheck,
): Promise<Versioned<Policy>> {
  await scope.db.all(teamStatements.lockTeam, { team: scope.team });
  const { acr, role } = await requireRecentSignIn(scope, session);
  if (role !== 'owner') throw problems.forbidden('Only the owner of the team sets its sign-in rules.');
  expect((await getPolicy(scope)).version);
  if (input.secondFactor && acr !== 'aal2')
    throw teamProblems.policy_locks_you_out('You signed in without a second factor. Set one up or sign in with it, then require it.');
  const { secondFactor, sessionHours = null } = input;
  const row = await scope.db.first(teamStatements.putPolicy, { team: scope.team, secondFactor, sessionHours, at: scope.now });
  await recordAudit(scope, policyChanged, scope.team, { secondFactor, ...(sessionHours === null ? {} : { sessionHours }) });
  const subject = `team ${scope.team}`;
  scope.db.notify('revoked', subject);
  scope.db.afterCommit(() => accounts.tokens.forget(subject));
  return present(row ?? none);
}
