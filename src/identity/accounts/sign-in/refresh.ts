import { renewTokens, type SessionFacts, type Tokens } from '#credentials';
import type { Database } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { enterTeam, type PublicScope, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import type { Accounts } from '../context.ts';
import { endSignIn } from './credentials.ts';
import { accountMail } from '../mails.ts';
import * as queries from '../queries.ts';
import { readRefreshToken, type RefreshClaim } from '../../../platform/crypto/refresh-tokens.ts';
import type { Role } from '../roles.ts';
import { teamClosed } from './open-session.ts';
import { tryOpenTeam } from './switch-team.ts';

/** A sign-in and the role in the team. Without a role, the sign-in cannot open the team. */
type Facts = SessionFacts & { account_id: string; role: Role | undefined };

/**
 * Renews the tokens of a sign-in for one of its teams: `teamId`, or the team of the refresh token. Opens the team if it is not open yet. Errors: 401, and 403
 * `team_closed`, after which the refresh token stays valid for other teams.
 */
export function refresh(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  token: string | undefined,
  teamId?: string,
): Promise<Tokens> {
  const idle = accounts.settings.lifetimes.sessionIdle;
  return renewTokens<Facts>(
    {
      keys: accounts.keys.refresh,
      owner: teamId?.toLowerCase(),
      graceSeconds: accounts.settings.refreshGraceSeconds,
      idleSeconds: idle,
      rotate: async (claim) =>
        (await database.batched(claim.owner, claim.session).first(queries.sessions.rotate, claim)) ??
        inPublic((outer) => openAndRotate(outer, claim)),
      look: ({ owner: team, session }, work) =>
        inPublic(async (outer) => {
          const scope = enterTeam(outer, team, { type: 'system' });
          const open = await scope.db.first(queries.sessions.state, { owner: team, session, idle });
          return work(scope, open ?? (await closedSignIn(scope, session, idle)));
        }),
      endReused: (scope, { session }, { account_id: id }) => {
        scope.db.enterPerson(id);
        return endReused(accounts, { ...scope, actor: { type: 'user', id } }, session, id);
      },
      accessToken: ({ owner: team, session: sessionId }, facts) => {
        const { account_id: accountId, role, amr, acr } = facts;
        if (role === undefined) throw teamClosed();
        return accounts.tokens.issue({ accountId, team, role, sessionId, authTime: new Date(facts.auth_time), amr, acr });
      },
    },
    token,
  );
}

/** A valid sign-in that is not open in the team. */
async function closedSignIn(scope: PublicScope, session: string, idle: number): Promise<(Facts & { ages: number[] }) | undefined> {
  const found = await scope.db.first(queries.signInById, { session, idle });
  return (
    found && { account_id: found.person_id, role: undefined, auth_time: '', amr: [], acr: '', counter: found.counter, ages: found.ages }
  );
}

/** Opens a valid sign-in in a team and rotates its refresh token. Does nothing if the token is not the newest. Errors: 403 `team_closed`. */
async function openAndRotate(outer: PublicScope, claim: RefreshClaim & { keep: number; idle: number }): Promise<Facts | undefined> {
  const found = await outer.db.first(queries.signInById, claim);
  if (!found) return undefined;
  const scope = enterTeam(outer, claim.owner, { type: 'user', id: found.person_id });
  const opened = await tryOpenTeam(scope, claim.session, found.person_id);
  if (!opened && found.counter === claim.counter) throw teamClosed();
  return scope.db.first(queries.sessions.rotate, claim);
}

/** Ends the session of a reused token. Of several concurrent replays, only one ends the session and notifies the user. */
async function endReused(accounts: Accounts, scope: Scope, session: string, account: string): Promise<void> {
  if (!(await endSignIn(accounts, scope, session, account, 'reused'))) return;
  const person = await scope.db.first(queries.accountById, { team: scope.team, id: account });
  if (person)
    await queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'sessionEnded', person.first_name) });
}

/** Ends the session of the access token. Also ends the session of the refresh token, if it belongs to the same user. */
export async function logout(
  accounts: Accounts,
  scope: Scope,
  sessionId: string,
  account: string,
  refreshToken: string | undefined,
): Promise<void> {
  const claim = refreshToken === undefined ? undefined : readRefreshToken(accounts.keys.refresh, refreshToken);
  const sessions = new Set([sessionId, ...(claim === undefined ? [] : [claim.session])]);
  await Promise.all([...sessions].map((session) => endSignIn(accounts, scope, session, account, 'logout')));
}
