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

/** Creates a key pair as a row. RSA keys have 2048 bits. */
export async function makeKey(purpose: Purpose, alg: string, box: KeyBox): Promise<NewKey> {
  const pair = await generateKeyPair(alg, { extractable: true, ...(alg === 'EdDSA' ? { crv: 'Ed25519' } : {}) });
  const kid = randomUUIDv7();
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  return { kid, purpose, alg, publicJwk: JSON.stringify({ ...publicJwk, kid, alg, use: 'sig' }), privateJwk: box.seal(kid, privateJwk) };
}

export async function importKey(jwk: JWK, alg: string): Promise<CryptoKey> {
  // Extractable, because node:crypto cannot sign synchronously with non-extractable keys.
  const key = await importJWK(jwk, alg, { extractable: true });
  if (key instanceof Uint8Array) throw new Error('a stored signing key has a format that cannot sign');
  return key;
}
