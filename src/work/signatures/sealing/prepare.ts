import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { findSignatures } from '../verifying/find-signatures.ts';
import { refuseActiveContent } from './active-content.ts';
import { textsOf } from './drawn-pages.ts';
import { flattenForm, type FormValue } from './flatten.ts';
import { notShown } from './form-values.ts';
import { loadWhole, tryToLoad } from './load.ts';
import type { SealingOutput, SealingResponse } from './messages.ts';
import { shownOf, sizeOf } from './page-box.ts';
import { type PreparationFinding, maxPdfBytes, maxPages, type PageSize, type PageRectangle, Unsealable } from './pdf-sealer.ts';
import { dictionaryAt, eachDictionary, membersAt, nameAt } from './walk.ts';

/** Maximum page size in points; viewers show no larger page (ISO 32000-2, annex C). */
const longestSide = 14_400;

/** Converts an upload to the file that signers see. Throws an {@link Unsealable}. */
export async function prepare(upload: Buffer, fields: readonly PageRectangle[]): Promise<SealingOutput> {
  if (!upload.subarray(0, 1_024).includes('%PDF-'))
    throw new Unsealable('not_a_pdf', 'The file is not a PDF. Print or save it as PDF and upload the new file.');
  const { pdf, bytes, repaired } = await loadWhole(upload);
  refuseTooManyPages(pdf);
  if (isSigned(pdf, upload)) return signedBefore(pdf, upload, fields);
  const findings: PreparationFinding[] = repaired ? ['repaired'] : [];
  const presented = await freed(pdf, bytes, findings);
  const whole = await reloaded(presented, pdf.getPageCount());
  refuseActiveContent(whole);
  return { response: answer(pagesOf(whole, fields), findings, 'append'), file: presented };
}

/** Keeps a file with existing signatures unchanged, even if it could be repaired. */
function signedBefore(pdf: PDF, upload: Buffer, fields: readonly PageRectangle[]): SealingOutput {
  if (fields.length > 0)
    throw new Unsealable(
      'fields_not_possible',
      'The file already has a signature, which drawn fields would invalidate. Create the request without fields.',
    );
  refuseActiveContent(pdf);
  return { response: answer(pagesOf(pdf, []), ['signed_before'], 'separate'), file: upload };
}

function answer(pages: PageSize[], findings: PreparationFinding[], manner: 'append' | 'separate'): SealingResponse {
  return { done: 'prepare', pages, findings, manner };
}

function refuseTooManyPages(pdf: PDF): void {
  const count = pdf.getPageCount();
  if (count > maxPages)
    throw new Unsealable(
      'too_many_pages',
      `The file has ${count} pages. The maximum is ${maxPages}. Split the file and create several requests.`,
    );
}

/** Removes the owner password and flattens the form. Adds a finding for each change. */
async function freed(pdf: PDF, bytes: Uint8Array, findings: PreparationFinding[]): Promise<Uint8Array> {
  const form = dictionaryAt(pdf, pdf.getCatalog(), 'AcroForm');
  if (form?.has('XFA'))
    throw new Unsealable('xfa', 'The file is an XFA form, which looks different in each program. Print it as PDF and upload the new file.');
  if (pdf.isEncrypted) {
    // The service ignores the restrictions of an owner password, because the file is sealed for its signers. The evidence records the removal.
    unlock(pdf);
    findings.push('owner_password_removed');
  }
  if (!form) return pdf.isEncrypted ? pdf.save() : bytes;
  const isFilledIn = membersAt(pdf, form, 'Fields').length > 0;
  if (isFilledIn) findings.push('flattened');
  return isFilledIn ? flattened(pdf, bytes) : withoutForm(pdf);
}

/** Flattens the form so that the pages show each value. Then redraws the values that are missing on the pages. */
async function flattened(pdf: PDF, bytes: Uint8Array): Promise<Uint8Array> {
  const values = flattenForm(pdf);
  const first = await withoutForm(pdf);
  const missing = await notIn(first, values);
  if (missing.length === 0) return first;
  const other = missing.find(({ redrawable }) => !redrawable);
  if (other) throw notShown(other, 'does not show its real value');
  const { pdf: again } = await loadWhole(bytes);
  if (again.isEncrypted) unlock(again);
  const shown = flattenForm(again, new Set(missing.map(({ name }) => name)));
  const second = await withoutForm(again);
  const [still] = await notIn(second, shown);
  if (still) throw notShown(still, 'does not show its value');
  return second;
}

function withoutForm(pdf: PDF): Promise<Uint8Array> {
  pdf.context.catalog.removeAcroForm();
  return pdf.save({ subsetFonts: true });
}

