import { execFile } from 'node:child_process';
import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs, promisify } from 'node:util';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import {
  type FilledField,
  openSealing,
  type PageSize,
  type PageRectangle,
  type PreparedPdf,
  SealFailed,
  type Sealing,
  type SealSigner,
  Unsealable,
} from '../src/work/signatures/sealing/index.ts';
import { createTypesetter } from '../src/platform/typesetting/typesetter.ts';
import { makeSigner } from '../test/signed-pdf.ts';

/**
 * Seals each PDF of a folder with a field on its first page. Compares the first pages before and after, as rendered by Poppler, MuPDF
 * and PDFium. Prints one line for each file and counts at the end. Keeps the files and removes its own output.
 *
 *     node scripts/seal-corpus.ts <folder> [--at-once 4] [--most 300] [--keep <folder for sealed files that differ>]
 */
const print = (line: string) => void process.stdout.write(`${line}\n`);
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '4' }, most: { type: 'string', default: '10000' }, keep: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder with the PDF files.');

const run = promisify(execFile);
/** Pixels per inch. */
const resolution = 54;
const pagesCompared = 3;
/** A page counts as changed if a colour channel (0–255) differs by this much in this many pixels. */
const limits = { colour: 64, pixels: 4 };
const place: PageRectangle = { page: 1, x: 6, y: 6, width: 120, height: 24 };
const field: FilledField = { ...place, kind: 'signature', value: { text: 'Mara Lind' } };

type Pixels = { width: number; height: number; data: Uint8Array; colours: 3 | 4 };
type Verdict = 'same' | 'differs' | 'no ink' | 'not drawn';
type Reader = { name: string; draw: (file: string, page: number) => Promise<Pixels> };

/** Parses an image in the portable pixmap format. */
function pixmap(bytes: Buffer): Pixels {
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 64));
  if (!head) throw new Error('no pixmap');
  return { width: Number(head[1]), height: Number(head[2]), data: bytes.subarray(head[0].length), colours: 3 };
}

const tool = async (command: string, args: string[]): Promise<Pixels> => {
  const { stdout } = await run(command, args, { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024, timeout: 120_000 });
  return pixmap(stdout);
};

async function byPdfium(file: string, page: number): Promise<Pixels> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(await readFile(file));
    const { width, height, data } = await document.getPage(page - 1).render({
      scale: resolution / 72,
      renderFormFields: true,
      render: ({ data: pixels }) => Promise.resolve(pixels),
    });
    return { width, height, data, colours: 4 };
  } finally {
    library.destroy();
  }
}

const readers: Reader[] = [
  {
    name: 'Poppler',
    draw: (file, page) => tool('pdftoppm', ['-cropbox', '-r', `${resolution}`, '-f', `${page}`, '-l', `${page}`, file]),
  },
  { name: 'MuPDF', draw: (file, page) => tool('mutool', ['draw', '-q', '-r', `${resolution}`, '-F', 'ppm', '-o', '-', file, `${page}`]) },
  { name: 'PDFium', draw: byPdfium },
];

/** Compares one page of two files, except the area of the field, which is filled only in the second file. */
async function compared({ draw }: Reader, files: readonly [string, string], number: number, page: PageSize): Promise<Verdict> {
  const before = await draw(files[0], number).catch(() => undefined);
  if (!before) return 'not drawn';
  const after = await draw(files[1], number).catch(() => undefined);
  if (!after || after.width !== before.width || after.height !== before.height) return 'differs';
  const [across, along] = [before.width / page.width, before.height / page.height];
  const inside = (x: number, y: number) =>
    number === place.page &&
    x >= (place.x - 2) * across - 1 &&
    x <= (place.x + place.width + 2) * across + 1 &&
    y >= (place.y - 2) * along - 1 &&
    y <= (place.y + place.height + 2) * along + 1;
  let [ink, others] = [0, 0];
  for (let at = 0; at < before.width * before.height; at += 1) {
    if (difference(before, after, at) < limits.colour) continue;
    if (inside(at % before.width, Math.floor(at / before.width))) ink += 1;
    else others += 1;
  }
  if (number === place.page && ink === 0) return 'no ink';
  return others > limits.pixels ? 'differs' : 'same';
}

function difference(one: Pixels, other: Pixels, pixel: number): number {
  let most = 0;
  for (let colour = 0; colour < 3; colour += 1)
    most = Math.max(most, Math.abs((one.data[pixel * one.colours + colour] ?? 0) - (other.data[pixel * other.colours + colour] ?? 0)));
  return most;
}

type Outcome = { file: string; outcome: string; why?: string; readers: Record<string, Verdict> };

