import { type Accounts, parseEmail, requireRecentSignIn, teamStatements } from '#accounts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Versioned, VersionCheck } from '../../platform/versioned.ts';
import { policyChanged } from './events.ts';
import { teamProblems } from './problems.ts';
import type { Policy } from './schemas.ts';

const none: teamStatements.PolicyRow = {
  second_factor: false,
  session_hours: null,
  guest_days_max: 180,
  guest_domains: [],
  members_may_sponsor: false,
  version: 0,
};

function present({ second_factor: secondFactor, session_hours: sessionHours, version, ...guests }: teamStatements.PolicyRow) {
  const value = {
    secondFactor,
    ...(sessionHours === null ? {} : { sessionHours }),
    guestDaysMax: guests.guest_days_max,
    guestDomains: guests.guest_domains,
    membersMaySponsor: guests.members_may_sponsor,
  };
  return { value, version };
}

/** The sign-in rules of the team. */
export async function getPolicy(scope: ReadScope | Scope): Promise<{ value: Policy; version: number }> {
  return present((await scope.db.first(teamStatements.findPolicy, { team: scope.team })) ?? none);
}

/** Returns a domain in the form of the stored addresses. Errors: 400. */
function domainOf(given: string): string {
  const key = parseEmail(`a@${given}`)?.key;
  if (key === undefined) throw problems.validation_failed(`\`guestDomains\` names “${given.slice(0, 60)}”, which is not a domain.`);
  return key.slice(2);
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
  if (role !== 'owner') throw problems.forbidden('Only the owner of the team can set its sign-in rules.');
  expect((await getPolicy(scope)).version);
  if (input.secondFactor && acr !== 'aal2')
    throw teamProblems.policy_locks_you_out('You signed in without a second factor. Set one up or sign in with it, then require it.');
  const { secondFactor, sessionHours = null, guestDaysMax = none.guest_days_max, membersMaySponsor = false } = input;
  const guestDomains = [...new Set((input.guestDomains ?? []).map(domainOf))];
  const guests = { guestDaysMax, guestDomains, membersMaySponsor };
  const row = await scope.db.first(teamStatements.putPolicy, { team: scope.team, secondFactor, sessionHours, ...guests, at: scope.now });
  await recordAudit(scope, policyChanged, scope.team, { secondFactor, ...(sessionHours === null ? {} : { sessionHours }), ...guests });
  const subject = `team ${scope.team}`;
  scope.db.notify('revoked', subject);
  scope.db.afterCommit(() => accounts.tokens.forget(subject));
  return present(row ?? none);
}
