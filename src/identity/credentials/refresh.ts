import {
  judgeOldToken,
  readRefreshToken,
  type RefreshClaim,
  type RefreshKeys,
  writeRefreshToken,
} from '../../platform/crypto/refresh-tokens.ts';
import { OutcomeUnknown } from '../../platform/database/errors.ts';
import type { Scope } from '../../platform/scope.ts';
import { credentialProblems } from './problems.ts';

/** Rotation times kept a session: more than one can make within the grace. */
const keptRotations = 64;

export type Tokens = { accessToken: string; refreshToken: string };
/** What tokens say of the session they are for. */
export type SessionFacts = { auth_time: string; amr: string[]; acr: string; counter: number };

/** Where sessions are kept, of people or of staff, and what is done with them there. */
export type RefreshSide<Facts extends SessionFacts> = {
  keys: RefreshKeys;
  graceSeconds: number;
  idleSeconds: number;
  /** One guarded update: of two requests with the same token one gets the row. */
  rotate(claim: RefreshClaim & { keep: number; idle: number }): Promise<Facts | undefined>;
  /** One transaction in which the session of a token is looked at. */
  look<T>(claim: RefreshClaim, work: (scope: Scope, living: (Facts & { ages: number[] }) | undefined) => Promise<T>): Promise<T>;
  /** Ends the session of a token that came back, and tells of it, once of many at the same time. */
  endReused(scope: Scope, claim: RefreshClaim, facts: Facts): Promise<void>;
  accessToken(claim: RefreshClaim, facts: Facts): Promise<string>;
};

/**
 * Renews the tokens of a session (authentication, 2.9). Requests that race with one token all get its one successor;
 * a token that comes back later ends the session, since nobody can say in whose hands it is (RFC 9700 §4.14.2).
 */
export async function renewTokens<Facts extends SessionFacts>(side: RefreshSide<Facts>, token: string | undefined): Promise<Tokens> {
  const claim = token === undefined ? undefined : readRefreshToken(side.keys, token);
  const outcome = claim ? await rotate(side, claim) : 'invalid';
  switch (outcome) {
    case 'invalid':
      throw credentialProblems.invalid_refresh_token('The refresh token is unknown, expired or revoked. Sign in again.');
    case 'superseded':
      throw credentialProblems.refresh_token_superseded('Another request of this session has refreshed meanwhile. Use the newest token.');
    case 'reused':
      throw credentialProblems.refresh_token_reused(
        'The token was replaced some time ago and came back: the session was ended. Sign in again.',
      );
    default:
      return outcome;
  }
}

async function rotate<Facts extends SessionFacts>(side: RefreshSide<Facts>, claim: RefreshClaim) {
  const once = () => side.rotate({ ...claim, keep: keptRotations, idle: side.idleSeconds });
  const rotated = await once().catch((error: unknown) => {
    // Safe to repeat: where it was done, the token is an old one by now, which is answered with its successor.
    if (error instanceof OutcomeUnknown) return once();
    throw error;
  });
  if (rotated) return tokensOf(side, claim, rotated);
  return side.look(claim, async (scope, living) => {
    if (!living) return 'invalid';
    const verdict = judgeOldToken(claim.counter, living.counter, living.ages, side.graceSeconds);
    if (verdict === 'successor') return tokensOf(side, claim, living);
    if (verdict === 'reused') await side.endReused(scope, claim, living);
    return verdict;
  });
}

async function tokensOf<Facts extends SessionFacts>(side: RefreshSide<Facts>, claim: RefreshClaim, facts: Facts): Promise<Tokens> {
  return {
    accessToken: await side.accessToken(claim, facts),
    refreshToken: writeRefreshToken(side.keys, { ...claim, counter: facts.counter }),
  };
}
