import { notFound } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { enterTeam, type Scope } from '../../../platform/scope.ts';
import { writeRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import type { Accounts } from '../context.ts';
import { teamSwitched } from '../events.ts';
import { listTeams, type PersonTeam } from '../membership/teams-of-person.ts';
import { accountProblems } from '../problems.ts';
import { personById, signInById } from '../queries.ts';
import type { Role } from '../roles.ts';
import { type SignedIn, ssoRequired } from './open-session.ts';
import { ownProofRequired } from './reauthentication.ts';
import { openInTeam, rememberTeam } from './credential-queries.ts';

type OpenTeam = { account: string; role: Role; amr: string[]; acr: string; authTime: Date };

/** Opens the sign-in of the current person in the team of the scope, or reports that the team is closed to it. */
export async function tryOpenTeam(scope: Scope, session: string, account: string): Promise<OpenTeam | undefined> {
  const opened = await scope.db.first(openInTeam, { team: scope.team, session, account, at: scope.now });
  if (!opened) return undefined;
  const { role, amr, acr, auth_time: authTime } = opened;
  return { account, role, amr, acr, authTime: new Date(authTime) };
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

/** The reason for which a team is closed to a sign-in. */
function closedBecause({ status, teamStatus, connectionId }: PersonTeam): Error {
  if (status !== 'active' || teamStatus !== 'active')
    return accountProblems.account_disabled('Your membership or the team is disabled. Ask an administrator of the team.');
  if (connectionId !== undefined)
    return accountProblems.sso_required(
      `Members of this team sign in through their organisation: GET /api/v1/security/auth/sso/start?connectionId=${connectionId}.`,
      { members: { connectionId } },
    );
  return ownProofRequired();
}

/**
 * Switches the sign-in of the caller to another team and returns its access token. The refresh token stays valid, and the next sign-in opens this team.
 * Errors: 401 `reauthentication_required`, 403 `account_disabled`, `sso_required`, 404.
 */
export async function switchTeam(
  accounts: Accounts,
  scope: Scope,
  { account, session }: { account: string; session: string },
  given: string,
): Promise<{ accessToken: string }> {
  const team = given.toLowerCase();
  const there = enterTeam(scope, team, { type: 'user', id: account });
  const opened = await tryOpenTeam(there, session, account);
  if (!opened) {
    const closed = (await listTeams(there.db)).find(({ id }) => id === team);
    throw closed ? closedBecause(closed) : notFound('team');
  }
  there.db.send(rememberTeam, { team, account });
  await recordAudit(there, teamSwitched, session);
  scope.db.enterTeam(scope.team);
  const { role, amr, acr, authTime } = opened;
  return { accessToken: await accounts.tokens.issue({ accountId: account, team, role, sessionId: session, authTime, amr, acr }) };
}
