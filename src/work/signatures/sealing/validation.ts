import { PdfArray, PdfDict, PdfName, PdfStream, type PDF } from '@libpdf/core';
import { tryToLoad } from './load.ts';
import type { SealingOutput } from './messages.ts';

type Counts = { certificates: number; lists: number; answers: number };

/** Appends validation data to a sealed file (ISO 32000-2, 12.8.4.3). Does not change existing bytes. */
export async function addValidation(files: Buffer[], counts: Counts): Promise<SealingOutput> {
  const [sealed = Buffer.alloc(0), ...kept] = files;
  const pdf = await tryToLoad(sealed);
  if (!pdf) throw new Error('The sealed file cannot be read.');
  const next = (count: number) => streams(pdf, kept.splice(0, count));
  const store = PdfDict.of({ Type: PdfName.of('DSS'), Certs: next(counts.certificates) });
  if (counts.lists > 0) store.set('CRLs', next(counts.lists));
  if (counts.answers > 0) store.set('OCSPs', next(counts.answers));
  pdf.getCatalog().set('DSS', pdf.register(store));
  const file = Buffer.from(await pdf.save({ incremental: true }));
  if (file.compare(sealed, 0, sealed.length, 0, sealed.length) !== 0)
    throw new Error('The library rewrote the sealed file instead of appending to it.');
  return { response: { done: 'validation' }, file };
}

function streams(pdf: PDF, files: Buffer[]): PdfArray {
  return new PdfArray(files.map((file) => pdf.register(new PdfStream([], file))));
}
