import { randomUUIDv7 } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { SealedColumn } from '../../platform/database/reencrypt.ts';
import type { NewKey } from './queries.ts';
import type { Purpose } from './rotation.ts';

/** Encrypts and decrypts private keys. Each ciphertext is bound to its key id. */
export type KeyBox = { seal(kid: string, jwk: JWK): Buffer; open(kid: string, sealed: Buffer): JWK };

const signingKeyPurpose = 'signing-keys';
const signingKeyPlace = (kid: string) => `signing_key ${kid}`;

/** The encrypted column of the private keys. */
export const sealedKeys: SealedColumn = {
  table: 'signing_key',
  column: 'private_jwk',
  key: { kid: 'text' },
  purpose: signingKeyPurpose,
  boundTo: ({ kid = '' }) => signingKeyPlace(kid),
};

export function openKeyBox(masterKey: MasterKey): KeyBox {
  const sealed = masterKey.box(signingKeyPurpose);
  return {
    seal: (kid, jwk) => sealed.seal(JSON.stringify(jwk), signingKeyPlace(kid)),
    open: (kid, bytes) => JSON.parse(sealed.open(bytes, signingKeyPlace(kid)).toString()) as JWK,
  };
}

/** Creates a key pair as a row. RSA keys have 2048 bits; SAML keys have 3072 bits and a certificate (`x5c`, RFC 7517 section 4.7). */
export async function makeKey(purpose: Purpose, alg: string, box: KeyBox, now: Date): Promise<NewKey> {
  const isSaml = purpose === 'saml';
  const size = isSaml ? { modulusLength: 3072 } : alg === 'EdDSA' ? { crv: 'Ed25519' } : {};
  const pair = await generateKeyPair(alg, { extractable: true, ...size });
  const kid = randomUUIDv7();
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  const certificate = isSaml ? { x5c: [(await selfSigned('Chancery', pair, now)).toString('base64')] } : {};
  const published = { ...publicJwk, kid, alg, use: 'sig', ...certificate };
  return { kid, purpose, alg, publicJwk: JSON.stringify(published), privateJwk: box.seal(kid, privateJwk) };
}

/** Loads the certificate library only for the purposes that need it. */
const selfSigned = async (name: string, pair: { publicKey: CryptoKey; privateKey: CryptoKey }, now: Date): Promise<Buffer> =>
  (await import('./seal/certificates.ts')).makeSelfSigned(name, pair, now);

export async function importKey(jwk: JWK, alg: string): Promise<CryptoKey> {
  // Extractable, because node:crypto cannot sign synchronously with non-extractable keys.
  const key = await importJWK(jwk, alg, { extractable: true });
  if (key instanceof Uint8Array) throw new Error('a stored signing key has a format that cannot sign');
  return key;
}
