import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { sessionsRevoked, teamRestored, teamSuspended, twoFactorDisabled, userUnlocked } from '../events.ts';
import { endSessions, holdPerson } from '../sign-in/credentials.ts';
import { lose, type MadeBy } from './compromised-account.ts';
import { parseEmail } from '../emails.ts';
import { accountMail } from '../mails.ts';
import * as queries from '../queries.ts';
import { secondFactorBudgets, type Throttle } from '#credentials';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** What an administrator's act needs of accounts: counters, forgetting on this node what was believed of a session, and what people have made. */
export type Administration = { throttle: Throttle; forget: (sessionId: string) => void; madeBy: readonly MadeBy[] };

/** Suspends or restores a team: from the next request on, its tokens are good for nothing, or again. False when it is in another state. */
export async function setTeamSuspended(by: Administration, scope: Scope, suspended: boolean, reason: string): Promise<boolean> {
  const [from, to] = suspended ? ['active', 'suspended'] : ['suspended', 'active'];
  const changed = await scope.db.first(factors.moveTeam, { team: scope.team, from, to, at: scope.now });
  if (!changed) return false;
  scope.db.afterCommit(() => by.forget(`team ${scope.team}`));
  await recordAudit(scope, suspended ? teamSuspended : teamRestored, scope.team, { reason });
  return true;
}

/** Gives a person back the tries that were used up on their account. */
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

/** Turns a person's second factor off for them, ends their sessions, and tells them. False when it is off. */
export async function removeSecondFactor(by: Administration, scope: Scope, account: string, reason: string): Promise<boolean> {
  const person = await scope.db.first(queries.accountById, { team: scope.team, id: account });
  holdPerson(scope, account);
  const done = await scope.db.first(factors.removeFactors, { team: scope.team, account, at: scope.now });
  if (!done || !person) return false;
  await pipelined([
    () => endSessions({ tokens: by }, scope, account, null),
    () => lose(by, scope, account, 'reset'),
    () => recordAudit(scope, twoFactorDisabled, account, { reason }),
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'twoFactorOff', person.first_name) }),
  ]);
  return true;
}

/** Signs a person out everywhere. */
export async function signOutEverywhere(by: Administration, scope: Scope, account: string, reason: string): Promise<void> {
  await pipelined([
    () => endSessions({ tokens: by }, scope, account, null),
    () => recordAudit(scope, sessionsRevoked, account, { reason }),
  ]);
}
