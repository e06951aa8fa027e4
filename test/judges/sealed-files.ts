import { createPrivateKey, sign as signBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTypesetter, type Typesetter } from '../../src/platform/typesetting/typesetter.ts';
import {
  type FilledField,
  openSealing,
  proofsFrom,
  type SealLevel,
  type SealSigner,
  timestampsFrom,
} from '../../src/work/signatures/sealing/index.ts';
import type { Ask } from '../../src/work/signatures/sealing/timestamps.ts';
import { makeSigner } from '../signed-pdf.ts';
import { revocationList, startTimestampAuthority } from '../timestamp-authority.ts';

const log = { warn: () => undefined };

export type SealedFiles = {
  folder: string;
  typesetter: Typesetter;
  /** The authorities of the signer and of the timestamps (PEM). */
  anchors: string;
  seal(file: Uint8Array, wish?: { level?: SealLevel; fields?: FilledField[]; language?: string }): Promise<Buffer>;
  close(): Promise<void>;
};

/** Opens sealing at each level, with authorities of its own. */
export async function openSealedFiles(): Promise<SealedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-sealed-'));
  const [, authority] = await Promise.all([makeSigner(folder, 'Olivia'), startTimestampAuthority(folder)]);
  const lists = await Promise.all(['Olivia-ca', 'tsa-ca'].map((name) => revocationList(folder, name)));
  const certificate = async (name: string) => new X509Certificate(await readFile(join(folder, name)));
  const key = createPrivateKey(await readFile(join(folder, 'Olivia.key')));
  const signer: SealSigner = {
    certificate: (await certificate('Olivia.pem')).raw,
    chain: [(await certificate('Olivia-ca.pem')).raw],
    algorithm: 'ecdsa',
    digest: 'sha256',
    sign: async (bytes) => signBytes('sha256', bytes, key),
  };
  const typesetter = createTypesetter({ log, workers: 1 });
  const ask: Ask = async (url, init) => fetch(url, init as RequestInit);
  const timestamps = timestampsFrom(authority.url, ask);
  const proofs = proofsFrom(
    ask,
    async () => lists,
    () => new Date(),
  );
  const parts = { log, typesetter, signer: async () => signer, sealedBy: 'Chancery of Harbour' };
  const sealings = {
    'B-B': openSealing(parts),
    'B-T': openSealing({ ...parts, timestamps }),
    'B-LT': openSealing({ ...parts, timestamps, proofs }),
  };
  return {
    folder,
    typesetter,
    anchors: (await readFile(join(folder, 'Olivia-ca.pem'), 'utf8')) + authority.ca,
    async seal(file, { level = 'B-B', fields = [], language = 'en' } = {}) {
      const sealing = sealings[level];
      const prepared = await sealing.prepare(async () => Readable.from([Buffer.from(file)]), { fields });
      const made = await sealing.seal({ ...prepared, fields, evidence: evidenceIn(language) });
      if (made.level !== level) throw new Error(`sealed at level ${made.level} instead of ${level}`);
      return made.sealed;
    },
    async close() {
      await Promise.all([typesetter.close(), authority.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const at = new Date('2026-03-11T09:00:00Z');
const evidenceIn = (language: string) => ({
  language,
  requestId: '019d2f4e-6a00-7c2b-9a54-0000000000a1',
  documentName: 'Lease of the harbour',
  teamName: 'Harbour & Söhne',
  requestedBy: 'Rob',
  requestedAt: at,
  completedAt: at,
  verifyUrl: 'https://chancery.example/verify',
  signers: [
    {
      name: 'Mara Lind',
      email: 'mara@example.com',
      role: 'signer' as const,
      known: 'code' as const,
      how: 'typed' as const,
      signedAt: at,
      consentLanguage: 'de',
      hasField: true,
      evidenceSha256: 'ab'.repeat(32),
    },
    {
      name: 'محمد علي',
      typedName: '山田',
      role: 'approver' as const,
      known: 'account' as const,
      how: 'confirmed' as const,
      signedAt: at,
      consentLanguage: 'ar',
      hasField: false,
      evidenceSha256: 'ab'.repeat(32),
    },
  ],
  history: [{ at, act: 'viewed' as const, name: 'Mara Lind' }],
});
