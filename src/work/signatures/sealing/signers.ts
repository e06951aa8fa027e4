import { createHash, sign, verify, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { activeSeal, type SealSettings } from '#keys';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ConfigError } from '../../../platform/settings.ts';
import { serves } from '../verifying/index.ts';
import type { SealSigner } from './pdf-sealer.ts';

/** Minimum size of an RSA key, in bits. PDF viewers reject shorter keys. */
const leastBits = 2_048;

/** Signs with the key of the service's own authority, which the first seal creates. */
export function ownSigner(database: Database, masterKey: MasterKey, settings: SealSettings): () => Promise<SealSigner> {
  return async () => {
    const { certificate, key, authority } = await activeSeal(database, masterKey, settings);
    const { validToDate } = new X509Certificate(certificate);
    if (validToDate.getTime() < database.clock.now())
      throw new Error('The seal certificate of the service has expired. Renew it with `chancery keys authority --renew`.');
    return { certificate, chain: [authority], algorithm: 'ecdsa', digest: 'sha256', sign: async (bytes) => sign('sha256', bytes, key) };
  };
}

/**
 * Signs with the key of a PKCS#12 file, which is read and tested immediately. Throws a {@link ConfigError} that has the cause but not the password.
 */
export async function pkcs12Signer(file: string, password: string, now: Date): Promise<SealSigner> {
  const { P12Signer } = await import('@libpdf/core');
  const bytes = readFileSync(file);
  const read = await P12Signer.create(bytes, password).catch(() => {
    throw new ConfigError('SEAL_PKCS12_PASSWORD does not open the SEAL_PKCS12 file, or the file has no key with its certificate.');
  });
  const probe = createHash('sha256').update(bytes).digest();
  const proof = await read.sign(probe, 'SHA-256');
  const all = [read.certificate, ...read.certificateChain].map((one) => new X509Certificate(one));
  const own = all.find(({ publicKey }) => publicKey.asymmetricKeyType !== undefined && isMadeBy(publicKey, probe, proof));
  if (!own) throw new ConfigError('The SEAL_PKCS12 file has no certificate for its key.');
  refuseUnfit(own, now);
  return {
    certificate: own.raw,
    chain: chainOf(own, all).map(({ raw }) => raw),
    algorithm: read.keyType === 'RSA' ? 'rsa' : 'ecdsa',
    digest: 'sha256',
    sign: (content) => read.sign(content, 'SHA-256'),
  };
}

function isMadeBy(key: X509Certificate['publicKey'], content: Buffer, signature: Uint8Array): boolean {
  try {
    return verify('sha256', content, key, signature);
  } catch {
    // A key of another type cannot verify the signature.
    return false;
  }
}

function refuseUnfit(certificate: X509Certificate, now: Date): void {
  const { validFromDate: from, validToDate: to, publicKey, validTo } = certificate;
  if (now < from || now > to) throw new ConfigError(`The SEAL_PKCS12 certificate is not valid now: it expires ${validTo}.`);
  if ((publicKey.asymmetricKeyDetails?.modulusLength ?? leastBits) < leastBits)
    throw new ConfigError('The RSA key of SEAL_PKCS12 has fewer than 2048 bits.');
  if (!serves(certificate)) throw new ConfigError('The SEAL_PKCS12 certificate is not for signing documents or email.');
}

/** Returns the available issuers of a certificate, starting with the direct issuer. */
function chainOf(certificate: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let one: X509Certificate | undefined = certificate; one;) {
    const issued: X509Certificate = one;
    one = all.find((other) => other !== issued && !chain.includes(other) && other.subject !== issued.subject && issued.checkIssued(other));
    if (one) chain.push(one);
  }
  return chain;
}
