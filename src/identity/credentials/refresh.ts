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

/** Rotation times stored for each session. It exceeds the rotations that a client can make within the grace period. */
const keptRotations = 64;

export type Tokens = { accessToken: string; refreshToken: string };
/** The claims about a session in its tokens. */
export type SessionFacts = { auth_time: string; amr: string[]; acr: string; counter: number };

/** The sessions of users or of staff, with the operations on them. */
export type RefreshSide<Facts extends SessionFacts> = {
  keys: RefreshKeys;
  /** Replaces the owner of the token, for a sign-in that can have several. */
  owner?: string | undefined;
  graceSeconds: number;
  idleSeconds: number;
  /** One conditional update: of two requests with the same token, only one gets the row. */
  rotate(claim: RefreshClaim & { keep: number; idle: number }): Promise<Facts | undefined>;
  /** Loads the session of a token, and runs `work` in the same transaction. */
  look<T>(claim: RefreshClaim, work: (scope: Scope, living: (Facts & { ages: number[] }) | undefined) => Promise<T>): Promise<T>;
  /** Ends the session of a reused token and notifies its owner, once for concurrent requests. */
  endReused(scope: Scope, claim: RefreshClaim, facts: Facts): Promise<void>;
  accessToken(claim: RefreshClaim, facts: Facts): Promise<string>;
};

/**
 * Renews the tokens of a session (see docs/reference/authentication.md). Concurrent requests with one token all get the same successor. A token that
 * is reused after the grace period ends the session, because it may be stolen (RFC 9700 §4.14.2).
 */
export async function renewTokens<Facts extends SessionFacts>(side: RefreshSide<Facts>, token: string | undefined): Promise<Tokens> {
  const read = token === undefined ? undefined : readRefreshToken(side.keys, token);
  const claim = read && { ...read, owner: side.owner ?? read.owner };
  const outcome = claim ? await rotate(side, claim) : 'invalid';
  switch (outcome) {
    case 'invalid':
      throw credentialProblems.invalid_refresh_token('The refresh token is unknown, expired or revoked. Sign in again.');
    case 'superseded':
      throw credentialProblems.refresh_token_superseded(
        'Another request of this session has already refreshed the token. Use the newest token.',
      );
    case 'reused':
      throw credentialProblems.refresh_token_reused('A replaced token was used again, so the session was ended. Sign in again.');
    default:
      return outcome;
  }
}

async function rotate<Facts extends SessionFacts>(side: RefreshSide<Facts>, claim: RefreshClaim) {
  const once = () => side.rotate({ ...claim, keep: keptRotations, idle: side.idleSeconds });
  const rotated = await once().catch((error: unknown) => {
    // Safe to repeat: if the rotation was committed, the token is now an old one and gets its successor.
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
