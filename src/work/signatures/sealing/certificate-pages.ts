import { readFileSync } from 'node:fs';
import { breakingLongWords } from '../../../platform/typesetting/long-words.ts';
import type { Manuscript } from '../../../platform/typesetting/typesetter.ts';
import type { Overlay } from './messages.ts';
import type { FilledField, PageSize, PageRectangle, SealOrder } from './pdf-sealer.ts';
import { certificateWords } from './words/index.ts';

const read = (name: string) => readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
const templates = { certificate: read('certificate.typ'), fields: read('fields.typ') };
/** Maximum number of overlay pages in one typesetting job. */
const sheetBatchSize = 100;

/** Formats a time like 2026-03-10 09:00:00 UTC. */
const moment = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
/** Encloses user text so that its direction follows its first letter (UAX #9, P2) and not the surrounding text. */
const written = (text: string) => ({
  text: breakingLongWords(text, { longest: 30, part: 10 }),
  rtl: rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? ''),
});

/** PDF/A-1 allows only older colour profiles than PDF/A-2 and no transparency. Its metadata are readable without a PDF reader. */
const isPdfA1 = (file: Buffer) => ['<pdfaid:part>1<', 'pdfaid:part="1"', "pdfaid:part='1'"].some((part) => file.includes(part));

function aroundName(words: string): { before: string; after: string } {
  const [before = '', after = ''] = words.split('{name}');
  return { before, after };
}

/** Returns the manuscript of the signing certificate, in the language of the request. Attaches a previously signed document unchanged. */
export function certificateOf({ evidence, presented, manner, findings: found }: SealOrder, sealedBy: string, sha256: string): Manuscript {
  const attached = manner === 'separate';
  const { completedAt, language } = evidence;
  const { findings, known, how, roles, acts, unnamedSigner, mark, languages: named, ...words } = certificateWords(language);
  const languages: Readonly<Record<string, string>> = named;
  const optional = (members: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(Object.entries(members).flatMap(([name, text]) => (text === undefined ? [] : [[name, written(text)]])));
  return {
    files: { 'main.typ': templates.certificate, ...(attached ? { 'original.pdf': presented } : {}) },
    standard: attached ? 'a-3a' : isPdfA1(presented) ? 'a-1a' : 'a-2a',
    data: {
      lang: language,
      words,
      title: evidence.documentName,
      name: written(evidence.documentName),
      author: sealedBy,
      sealedBy: written(sealedBy),
      date: { year: completedAt.getUTCFullYear(), month: completedAt.getUTCMonth() + 1, day: completedAt.getUTCDate() },
      request: evidence.requestId,
      team: written(evidence.teamName),
      requestedBy: written(evidence.requestedBy),
      requestedAt: moment(evidence.requestedAt),
      completedAt: moment(completedAt),
      presented: sha256,
      ...(evidence.originalSha256 === undefined ? {} : { original: evidence.originalSha256 }),
      ...optional({ verify: evidence.verifyUrl }),
      findings: found.map((one) => findings[one]),
      signers: evidence.signers.map((signer) => ({
        name: written(signer.name),
        ...optional({ typedName: signer.typedName, email: signer.email, delegatedBy: signer.delegatedBy }),
        role: roles[signer.role],
        known: known[signer.known],
        how: how[signer.how],
        signedAt: moment(signer.signedAt),
        ...(languages[signer.consentLanguage] === undefined ? {} : { consent: languages[signer.consentLanguage] }),
        evidence: signer.evidenceSha256,
        ...(signer.hasField ? {} : { mark: aroundName(mark.replace('{time}', moment(signer.signedAt))) }),
      })),
      history: evidence.history.map(({ at, act, name }) => {
        return { at: moment(at), ...aroundName(acts[act]), name: written(name ?? unnamedSigner) };
      }),
      attached,
    },
  };
}

/** Returns the overlay pages with the field values, the page that each one covers, and the field rectangles. */
export function sheetsOf({ presented, fields, pages }: Pick<SealOrder, 'presented' | 'fields' | 'pages'>): {
  manuscripts: Manuscript[];
  overlays: Overlay[];
  places: PageRectangle[];
} {
  const shown = fields.filter(({ value }) => !('checked' in value) || value.checked);
  const numbers = [...new Set(shown.map(({ page }) => page))].toSorted((one, other) => one - other);
  const manuscripts: Manuscript[] = [];
  const overlays: Overlay[] = [];
  // A drawn signature is transparent. A PDF/A-1 file with one no longer conforms.
  const isOpaque = shown.every(({ value }) => !('png' in value));
  const standard = isOpaque && isPdfA1(presented) ? 'a-1a' : 'a-2a';
  for (let at = 0; at < numbers.length; at += sheetBatchSize) {
    const some = numbers.slice(at, at + sheetBatchSize);
    some.forEach((number, page) => overlays.push({ file: manuscripts.length, page, onto: number - 1 }));
    manuscripts.push({ ...sheets(some, shown, pages), standard });
  }
  const places = shown.map(({ page, x, y, width, height }) => ({ page, x, y, width, height }));
  return { manuscripts, overlays, places };
}

function sheets(numbers: readonly number[], fields: readonly FilledField[], pages: readonly PageSize[]): Manuscript {
  const images: Record<string, Uint8Array> = {};
  const drawn = ({ kind, x, y, width, height, value }: FilledField) => {
    const place = { kind, x, y, width, height };
    if ('text' in value) return { ...place, ...written(value.text) };
    if ('checked' in value) return place;
    const image = `drawn-${Object.keys(images).length}.png`;
    images[image] = value.png;
    return { ...place, image };
  };
  const data = {
    pages: numbers.map((number) => ({ ...pages[number - 1], fields: fields.filter(({ page }) => page === number).map(drawn) })),
  };
  return { files: { 'main.typ': templates.fields, ...images }, data };
}
