import { X509Certificate } from 'node:crypto';
import { pemOf, publishedSeals, type SealSettings } from '#keys';
import { createAddressPolicy, createGuardedFetch } from '#webhooks';
import type { Periodic, Platform } from '../../platform/domain.ts';
import type { ValuesOf } from '../../platform/settings.ts';
import type { signatureSettings } from './config.ts';
import type { Trust } from './service.ts';
import { openSealing, ownSigner, pkcs12Signer, proofsFrom, type Sealing, type SealSigner, timestampsFrom } from './sealing/index.ts';

/** The sealing of documents and the trust for their verification. */
export type Seals = {
  sealing: Sealing;
  /** Trusted certificates: those of the operator and those of this service's own seals. */
  trust: () => Promise<Trust>;
  periodic: Periodic[];
  close: () => Promise<void>;
};

const timeoutMs = 15_000;
/** How long the published certificates are cached, in milliseconds. Only a command changes them. */
const trustedForMs = 30_000;
/** Days before the expiry of the seal certificate from which the service logs a daily warning. */
const warnDays = 30;
const day = 86_400_000;

/** Opens sealing by the settings: with the service's own authority or a PKCS#12 file, and with an optional timestamp authority. */
export async function openSeals(platform: Platform, config: ValuesOf<typeof signatureSettings>, settings: SealSettings): Promise<Seals> {
  const { config: own, database, masterKey, typesetter, clock, log } = platform;
  const file = config.SEAL_PKCS12 === '' ? undefined : await pkcs12Signer(config.SEAL_PKCS12, config.SEAL_PKCS12_PASSWORD, clock());
  // The operator chooses the timestamp authority, which can be in a private network. Anyone can choose the addresses in certificates.
  const near = createGuardedFetch({ policy: createAddressPolicy({ allowPrivate: true, allowCidrs: [] }), timeoutMs });
  const far = createGuardedFetch({ policy: createAddressPolicy({ allowPrivate: !own.production, allowCidrs: [] }), timeoutMs });
  const lists = async () => [(await publishedSeals(database)).revocations ?? []].flat();
  const sealing = openSealing({
    log,
    typesetter,
    signer: file ? async () => file : ownSigner(database, masterKey, settings),
    sealedBy: file ? commonName(file) : settings.name,
    ...(config.TIMESTAMP_URL === ''
      ? {}
      : {
          timestamps: timestampsFrom(config.TIMESTAMP_URL, (url, init) => near.fetch(url, init)),
          proofs: proofsFrom((url, init) => far.fetch(url, init), lists, clock),
        }),
  });
  const fileTrust = file ? pemOf([Buffer.from(file.chain.at(-1) ?? file.certificate)]) : '';
  let kept: { until: number; trust: Promise<Trust> } | undefined;
  return {
    sealing,
    trust() {
      const now = Date.now();
      if (!kept || kept.until < now) {
        const trust = trustOf(platform, config.VERIFY_TRUST + fileTrust);
        kept = { until: now + trustedForMs, trust };
        // Failures are not cached.
        trust.catch(() => (kept = undefined));
      }
      return kept.trust;
    },
    periodic: [{ name: 'seal-certificate', cron: '17 6 * * *', run: () => warnBeforeEnd(platform, file) }],
    async close() {
      await near.close();
      await far.close();
    },
  };
}

function commonName({ certificate }: SealSigner): string {
  const { subject } = new X509Certificate(certificate);
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? /^O=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
}

async function trustOf({ database }: Platform, chosen: string): Promise<Trust> {
  const { authority, revoked } = await publishedSeals(database);
  return {
    trusted: chosen + pemOf(authority ? [authority] : []),
    revoked: revoked.map(({ certificate, at }) => {
      const { issuer, serialNumber } = new X509Certificate(certificate);
      return { issuer, serialNumber, at: at.getTime() };
    }),
  };
}

async function warnBeforeEnd({ database, log }: Platform, file: SealSigner | undefined): Promise<void> {
  const certificate = file?.certificate ?? (await publishedSeals(database)).active;
  if (!certificate) return;
  const { validToDate, validTo } = new X509Certificate(certificate);
  if (validToDate.getTime() - database.clock.now() > warnDays * day) return;
  const how = file ? 'replace the SEAL_PKCS12 file' : 'renew it with `chancery keys authority --renew`';
  log.warn({ ends: validTo }, `The seal certificate expires soon; after that, sealing fails: ${how}`);
}
