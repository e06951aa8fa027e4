/**
 * Measures the CPU time of preparing and sealing one PDF of 20 pages (PAdES B-B, with its certificate page). It counts the service, the
 * process that typesets pages, and the processes that work on the file. The floor is the signature of the library alone, in a warm process.
 * One row has no fields. The other has fields on three pages, which Chancery draws before and after to compare their pixels.
 */
import { createPrivateKey, sign, webcrypto, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { CryptoKeySigner, PDF } from '@libpdf/core';
import { createTypesetter } from '../src/platform/typesetting/typesetter.ts';
import { type FilledField, openSealing, type SealOrder, type SealSigner } from '../src/work/signatures/sealing/index.ts';
import { plainPdf } from '../test/plain-pdf.ts';
import { makeSigner } from '../test/signed-pdf.ts';
import { typesettersOf } from './pdf.ts';
import { cpuSeconds, quantile } from './webhook-world.ts';
import type { Result } from './result.ts';

const pages = 20;
const box = { width: 140, height: 40 };
const signed: FilledField[] = [1, 10, pages].map((page) => ({
  ...box,
  page,
  x: 60,
  y: 700,
  kind: 'signature',
  value: { text: 'Mara Lind' },
}));
const rows = [
  { name: 'without fields', fields: [], aimMs: 150 },
  { name: 'fields on 3 pages compared', fields: signed, aimMs: 400 },
];
const atOnce = 10;
const envelopeDocuments = 5;

/** CPU milliseconds so far of this process, its ended child processes and the typesetting processes. */
function taken(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  const seconds = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]) / 100, 0);
  return typesettersOf(process.pid).reduce((sum, pid) => sum + cpuSeconds(pid), seconds) * 1_000;
}

/** Returns the average CPU time of several runs, because the system counts in steps of 10 ms. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const from = taken();
  for (let n = 0; n < atOnce; n += 1) await work();
  return (taken() - from) / atOnce;
}

async function signerIn(folder: string): Promise<{ ours: SealSigner; bare: CryptoKeySigner }> {
  await makeSigner(folder, 'Bench');
  const pem = createPrivateKey(await readFile(join(folder, 'Bench.key')));
  const certificate = new X509Certificate(await readFile(join(folder, 'Bench.pem'))).raw;
  const der = pem.export({ format: 'der', type: 'pkcs8' });
  const key = await webcrypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  return {
    ours: { certificate, chain: [], algorithm: 'ecdsa', digest: 'sha256', sign: async (bytes) => sign('sha256', bytes, pem) },
    bare: new CryptoKeySigner(key, certificate, 'EC', 'ECDSA'),
  };
}

const evidence: SealOrder['evidence'] = {
  language: 'en',
  requestId: '019d2f4e-6a00-7c2b-9a54-0000000000a1',
  documentName: 'Lease of the harbour',
  teamName: 'Harbour',
  requestedBy: 'Rob',
  requestedAt: new Date('2026-03-10T08:00:00Z'),
  completedAt: new Date('2026-03-11T09:30:00Z'),
  signers: [],
  history: [{ at: new Date('2026-03-10T08:05:00Z'), act: 'viewed', name: 'Mara Lind' }],
};

export async function benchSealing(
  { rounds, only }: { rounds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'sealing'.includes(part))) return;
  const folder = await mkdtemp(join(tmpdir(), 'chancery-bench-'));
  const typesetter = createTypesetter({ log: { warn: () => undefined }, workers: 1 });
  try {
    const { ours, bare } = await signerIn(folder);
    const sealing = openSealing({ typesetter, signer: async () => ours, sealedBy: 'Chancery' });
    const upload = plainPdf(Array.from({ length: pages }, (_, n) => `Page ${n + 1} ${'of the lease of the harbour '.repeat(30)}`));
    const library = async () => (await PDF.load(upload)).sign({ signer: bare, level: 'B-B' });
    await library();
    for (const { name, fields, aimMs } of rows) {
      const prepare = () => sealing.prepare(async () => Readable.from([upload]), { fields });
      const order: SealOrder = { ...(await prepare()), fields, evidence };
      const seal = () => sealing.seal(order);
      await seal();
      const runs: { preparing: number; ms: number; floor: number }[] = [];
      for (let round = 0; round < rounds; round += 1)
        runs.push({ floor: await costOf(library), preparing: await costOf(prepare), ms: await costOf(seal) });
      const of = (figure: (run: (typeof runs)[number]) => number) => quantile(runs.map(figure), 0.5);
      const [ms, floor] = [of((run) => run.ms), of((run) => run.floor)];
      const figures = {
        'ms of CPU': ms,
        'preparing ms': of(({ preparing }) => preparing),
        'floor ms': floor,
        'times the floor': ms / floor,
      };
      show({ scenario: `sealing: ${pages} pages, PAdES B-B, ${name}`, figures, aim: `≤ ${aimMs} ms`, met: ms <= aimMs });
    }
    // An envelope prepares and seals its documents one after another, each with its own certificate page and signature.
    const order: SealOrder = { ...(await sealing.prepare(async () => Readable.from([upload]), { fields: [] })), fields: [], evidence };
    const envelope = async () => {
      for (let document = 0; document < envelopeDocuments; document += 1) await sealing.seal(order);
    };
    const runs: { ms: number; floor: number }[] = [];
    for (let round = 0; round < rounds; round += 1)
      runs.push({ floor: (await costOf(library)) * envelopeDocuments, ms: await costOf(envelope) });
    const [ms, floor] = [
      quantile(
        runs.map((run) => run.ms),
        0.5,
      ),
      quantile(
        runs.map((run) => run.floor),
        0.5,
      ),
    ];
    show({
      scenario: `sealing: an envelope of ${envelopeDocuments} documents with ${pages} pages each`,
      figures: { 'ms of CPU': ms, 'floor ms': floor, 'times the floor': ms / floor },
      aim: `≤ ${envelopeDocuments * 150} ms`,
      met: ms <= envelopeDocuments * 150,
    });
  } finally {
    await typesetter.close();
    await rm(folder, { recursive: true, force: true });
  }
}
