import { decodeProtectedHeader, jwtVerify } from 'jose';
import { ownClient } from '#accounts';
import { type KeyRing, tokenSigner } from '#keys';
import type { Transaction } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/identifiers.ts';
import type { Principal } from '../../platform/scope.ts';
import { credentialCheck } from '../../platform/database/credential-check.ts';
import { liveSession, checkSession } from './queries.ts';

const tokenSeconds = 600;
const skewSeconds = 5;
const audience = 'staff-api';

export type StaffSubject = { staffId: string; sessionId: string; authTime: Date; amr: readonly string[]; acr: string };

/** Access tokens of staff. Their audience differs from that of users, so that neither works for the operations of the other. */
export type StaffTokens = {
  issue(subject: StaffSubject): Promise<string>;
  verify(token: string): Promise<Principal | undefined>;
};

/** Creates the tokens of staff. Each request reads the session from the database without a cache, because staff are few. */
export function createStaffTokens({
  ask,
  keys,
  issuer,
}: {
  /** Runs a query over the tables of staff. */
  ask: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  keys: KeyRing;
  issuer: string;
}): StaffTokens {
  async function claimsOf(token: string): Promise<{ sub: string; sid: string; exp: number } | undefined> {
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = typeof kid === 'string' && isUuid(kid) ? await keys.find('access', kid) : undefined;
      if (!key) return undefined;
      const { payload } = await jwtVerify(token, key.key, {
        algorithms: [key.alg],
        typ: 'at+jwt',
        issuer,
        audience,
        currentDate: new Date(keys.now()),
        clockTolerance: skewSeconds,
        requiredClaims: ['sub', 'sid', 'exp', 'nbf', 'iat', 'jti'],
      });
      const { sub, sid, exp } = payload;
      return typeof sub === 'string' && typeof sid === 'string' && isUuid(sid) && typeof exp === 'number' ? { sub, sid, exp } : undefined;
    } catch {
      // All errors of a token have the same result.
      return undefined;
    }
  }

  const sign = tokenSigner(keys);
  return {
    issue: ({ staffId, sessionId, authTime, amr, acr }) =>
      sign(
        { client_id: ownClient, sid: sessionId, auth_time: Math.floor(authTime.getTime() / 1000), amr: [...amr], acr },
        { issuer, audience, subject: staffId, seconds: tokenSeconds },
      ),
    async verify(token) {
      const claims = await claimsOf(token);
      const session = claims && (await ask((tx) => tx.first(liveSession, { session: claims.sid })));
      if (!session || session.staff_id !== claims.sub) return undefined;
      return {
        actor: { type: 'staff', id: session.staff_id },
        team: undefined,
        role: undefined,
        scopes: new Set(),
        sessionId: claims.sid,
        authTime: Math.floor(Date.parse(session.auth_time) / 1000),
        acr: session.acr,
        expiresAt: claims.exp,
        proof: credentialCheck(checkSession, { staff: session.staff_id, session: claims.sid }),
      };
    },
  };
}