/** Returns the values whose appearances do not contain their text. Does not search the whole page, because other text can contain the same words. */
async function notIn(file: Uint8Array, values: readonly FormValue[]): Promise<FormValue[]> {
  const drawn = values.flatMap((value) => value.drawings.map((name) => ({ value, name })));
  if (drawn.length === 0) return [...values];
  const texts = await textsOf(
    await apart(
      file,
      drawn.map(({ value: { page }, name }) => ({ page, name })),
    ),
  );
  const shown = new Set(values.filter(({ drawings }) => drawings.length > 0));
  drawn.forEach(({ value }, at) => {
    if (!shows(texts[at] ?? '', value.text)) shown.delete(value);
  });
  return values.filter((value) => !shown.has(value));
}

/** Returns a file with one page for each XObject. */
async function apart(file: Uint8Array, drawings: readonly { page: number; name: string }[]): Promise<Uint8Array> {
  const { pdf } = await loadWhole(file);
  const pages = pdf.getPages();
  const tree = PdfDict.of({ Type: PdfName.of('Pages'), Count: PdfNumber.of(drawings.length) });
  const parent = pdf.register(tree);
  const kids = drawings.map(({ page, name }) => {
    const dict = pages[page]?.dict;
    const resources = dict && dictionaryAt(pdf, dict, 'Resources');
    const objects = resources && dictionaryAt(pdf, resources, 'XObject');
    const shown = objects?.get(name);
    if (!shown) throw new Error(`page ${page} draws no ${name}`);
    const content = pdf.register(new PdfStream([], Buffer.from('/Drawn Do')));
    const box = new PdfArray([-longestSide, -longestSide, longestSide, longestSide].map((number) => PdfNumber.of(number)));
    const own = PdfDict.of({ XObject: PdfDict.of({ Drawn: shown }) });
    return pdf.register(PdfDict.of({ Type: PdfName.of('Page'), Parent: parent, MediaBox: box, Resources: own, Contents: content }));
  });
  tree.set('Kids', new PdfArray(kids));
  pdf.getCatalog().set('Pages', parent);
  return pdf.save({ incremental: true });
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Whether a text contains the words of a value. Ignores spaces, line breaks, punctuation and writing direction. */
function shows(text: string, value: string): boolean {
  const plain = (some: string) => some.normalize('NFKC').toLowerCase();
  const found = plain(text);
  const letters = found.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const words = plain(value).split(rightToLeft.test(value) ? /\s+/ : /[\r\n]+/);
  return words.every((word) => {
    const own = word.replaceAll(/[^\p{L}\p{N}]/gu, '');
    if (own === '') return found.replaceAll(/\s/g, '').includes(word.replaceAll(/\s/g, ''));
    return letters.includes(own) || (rightToLeft.test(word) && letters.includes(Array.from(own).toReversed().join('')));
  });
}

function unlock(pdf: PDF): void {
  (pdf as unknown as { _pendingSecurity: { action: 'remove' } })._pendingSecurity = { action: 'remove' };
}

async function reloaded(presented: Uint8Array, pages: number): Promise<PDF> {
  if (presented.length > maxPdfBytes) throw new Unsealable('too_large', `The file is larger than ${maxPdfBytes / 1024 / 1024} MiB.`);
  const pdf = await tryToLoad(presented);
  if (!pdf || pdf.recoveredViaBruteForce || pdf.isEncrypted || pdf.getPageCount() !== pages)
    throw new Unsealable('broken', 'The file could not be rewritten with all its pages. Print it as PDF again and upload the new file.');
  return pdf;
}

/** Whether the file already has a signature or certification. Examines the form fields and the raw bytes. */
function isSigned(pdf: PDF, upload: Buffer): boolean {
  if (pdf.getCatalog().has('Perms')) return true;
  if (findSignatures(upload).length > 0) return true;
  let signed = false;
  eachDictionary(pdf, (dictionary) => {
    signed ||=
      dictionary.has('ByteRange') || (nameAt(pdf, dictionary, 'FT') === 'Sig' && dictionaryAt(pdf, dictionary, 'V') instanceof PdfDict);
  });
  return signed;
}

function pagesOf(pdf: PDF, fields: readonly PageRectangle[]): PageSize[] {
  const pages = pdf.getPages().map(({ dict }) => sizeOf(shownOf(pdf, dict)));
  for (const { width, height } of pages)
    if (!(width > 0 && height > 0 && width <= longestSide && height <= longestSide))
      throw new Unsealable('broken', 'A page of the file has an invalid size.');
  fields.forEach((field, at) => {
    const page = pages[field.page - 1];
    const inside =
      page && field.x >= 0 && field.y >= 0 && field.x + field.width <= page.width + 0.5 && field.y + field.height <= page.height + 0.5;
    if (!inside) throw new Unsealable('field_outside_page', `Field ${at + 1} is not within page ${field.page} of the file.`);
  });
  return pages;
}
