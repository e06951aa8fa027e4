import { KeyObject, randomUUIDv7, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyRing } from './key-ring.ts';

const signElsewhere = promisify(sign);

/** What node:crypto takes for a JWS algorithm (RFC 7518 §3.1, RFC 8037 §3.1). Signatures of ES256 are R and S, one behind the other. */
const digests: Record<string, 'sha256' | null> = { ES256: 'sha256', EdDSA: null, RS256: 'sha256' };

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Who a token is of and for, and the seconds it lives from now on. */
export type TokenFrame = { issuer: string; audience: string; subject: string; seconds: number };

/** Signs an access token (RFC 9068, as compact JWS) with the key that is active at the moment; `own` are the claims of its kind. */
export type SignToken = (own: object, frame: TokenFrame) => Promise<string>;

/**
 * Signs with the ring's key of access tokens. On elliptic curves at once: a signature takes 30 µs, and handed to the
 * threads of libuv it would wait behind the passwords that are hashed there. RSA takes twenty times as long and goes there.
 */
export function tokenSigner(ring: KeyRing): SignToken {
  let known: { kid: string; alg: string; digest: 'sha256' | null; header: string; key: KeyObject } | undefined;

  function signer() {
    const { kid, alg, key } = ring.signer('access');
    if (known?.kid === kid) return known;
    const digest = digests[alg];
    if (digest === undefined) throw new Error(`the algorithm ${alg} of the signing key ${kid} is not known`);
    known = { kid, alg, digest, header: encoded({ alg, kid, typ: 'at+jwt' }), key: KeyObject.from(key) };
    return known;
  }

  return async (own, { issuer, audience, subject, seconds }) => {
    const { alg, digest, header, key } = signer();
    const now = Math.floor(ring.now() / 1000);
    const claims = { ...own, iss: issuer, aud: audience, sub: subject, jti: randomUUIDv7(), iat: now, nbf: now, exp: now + seconds };
    const input = `${header}.${encoded(claims)}`;
    const content = Buffer.from(input);
    const how = { key, dsaEncoding: 'ieee-p1363' } as const;
    const signature = alg === 'RS256' ? await signElsewhere(digest, content, how) : sign(digest, content, how);
    return `${input}.${signature.toString('base64url')}`;
  };
}
