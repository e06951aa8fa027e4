import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { sessionsRevoked, teamRestored, teamSuspended, twoFactorDisabled, userUnlocked } from '../events.ts';
import { endSignIns, lockPersonCredentials } from '../sign-in/credentials.ts';
import { lose, type MadeBy } from './compromised-account.ts';
import { parseEmail } from '../emails.ts';
import { accountMail } from '../mails.ts';
import { inEachTeam } from './teams-of-person.ts';
import * as queries from '../queries.ts';
import { secondFactorBudgets, type Throttle } from '#credentials';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** Dependencies of administrative actions: counters, the token cache of this node, and the functions that find the resources of a user. */
export type Administration = { throttle: Throttle; forget: (sessionId: string) => void; madeBy: readonly MadeBy[] };

/** Suspends or restores a team, effective for its tokens from the next request on. Returns false if the team has another state. */
export async function setTeamSuspended(by: Administration, scope: Scope, suspended: boolean, reason: string): Promise<boolean> {
  const [from, to] = suspended ? ['active', 'suspended'] : ['suspended', 'active'];
  const changed = await scope.db.first(factors.moveTeam, { team: scope.team, from, to, at: scope.now });
  if (!changed) return false;
  scope.db.afterCommit(() => by.forget(`team ${scope.team}`));
  await recordAudit(scope, suspended ? teamSuspended : teamRestored, scope.team, { reason });
  return true;
}

/** Resets the counters of wrong guesses on an account. */
export async function unlockAccount(
  { throttle }: Administration,
  scope: Scope,
  person: { id: string; email: string },
  reason: string,
): Promise<void> {
  const key = parseEmail(person.email)?.key ?? person.email;
  await pipelined([
    () =>
      throttle.clear(scope.db, [
        ...throttle.signIn(key, undefined, 'unknown device'),
        ...throttle.signIn(key, undefined, 'known device').slice(2),
        ...throttle.reauthenticate(key, undefined, person.id).slice(2),
        ...secondFactorBudgets(throttle, person.id),
        ...throttle.codeEntry(key),
        ...throttle.changeOfAddress(person.id, key).slice(0, 1),
      ]),
    () => recordAudit(scope, userUnlocked, person.id, { reason }),
  ]);
}

/** Removes all second factors of a user, ends their sessions and sends a mail. Returns false if two-factor authentication is off. */
export async function removeSecondFactor(by: Administration, scope: Scope, account: string, reason: string): Promise<boolean> {
  const person = await scope.db.first(queries.accountById, { team: scope.team, id: account });
  scope.db.enterPerson(account);
  lockPersonCredentials(scope, account);
  const done = await scope.db.first(factors.removeFactors, { account, at: scope.now });
  if (!done || !person) return false;
  await endSignIns({ tokens: by }, scope, account, null);
  await inEachTeam(scope, async (one) => {
    await lose(by, one, account, 'reset');
    await recordAudit(one, twoFactorDisabled, account, { reason });
  });
  await pipelined([
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'twoFactorOff', person.first_name) }),
  ]);
  return true;
}

/** Ends all sessions of a user. */
export async function signOutEverywhere(by: Administration, scope: Scope, account: string, reason: string): Promise<void> {
  scope.db.enterPerson(account);
  await endSignIns({ tokens: by }, scope, account, null);
  await inEachTeam(scope, (one) => recordAudit(one, sessionsRevoked, account, { reason }));
}
