import { randomUUIDv7, createHash } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { KeyRing } from '#keys';
import type { Database } from '../platform/database/database.ts';
import { isUuid } from '../platform/identifiers.ts';
import type { Principal } from '../platform/scope.ts';
import { liveSession } from './queries.ts';
import { isRole, type Role, scopesOfRole } from './roles.ts';

/** Seconds an access token of a person lives. */
export const accessTokenSeconds = 15 * 60;
const skewSeconds = 5;
const userAudience = 'user-api';
/** How long a verified token is believed without asking the database, while this process hears of revocations. */
const trustedForMs = 60_000;
const unknownKeyCooldownMs = 30_000;

export type TokenSubject = {
  accountId: string;
  team: string;
  role: Role;
  sessionId: string;
  authTime: Date;
  amr: readonly string[];
  acr: string;
};

export type AccessTokens = {
  /** Signs an access token (RFC 9068) without personal data. */
  issue(subject: TokenSubject): Promise<string>;
  /** Who a token belongs to, or nothing. */
  verify(token: string): Promise<Principal | undefined> | Principal | undefined;
  /** Forgets what is believed of a session, or of all (`*`): the next request asks the database. */
  forget(sessionId: string): void;
};

type Verified = { principal: Principal; until: number };

/**
 * Issues and verifies access tokens. A verified token is remembered by its hash, never past its end; a revocation drops
 * it at once on this node and, by notification, on the others. While `hearsRevocations` is false nothing is believed
 * from memory.
 */
export function createAccessTokens(options: {
  database: Database;
  keys: KeyRing;
  issuer: string;
  hearsRevocations: () => boolean;
}): AccessTokens {
  const { database, keys, issuer } = options;
  const known = new LRUCache<string, Verified>({ max: 20_000 });
  const tokensOfSession = new LRUCache<string, Set<string>>({ max: 20_000 });
  let revocations = 0;
  let lastReload = 0;

  async function keyFor(kid: string) {
    const found = keys.verifier('access', kid);
    if (found || Date.now() - lastReload < unknownKeyCooldownMs) return found;
    lastReload = Date.now();
    await keys.reload();
    return keys.verifier('access', kid);
  }

  async function check(token: string): Promise<Verified | undefined> {
    const payload = await claimsOf(token);
    if (!payload) return undefined;
    const session = await database.withoutTeam((tx) => tx.first(liveSession, { session: payload.sid }));
    if (!session || session.account_id !== payload.sub || session.team_id !== payload.team || !isRole(session.role)) return undefined;
    return {
      until: Math.min(Date.now() + trustedForMs, payload.exp * 1000),
      principal: {
        actor: { type: 'user', id: session.account_id, role: session.role },
        team: session.team_id,
        // The role of now, not of when the token was made: a lowered role counts at once.
        role: session.role,
        scopes: new Set(scopesOfRole(session.role)),
        sessionId: payload.sid,
        authTime: Math.floor(Date.parse(session.auth_time) / 1000),
        acr: session.acr,
        expiresAt: payload.exp,
      },
    };
  }

  async function claimsOf(token: string): Promise<{ sub: string; sid: string; team: string; exp: number } | undefined> {
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = typeof kid === 'string' && kid.length <= 64 ? await keyFor(kid) : undefined;
      if (!key) return undefined;
      const { payload } = await jwtVerify(token, key.key, {
        algorithms: [key.alg],
        typ: 'at+jwt',
        issuer,
        audience: userAudience,
        clockTolerance: skewSeconds,
        requiredClaims: ['sub', 'sid', 'team', 'exp', 'nbf', 'iat', 'jti'],
      });
      const { sub, sid, team, exp } = payload;
      if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sid) || typeof team !== 'string' || typeof exp !== 'number')
        return undefined;
      return { sub, sid, team, exp };
    } catch {
      // Whatever is wrong with a token, the answer is the same.
      return undefined;
    }
  }

  async function verifyFresh(token: string, hash: string): Promise<Principal | undefined> {
    const before = revocations;
    const verified = await check(token);
    if (!verified) return undefined;
    // A revocation heard in between may be of this very session: do not remember what was read before it.
    if (before === revocations && options.hearsRevocations()) {
      known.set(hash, verified);
      const { sessionId } = verified.principal;
      const tokens = tokensOfSession.get(sessionId) ?? new Set();
      tokensOfSession.set(sessionId, tokens.add(hash));
    }
    return verified.principal;
  }

  return {
    async issue(subject) {
      const key = keys.signer('access');
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({
        sid: subject.sessionId,
        team: subject.team,
        role: subject.role,
        scope: scopesOfRole(subject.role).join(' '),
        auth_time: Math.floor(subject.authTime.getTime() / 1000),
        amr: [...subject.amr],
        acr: subject.acr,
      })
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(userAudience)
        .setSubject(subject.accountId)
        .setJti(randomUUIDv7())
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + accessTokenSeconds)
        .sign(key.key);
    },
    verify(token) {
      const hash = createHash('sha256').update(token).digest('base64url');
      const remembered = known.get(hash);
      if (remembered && remembered.until > Date.now() && options.hearsRevocations()) return remembered.principal;
      return verifyFresh(token, hash);
    },
    forget(sessionId) {
      revocations += 1;
      if (sessionId === '*') {
        known.clear();
        tokensOfSession.clear();
        return;
      }
      for (const hash of tokensOfSession.get(sessionId) ?? []) known.delete(hash);
      tokensOfSession.delete(sessionId);
    },
  };
}
