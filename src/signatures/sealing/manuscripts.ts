import { readFileSync } from 'node:fs';
import type { Manuscript } from '../../platform/typesetting/typesetter.ts';
import type { Overlay } from './messages.ts';
import type { EvidenceSigner, FilledField, Finding, Page, SealOrder } from './port.ts';

const read = (name: string) => readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
const templates = { certificate: read('certificate.typ'), fields: read('fields.typ') };
/** Pages that are laid over others are set so many at a time. */
const sheetsAtOnce = 100;

const findings: Readonly<Record<Finding, string>> = {
  owner_password_removed: 'An owner’s password, which limited printing and changes, was removed.',
  repaired: 'Its table of objects was broken and was made anew.',
  flattened: 'The fields of its form were made part of its pages, with what stood in them.',
  signed_before: 'It had been signed before and was left as it is.',
};
const known: Readonly<Record<EvidenceSigner['known'], string>> = {
  link: 'the link that was sent to this address',
  code: 'the link and a code that were sent to this address: control of the mailbox',
  account: 'signed in with their account',
};
const how: Readonly<Record<EvidenceSigner['how'], string>> = {
  drawn: 'by drawing a signature',
  typed: 'by typing their name',
  confirmed: 'by confirming',
};
const role: Readonly<Record<EvidenceSigner['role'], string>> = { signer: 'Signer', approver: 'Approver' };

/** Such as 2026-03-10 09:00:00 UTC. */
const moment = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The certificate of how a document was signed; with the document attached where it is left as it is. */
export function certificateOf({ evidence, presented, manner, findings: found }: SealOrder, sealedBy: string, sha256: string): Manuscript {
  const attached = manner === 'separate';
  const { completedAt } = evidence;
  return {
    files: { 'main.typ': templates.certificate, ...(attached ? { 'original.pdf': presented } : {}) },
    standard: attached ? 'a-3a' : 'a-2a',
    data: {
      title: evidence.documentName,
      sealedBy,
      date: { year: completedAt.getUTCFullYear(), month: completedAt.getUTCMonth() + 1, day: completedAt.getUTCDate() },
      request: evidence.requestId,
      team: evidence.teamName,
      requestedBy: evidence.requestedBy,
      requestedAt: moment(evidence.requestedAt),
      completedAt: moment(completedAt),
      presented: sha256,
      ...(evidence.originalSha256 === undefined ? {} : { original: evidence.originalSha256 }),
      ...(evidence.verifyUrl === undefined ? {} : { verify: evidence.verifyUrl }),
      findings: found.map((one) => findings[one]),
      signers: evidence.signers.map((signer) => ({
        name: signer.name,
        ...(signer.typedName === undefined ? {} : { typedName: signer.typedName }),
        ...(signer.email === undefined ? {} : { email: signer.email }),
        ...(signer.delegatedBy === undefined ? {} : { delegatedBy: signer.delegatedBy }),
        role: role[signer.role],
        known: known[signer.known],
        how: how[signer.how],
        signedAt: moment(signer.signedAt),
        evidence: signer.evidenceSha256,
      })),
      history: evidence.history.map(({ at, what }) => ({ at: moment(at), what })),
      attached,
    },
  };
}

/** Pages with what was put into fields, to be laid over those of the document: how they are set, and which goes where. */
export function sheetsOf(fields: readonly FilledField[], pages: readonly Page[]): { manuscripts: Manuscript[]; overlays: Overlay[] } {
  const shown = fields.filter(({ value }) => !('checked' in value) || value.checked);
  const numbers = [...new Set(shown.map(({ page }) => page))].toSorted((one, other) => one - other);
  const manuscripts: Manuscript[] = [];
  const overlays: Overlay[] = [];
  for (let at = 0; at < numbers.length; at += sheetsAtOnce) {
    const some = numbers.slice(at, at + sheetsAtOnce);
    some.forEach((number, page) => overlays.push({ file: manuscripts.length, page, onto: number - 1 }));
    manuscripts.push(sheets(some, shown, pages));
  }
  return { manuscripts, overlays };
}

function sheets(numbers: readonly number[], fields: readonly FilledField[], pages: readonly Page[]): Manuscript {
  const images: Record<string, Uint8Array> = {};
  const drawn = ({ kind, x, y, width, height, value }: FilledField) => {
    const place = { kind, x, y, width, height };
    if ('text' in value) return { ...place, text: value.text };
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
