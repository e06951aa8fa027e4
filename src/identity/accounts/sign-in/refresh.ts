import { renewTokens, type Tokens } from '#credentials';
import type { Database } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { enterTeam, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import type { Accounts } from '../context.ts';
import { endSession } from './credentials.ts';
import { accountMail } from '../mails.ts';
import * as queries from '../queries.ts';
import { readRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';

/** Renews the tokens of a person's session. */
export function refresh(accounts: Accounts, database: Database, inPublic: RunUnauthenticated, token: string | undefined): Promise<Tokens> {
  return renewTokens(
    {
      keys: accounts.keys.refresh,
      graceSeconds: accounts.settings.refreshGraceSeconds,
      idleSeconds: accounts.settings.lifetimes.sessionIdle,
      rotate: (claim) => database.batched(claim.holder, claim.session).first(queries.sessions.rotate, claim),
      look: ({ holder: team, session }, work) =>
        inPublic(async (outer) => {
          const scope = enterTeam(outer, team, { type: 'system' });
          return work(
            scope,
            await scope.db.first(queries.sessions.state, { holder: team, session, idle: accounts.settings.lifetimes.sessionIdle }),
          );
        }),
      endReused: (scope, { session }, { account_id: id }) => endReused(accounts, { ...scope, actor: { type: 'user', id } }, session, id),
      accessToken: ({ holder: team, session: sessionId }, facts) => {
        const { account_id: accountId, role, amr, acr } = facts;
        return accounts.tokens.issue({ accountId, team, role, sessionId, authTime: new Date(facts.auth_time), amr, acr });
      },
    },
    token,
  );
}

/** Of replays that race, one ends the session and tells of it. */
async function endReused(accounts: Accounts, scope: Scope, session: string, account: string): Promise<void> {
  if (!(await endSession(accounts, scope, session, account, 'reused'))) return;
  const person = await scope.db.first(queries.accountById, { team: scope.team, id: account });
  if (person)
    await queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'sessionEnded', person.first_name) });
}

/** Ends the session of the access token, and that of the refresh token when it is the same person's. */
export async function logout(
  accounts: Accounts,
  scope: Scope,
  sessionId: string,
  account: string,
  refreshToken: string | undefined,
): Promise<void> {
  const claim = refreshToken === undefined ? undefined : readRefreshToken(accounts.keys.refresh, refreshToken);
  const sessions = new Set([sessionId, ...(claim?.holder === scope.team ? [claim.session] : [])]);
  await Promise.all([...sessions].map((session) => endSession(accounts, scope, session, account, 'logout')));
}
