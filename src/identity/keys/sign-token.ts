import { KeyObject, randomUUIDv7, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyRing } from './key-ring.ts';

const signElsewhere = promisify(sign);

/** The digests of JWS algorithms for node:crypto (RFC 7518 §3.1, RFC 8037 §3.1). ES256 signatures are R and S, concatenated. */
const digests: Record<string, 'sha256' | null> = { ES256: 'sha256', EdDSA: null, RS256: 'sha256' };

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** The issuer, audience and subject of a token, and its lifetime in seconds. */
export type TokenFrame = { issuer: string; audience: string; subject: string; seconds: number };

/** Signs an access token (RFC 9068, compact JWS) with the active key. `own` has the claims of this kind of token. */
export type SignToken = (own: object, frame: TokenFrame) => Promise<string>;

/**
 * Creates the signer of access tokens. Elliptic curves sign synchronously: a signature takes 30 µs, and in the
 * threads of libuv it would wait for password hashes. RSA takes twenty times as long and uses those threads.
 */
export function tokenSigner(ring: KeyRing): SignToken {
  let known: { kid: string; alg: string; digest: 'sha256' | null; header: string; key: KeyObject } | undefined;

  function signer() {
    const { kid, alg, key } = ring.signer('access');
    if (known?.kid === kid) return known;
    const digest = digests[alg];
    if (digest === undefined) throw new Error(`unknown algorithm ${alg} of the signing key ${kid}`);
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
