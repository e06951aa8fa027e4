import type { Database } from '../platform/database/database.ts';
import { OutcomeUnknown } from '../platform/database/outcome.ts';
import { queueMail } from '../platform/mail/queue.ts';
import { enterTeam, type PublicScope, type Scope } from '../platform/scope.ts';
import type { Accounts } from './deps.ts';
import { endSession } from './credentials.ts';
import { accountMail } from './mails.ts';
import { accountProblems } from './problems.ts';
import * as queries from './queries.ts';
import { judgeOldToken, readRefreshToken, type RefreshClaim, writeRefreshToken } from '../platform/crypto/refresh-tokens.ts';
import { isRole } from './roles.ts';

/** Rotation times kept a session: more than one can make within the grace. */
const keptRotations = 64;

type InPublic = <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>;
type Tokens = { accessToken: string; refreshToken: string };
type Outcome = Tokens | 'invalid' | 'superseded' | 'reused';
type SessionFacts = { account_id: string; role: string; auth_time: string; amr: string[]; acr: string; counter: number };

/**
 * Renews the tokens of a session (authentication, 2.9). Requests that race with one token all get its one successor;
 * a token that comes back later ends the session, since nobody can say in whose hands it is (RFC 9700 §4.14.2).
 */
export async function refresh(accounts: Accounts, database: Database, inPublic: InPublic, token: string | undefined): Promise<Tokens> {
  const claim = token === undefined ? undefined : readRefreshToken(accounts.keys.refresh, token);
  const outcome = claim ? await rotate(accounts, database, inPublic, claim) : 'invalid';
  switch (outcome) {
    case 'invalid':
      throw accountProblems.invalid_refresh_token('The refresh token is unknown, expired or revoked. Sign in again.');
    case 'superseded':
      throw accountProblems.refresh_token_superseded('Another request of this session has refreshed meanwhile. Use the newest token.');
    case 'reused':
      throw accountProblems.refresh_token_reused(
        'The token was replaced some time ago and came back: the session was ended. Sign in again.',
      );
    default:
      return outcome;
  }
}

async function rotate(accounts: Accounts, database: Database, inPublic: InPublic, claim: RefreshClaim): Promise<Outcome> {
  const { holder: team, session, counter } = claim;
  const one = { team, session, counter, keep: keptRotations, idle: accounts.settings.lifetimes.sessionIdle };
  const rotateOnce = () => database.gathered(team, session).first(queries.rotateRefresh, one);
  const rotated = await rotateOnce().catch((error: unknown) => {
    // Safe to repeat: where it was done, the token is an old one by now, which is answered with its successor.
    if (error instanceof OutcomeUnknown) return rotateOnce();
    throw error;
  });
  return rotated ? tokensOf(accounts, claim, rotated) : inPublic((scope) => judge(accounts, scope, claim));
}

/** What a token means that is not the newest of its session. */
async function judge(accounts: Accounts, outer: PublicScope, claim: RefreshClaim): Promise<Outcome> {
  const { holder: team, session, counter } = claim;
  const inTeam = enterTeam(outer, team, { type: 'system' });
  const state = await inTeam.db.first(queries.sessionState, { team, session, idle: accounts.settings.lifetimes.sessionIdle });
  if (!state) return 'invalid';
  const verdict = judgeOldToken(counter, state.counter, state.ages, accounts.settings.refreshGraceSeconds);
  if (verdict === 'successor') return tokensOf(accounts, claim, state);
  if (verdict === 'reused')
    await endReused(accounts, { ...inTeam, actor: { type: 'user', id: state.account_id } }, session, state.account_id);
  return verdict;
}

async function tokensOf(accounts: Accounts, { holder: team, session }: RefreshClaim, facts: SessionFacts): Promise<Outcome> {
  if (!isRole(facts.role)) return 'invalid';
  const accessToken = await accounts.tokens.issue({
    accountId: facts.account_id,
    team,
    role: facts.role,
    sessionId: session,
    authTime: new Date(facts.auth_time),
    amr: facts.amr,
    acr: facts.acr,
  });
  return { accessToken, refreshToken: writeRefreshToken(accounts.keys.refresh, { holder: team, session, counter: facts.counter }) };
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
