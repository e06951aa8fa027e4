import { PDF, PdfArray, PdfRef, PdfStream } from '@libpdf/core';

/** Objects of small PDFs, as text. Their font is object 3, their first page object 4 and its content object 5, as in `plainPdf`. */
export const stream = (content: string, more = '') => `<<${more}/Length ${content.length}>>\nstream\n${content}\nendstream`;

/** Returns a form XObject. */
export const drawn = (content: string, more = '') => stream(content, `/Type/XObject/Subtype/Form${more}/Resources<</Font<</F1 3 0 R>>>>`);

/** Returns the first page of a letter, with additional members. */
export const page = (more: string) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>${more}>>`;

/** Returns a text string in UTF-16. */
export const utf16 = (text: string) => `<${Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')}>`;

/** Returns the content streams of the first page, joined. */
export async function contentOf(file: Uint8Array): Promise<Buffer> {
  const pdf = await PDF.load(file);
  const dict = pdf.getPage(0)?.dict;
  const found = dict?.get('Contents', (ref) => pdf.getObject(ref));
  const parts = found instanceof PdfArray ? found.toArray() : [found];
  return Buffer.concat(
    parts.flatMap((part) => {
      const one = part instanceof PdfRef ? pdf.getObject(part) : part;
      return one instanceof PdfStream ? [one.getDecodedData(), Buffer.from('\n')] : [];
    }),
  );
}
