import { constants, verify, type X509Certificate } from 'node:crypto';
import { type AlgorithmIdentifier, id_sha1, id_sha256, id_sha384, id_sha512, RSASSAPSSParams } from 'pkijs';
import { read } from '../../../platform/crypto/asn1.ts';

const digests: Readonly<Record<string, string>> = {
  [id_sha1]: 'sha1',
  [id_sha256]: 'sha256',
  [id_sha384]: 'sha384',
  [id_sha512]: 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
};
const pss = '1.2.840.113549.1.1.10';
/** Supported signature algorithms: the type of the key, and the digest. `named` stands for the digest that the signer info names. */
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
  '2.16.840.1.101.3.4.3.10': { keys: ['ec'], digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.11': { keys: ['ec'], digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.12': { keys: ['ec'], digest: 'sha3-512' },
  '2.16.840.1.101.3.4.3.14': { keys: ['rsa'], digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.15': { keys: ['rsa'], digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.16': { keys: ['rsa'], digest: 'sha3-512' },
  '1.3.101.112': { keys: ['ed25519'], digest: null },
};
/** Minimum size of an RSA key, in bits. Shorter keys can be broken. */
const minBits = 2_048;

/** Returns the OID of the signature algorithm of a key type and a digest. */
export function signatureId(key: string, digest: string): string {
  const [id] = Object.entries(algorithms).find(([, one]) => one.keys[0] === key && one.digest === digest) ?? [];
  if (id === undefined) throw new Error(`no signature algorithm for key ${key} and digest ${digest}`);
  return id;
}

/** Returns the OID of a digest. */
export function digestId(digest: string): string {
  const [id] = Object.entries(digests).find(([, name]) => name === digest) ?? [];
  if (id === undefined) throw new Error(`unknown digest ${digest}`);
  return id;
}

/** Returns the digest of an algorithm identifier, or undefined if it is unknown. */
export function digestOf({ algorithmId }: AlgorithmIdentifier): string | undefined {
  return digests[algorithmId];
}

export type Signed = { bytes: Uint8Array; algorithm: AlgorithmIdentifier; signature: Uint8Array };

/**
 * Checks a signature with the public key of a certificate. `named` is the digest that the signer info names. Returns undefined if the algorithm is
 * unknown or does not fit the key.
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
  // The default digest is SHA-1 (RFC 4055, 3.1).
  const ofPss = () => digestOf((algorithmParams ? read(RSASSAPSSParams, algorithmParams) : new RSASSAPSSParams()).hashAlgorithm);
  const digest = isPss ? ofPss() : usual === 'named' ? named : usual;
  if (!keys.includes(type) || digest === undefined) return undefined;
  const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO } : {};
  return {
    sound: verify(digest, bytes, { key: publicKey, ...padding }, signature),
    weak: named === 'sha1' || digest === 'sha1' || (details?.modulusLength ?? minBits) < minBits,
  };
}

/** Whether the key of one of these certificates made the signature, with an algorithm that is not weak. */
export function isSignedBy(certificates: readonly X509Certificate[], signed: Signed): boolean {
  return certificates.some((one) => {
    const checked = checkSignature(one, signed);
    return checked !== undefined && checked.sound && !checked.weak;
  });
}
