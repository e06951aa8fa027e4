import { constants, verify, type X509Certificate } from 'node:crypto';
import { type AlgorithmIdentifier, id_sha1, id_sha256, id_sha384, id_sha512, RSASSAPSSParams } from 'pkijs';
import { read } from '../../../platform/crypto/asn1.ts';

const digests: Readonly<Record<string, string>> = {
  [id_sha1]: 'sha1',
  [id_sha256]: 'sha256',
  [id_sha384]: 'sha384',
  [id_sha512]: 'sha512',
};
const pss = '1.2.840.113549.1.1.10';
/** The algorithms of signatures that are known: the keys that make them, and the digest; `named` is the one that the signer names. */
const algorithms: Readonly<Record<string, { keys: readonly string[]; digest: string | null }>> = {
  '1.2.840.113549.1.1.1': { keys: ['rsa'], digest: 'named' },
  '1.2.840.113549.1.1.5': { keys: ['rsa'], digest: 'sha1' },
  '1.2.840.113549.1.1.11': { keys: ['rsa'], digest: 'sha256' },
  '1.2.840.113549.1.1.12': { keys: ['rsa'], digest: 'sha384' },
  '1.2.840.113549.1.1.13': { keys: ['rsa'], digest: 'sha512' },
  [pss]: { keys: ['rsa', 'rsa-pss'], digest: 'named' },
  '1.2.840.10045.2.1': { keys: ['ec'], digest: 'named' },
  '1.2.840.10045.4.1': { keys: ['ec'], digest: 'sha1' },
  '1.2.840.10045.4.3.2': { keys: ['ec'], digest: 'sha256' },
  '1.2.840.10045.4.3.3': { keys: ['ec'], digest: 'sha384' },
  '1.2.840.10045.4.3.4': { keys: ['ec'], digest: 'sha512' },
  '1.3.101.112': { keys: ['ed25519'], digest: null },
};
/** Bits of an RSA key; fewer can be broken. */
const minBits = 2_048;

/** The identifier of an algorithm of signatures, by the key that makes them and the digest. */
export function signatureId(key: string, digest: string): string {
  const [id] = Object.entries(algorithms).find(([, one]) => one.keys[0] === key && one.digest === digest) ?? [];
  if (id === undefined) throw new Error(`no signatures are made by ${key} with ${digest}`);
  return id;
}

/** The identifier of a digest. */
export function digestId(digest: string): string {
  const [id] = Object.entries(digests).find(([, name]) => name === digest) ?? [];
  if (id === undefined) throw new Error(`no digest is called ${digest}`);
  return id;
}

/** The digest that an identifier names, if it is known. */
export function digestOf({ algorithmId }: AlgorithmIdentifier): string | undefined {
  return digests[algorithmId];
}

export type Signed = { bytes: Uint8Array; algorithm: AlgorithmIdentifier; signature: Uint8Array };

/**
 * Checks a signature by a certificate's key. `named` is the digest that the signer names beside the algorithm. Undefined if the
 * algorithm is not known or not for the key.
 */
export function checkSignature(
  { publicKey }: X509Certificate,
  { bytes, algorithm, signature }: Signed,
  named?: string,
): { sound: boolean; weak: boolean } | undefined {
  const { algorithmId, algorithmParams } = algorithm;
  const { keys = [], digest: usual } = algorithms[algorithmId] ?? {};
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details } = publicKey;
  const isPss = algorithmId === pss;
  // Without parameters it is SHA-1 (RFC 4055, 3.1).
  const ofPss = () => digestOf((algorithmParams ? read(RSASSAPSSParams, algorithmParams) : new RSASSAPSSParams()).hashAlgorithm);
  const digest = isPss ? ofPss() : usual === 'named' ? named : usual;
  if (!keys.includes(type) || digest === undefined) return undefined;
  const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO } : {};
  return {
    sound: verify(digest, bytes, { key: publicKey, ...padding }, signature),
    weak: named === 'sha1' || digest === 'sha1' || (details?.modulusLength ?? minBits) < minBits,
  };
}

/** Whether one of these certificates' keys made a signature, by an algorithm that is not weak. */
export function isSignedBy(certificates: readonly X509Certificate[], signed: Signed): boolean {
  return certificates.some((one) => {
    const checked = checkSignature(one, signed);
    return checked !== undefined && checked.sound && !checked.weak;
  });
}
