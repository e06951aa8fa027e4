import { deflateSync } from 'node:zlib';
import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import { type ContentState, scanContent } from './content-scan.ts';
import { inherited, ownResources, shownOf } from './page-box.ts';

/** An object drawn on a page with the matrix that places it. `artifact`: the object is not part of the logical structure of the document. */
export type Drawing = { ref: PdfRef; matrix: readonly number[]; artifact?: boolean };

/**
 * Draws over the content of a page in the initial graphics state, even if the content leaves states open. Removes each excess `Q` and an unfinished
 * end: viewers ignore them, but they could undo or hide the drawings. Moves malformed content to a form XObject, because Poppler skips the rest of a
 * stream after an operator with too few operands. Keeps all other content. Returns the XObject names of the drawings.
 */
export function drawOver(pdf: PDF, page: PdfDict, drawings: readonly Drawing[]): string[] {
  if (drawings.length === 0) return [];
  const resources = inherited(pdf, page, 'Resources');
  const drawn = ownResources(pdf, page).get('XObject') as PdfDict;
  const names = drawings.map(({ ref }) => {
    const name = freeName(drawn);
    drawn.set(name, ref);
    return name;
  });
  const lines = drawings.map(({ matrix, artifact }, at) => {
    const draw = `q ${matrix.map((number) => Number(number.toFixed(5))).join(' ')} cm /${names[at]} Do Q`;
    return artifact ? `/Artifact BMC ${draw} EMC` : draw;
  });
  const before = partsOf(pdf, page);
  const bytes = before.length === 0 ? undefined : joined(pdf, before);
  const state = bytes && scanContent(bytes);
  const stream = (content: string) => pdf.register(new PdfStream([], Buffer.from(content, 'latin1')));
  const after = `${lines.join('\n')}\n`;
  page.set('Contents', new PdfArray(contentParts()));
  return names;

  function contentParts(): PdfObject[] {
    if (before.length === 0) return [stream(after)];
    const begin = stream('q\n');
    if (!bytes || !state) return [begin, ...before, stream(`\nQ\n${after}`)];
    const end = `\n${closing(state)}`;
    if (state.malformed) {
      const name = freeName(drawn);
      drawn.set(name, asXObject(pdf, { page, resources }, Buffer.concat([cleaned(bytes, state), Buffer.from(end)])));
      return [stream(`q /${name} Do Q\n${after}`)];
    }
    const kept = state.unfinished || state.excess.length > 0 ? [pdf.register(deflated({}, cleaned(bytes, state)))] : before;
    return [begin, ...kept, stream(`${end}Q\n${after}`)];
  }
}

function freeName(drawn: PdfDict): string {
  for (let number = 0; ; number += 1) if (!drawn.has(`Over${number}`)) return `Over${number}`;
}

/** Returns the content streams of a page in the form in which the page references them. */
function partsOf(pdf: PDF, page: PdfDict): PdfObject[] {
  const direct = page.get('Contents');
  const resolved = direct instanceof PdfRef ? pdf.getObject(direct) : direct;
  const parts = resolved instanceof PdfArray ? resolved.toArray() : direct === undefined ? [] : [direct];
  return parts.filter((part) => resolve(pdf, part) instanceof PdfStream);
}

const resolve = (pdf: PDF, part: PdfObject) => (part instanceof PdfRef ? pdf.getObject(part) : part);

/** Returns the concatenated content of a page, or undefined if a part cannot be decoded. */
function joined(pdf: PDF, parts: readonly PdfObject[]): Buffer | undefined {
  try {
    return Buffer.concat(parts.flatMap((part) => [(resolve(pdf, part) as PdfStream).getDecodedData(), Buffer.from('\n')]));
  } catch {
    return undefined;
  }
}

/** Returns the operators that close all open states of the content. */
function closing({ saved, marked, inText, inPath }: ContentState): string {
  return `${inText ? 'ET\n' : ''}${inPath ? 'n\n' : ''}${'EMC\n'.repeat(marked)}${'Q\n'.repeat(saved)}`;
}

function cleaned(bytes: Buffer, { excess, end }: ContentState): Buffer {
  const content = Buffer.from(bytes.subarray(0, end));
  for (const at of excess) content.write(' ', at);
  return content;
}

/** Returns the page content as a form XObject with the coordinates and resources of the page. */
function asXObject(pdf: PDF, { page, resources }: { page: PdfDict; resources: PdfObject | undefined }, content: Buffer): PdfRef {
  const { x, y, width, height } = shownOf(pdf, page);
  const box = new PdfArray([x, y, x + width, y + height].map((number) => PdfNumber.of(number)));
  const members = { Type: PdfName.of('XObject'), Subtype: PdfName.of('Form'), BBox: box, Resources: resources ?? new PdfDict() };
  return pdf.register(deflated(members, content));
}

const deflated = (members: Record<string, PdfObject>, content: Buffer) =>
  PdfStream.fromDict({ ...members, Filter: PdfName.of('FlateDecode') }, deflateSync(content));