async function sealedAndCompared(sealing: Sealing, file: string, work: string): Promise<Outcome> {
  const upload = await readFile(file);
  const name = basename(file);
  try {
    const prepared = await sealing
      .prepare(async () => Readable.from([upload]), { fields: [place] })
      .catch(async (error: unknown) => {
        // A file with existing signatures is sealed without fields.
        if (error instanceof Unsealable && error.reason === 'fields_not_possible')
          return sealing.prepare(async () => Readable.from([upload]), { fields: [] });
        throw error;
      });
    const { sealed } = await sealing.seal(orderOf(prepared, name));
    if (prepared.manner === 'separate') return { file: name, outcome: 'sealed separately', readers: {} };
    const outcome = ['sealed', ...prepared.findings].join(', ');
    return { file: name, outcome, readers: await verdicts({ upload: file, sealed, pages: prepared.pages }, work) };
  } catch (error) {
    if (error instanceof Unsealable) return { file: name, outcome: `refused: ${error.reason}`, why: error.message, readers: {} };
    if (error instanceof SealFailed) return { file: name, outcome: `failed: ${error.step}`, why: error.message, readers: {} };
    return { file: name, outcome: 'failed', why: String(error), readers: {} };
  }
}

async function verdicts(
  { upload, sealed, pages }: { upload: string; sealed: Buffer; pages: PageSize[] },
  work: string,
): Promise<Record<string, Verdict>> {
  const made = join(work, `sealed-${basename(upload)}`);
  await writeFile(made, sealed);
  const found: Record<string, Verdict> = {};
  for (const reader of readers)
    for (const [at, page] of pages.slice(0, pagesCompared).entries()) {
      const verdict = await compared(reader, [upload, made], at + 1, page);
      if (found[reader.name] === undefined || found[reader.name] === 'same') found[reader.name] = verdict;
    }
  const isDifferent = Object.values(found).some((verdict) => verdict === 'differs' || verdict === 'no ink');
  if (isDifferent && values.keep !== undefined) await writeFile(join(values.keep, basename(upload)), sealed);
  await rm(made);
  return found;
}

function orderOf({ presented, manner, findings, pages }: PreparedPdf, documentName: string): Parameters<Sealing['seal']>[0] {
  const at = new Date();
  const signer = {
    name: 'Mara Lind',
    role: 'signer',
    known: 'link',
    how: 'typed',
    signedAt: at,
    consentLanguage: 'en',
    hasField: true,
    evidenceSha256: '00'.repeat(32),
  } as const;
  const evidence = { language: 'en', requestId: 'corpus', documentName, teamName: 'Corpus', requestedBy: 'Corpus', requestedAt: at };
  return {
    presented,
    manner,
    findings,
    pages,
    fields: manner === 'append' ? [field] : [],
    evidence: { ...evidence, completedAt: at, signers: [signer], history: [] },
  };
}

async function signerIn(keys: string): Promise<SealSigner> {
  await makeSigner(keys, 'Corpus');
  const certificate = async (file: string) => new X509Certificate(await readFile(join(keys, file))).raw;
  const key = createPrivateKey(await readFile(join(keys, 'Corpus.key')));
  return {
    certificate: await certificate('Corpus.pem'),
    chain: [await certificate('Corpus-ca.pem')],
    algorithm: 'ecdsa',
    digest: 'sha256',
    sign: async (bytes) => sign('sha256', bytes, key),
  };
}

const work = await mkdtemp(join(tmpdir(), 'chancery-corpus-'));
const typesetter = createTypesetter({ log: console, workers: 1 });
const outcomes: Outcome[] = [];
try {
  const signer = await signerIn(work);
  const sealing = openSealing({ typesetter, signer: async () => signer, sealedBy: 'Corpus' });
  const found = (await readdir(folder, { recursive: true })).filter((name) => name.toLowerCase().endsWith('.pdf')).toSorted();
  const waiting = found.slice(0, Number(values.most));
  const next = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const file = join(folder, name);
      const outcome = await sealedAndCompared(sealing, file, work);
      outcomes.push(outcome);
      const drawn = Object.entries(outcome.readers).map(([reader, verdict]) => `${reader} ${verdict}`);
      print([outcome.file, outcome.outcome, ...drawn, outcome.why ?? ''].join(' | '));
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, next));
} finally {
  await typesetter.close();
  await rm(work, { recursive: true, force: true });
}

const count = (names: readonly string[]) =>
  Object.entries(Object.groupBy(names, (name) => name))
    .map(([name, all]) => `${name} ${all?.length ?? 0}`)
    .toSorted()
    .join(', ');
print(`\n${outcomes.length} files: ${count(outcomes.map(({ outcome }) => outcome))}`);
// Chancery redraws the values of a form, so such a page can differ.
for (const [outcome, all = []] of Object.entries(Object.groupBy(outcomes, (one) => one.outcome)))
  for (const { name } of readers)
    if (all.some(({ readers: drawn }) => drawn[name] !== undefined))
      print(`${outcome}, by ${name}: ${count(all.flatMap(({ readers: drawn }) => drawn[name] ?? []))}`);
