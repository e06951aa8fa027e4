import { notFound } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { enterTeam, type Scope } from '../../../platform/scope.ts';
import { writeRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import type { Accounts } from '../context.ts';
import { teamSwitched } from '../events.ts';
import { personById, signInById } from '../queries.ts';
import type { Role } from '../roles.ts';
import { refusalOf, type SignedIn, ssoRequired, teamClosed } from './open-session.ts';
import { enforcedConnection, openInTeam, rememberTeam } from './credential-queries.ts';

type OpenTeam = { account: string; role: Role; amr: string[]; acr: string; authTime: Date };

/** Opens the sign-in of the current person in the team of the scope, or returns the error for which the team stays closed to it. */
async function openHere(scope: Scope, session: string, account: string): Promise<OpenTeam | Error> {
  const found = await scope.db.first(openInTeam, { team: scope.team, session, account, at: scope.now });
  if (!found) return notFound('team');
  const { role, amr, acr, auth_time: authTime, closed } = found;
  if (closed === null) return { account, role, amr, acr, authTime: new Date(authTime) };
  const connection = closed === 'provider_required' ? await scope.db.first(enforcedConnection, { team: scope.team, account }) : undefined;
  return refusalOf(closed, { changed: teamClosed, connectionId: connection?.id }) ?? teamClosed();
}

/**
 * Opens the sign-in of the current person in the team of the scope. Returns undefined if the team is closed to the
 * sign-in.
 */
export async function tryOpenTeam(scope: Scope, session: string, account: string): Promise<OpenTeam | undefined> {
  const opened = await openHere(scope, session, account);
  return opened instanceof Error ? undefined : opened;
}

/**
 * Opens the sign-in of the current person in the team of the scope, which they have just joined, and returns its tokens. The refresh token belongs to
 * the sign-in and names this team. Errors: 403 `sso_required`.
 */
export async function openSignInHere(accounts: Accounts, scope: Scope, session: string, account: string): Promise<SignedIn> {
  const { opened, state, person } = await pipelined({
    opened: () => tryOpenTeam(scope, session, account),
    state: () => scope.db.first(signInById, { session, idle: accounts.settings.lifetimes.sessionIdle }),
    person: () => scope.db.first(personById, { id: account }),
  });
  if (!opened || !state || !person) throw ssoRequired();
  scope.db.send(rememberTeam, { team: scope.team, account });
  const { role, amr, acr, authTime } = opened;
  return {
    accessToken: await accounts.tokens.issue({ accountId: account, team: scope.team, role, sessionId: session, authTime, amr, acr }),
    refreshToken: writeRefreshToken(accounts.keys.refresh, { owner: scope.team, session, counter: state.counter }),
    user: { id: account, email: person.email, firstName: person.first_name, lastName: person.last_name, teamId: scope.team },
  };
}

/**
 * Switches the sign-in of the caller to another team and returns its access token. The refresh token stays valid, and the next sign-in opens this team.
 * Errors: 401 `reauthentication_required`, 403 `account_disabled`, `sso_required`, `team_closed`, 404.
 */
export async function switchTeam(
  accounts: Accounts,
  scope: Scope,
  { account, session }: { account: string; session: string },
  given: string,
): Promise<{ accessToken: string }> {
  const team = given.toLowerCase();
  const there = enterTeam(scope, team, { type: 'user', id: account });
  const opened = await openHere(there, session, account);
  if (opened instanceof Error) throw opened;
  there.db.send(rememberTeam, { team, account });
  await recordAudit(there, teamSwitched, session);
  scope.db.enterTeam(scope.team);
  const { role, amr, acr, authTime } = opened;
  return { accessToken: await accounts.tokens.issue({ accountId: account, team, role, sessionId: session, authTime, amr, acr }) };
}
