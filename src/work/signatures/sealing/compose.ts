import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { requireInk } from './drawn-pages.ts';
import { tryToLoad } from './load.ts';
import type { Layer, Overlay, SealingOutput, SealText } from './messages.ts';
import { matrixOnto, shownOf } from './page-box.ts';
import { drawOver } from './page-content.ts';
import { Unsealable } from './pdf-sealer.ts';

/** The rectangle of the seal on the first certificate page, in points from the left and the bottom. Must match certificate.typ. */
const sealBox = { x: 56, y: 56, width: 220, height: 56 };
/** Number of digits of the placeholders. The byte range overwrites them later. */
const digits = 9_999_999_999;
const rangeRoom = `[0 ${digits} ${digits} ${digits}]`;
/** The DocMDP level: only form filling and signing are allowed (ISO 32000-2, 12.8.2.2). Timestamps and validation data can still be added. */
const mayFillIn = 2;

type ComposeInput = Layer & { seal: SealText; room: number };

/**
 * Appends the field values, the certificate and an empty signature to the presented file, and fills in the byte range. Without a separate
 * certificate, the file itself is the certificate, and the seal goes on its first page.
 */
export async function compose(files: Buffer[], { seal, room, ...layer }: ComposeInput): Promise<SealingOutput> {
  const [base = Buffer.alloc(0), certificate = Buffer.alloc(0), ...laid] = files;
  const pdf = await loaded(base);
  await layOver(pdf, laid, layer.overlays);
  const page = certificate.length === 0 ? pdf.getPage(0)?.ref : await addPages(pdf, certificate);
  if (!page) throw new Unsealable('no_pages', 'The file has no page for the seal.');
  addSignature(pdf, page, seal, room);
  const saved = await continued(pdf, base);
  await requireInk(base, saved, laid, layer);
  return { response: { done: 'compose', contents: fillRange(saved, base.length, room) }, file: saved };
}

/** Adds overlay pages to a trial copy. Throws an {@link Unsealable} if a field value is not visible or other content of a page changes. */
export async function tryFields([base = Buffer.alloc(0), ...laid]: Buffer[], layer: Layer): Promise<SealingOutput> {
  const pdf = await loaded(base);
  await layOver(pdf, laid, layer.overlays);
  await requireInk(base, await continued(pdf, base), laid, layer);
  return { response: { done: 'try' }, file: Buffer.alloc(0) };
}

async function continued(pdf: PDF, base: Buffer): Promise<Buffer> {
  const saved = Buffer.from(await pdf.save({ incremental: true, compressStreams: false }));
  if (saved.compare(base, 0, base.length, 0, base.length) !== 0)
    throw new Error('The library rewrote the presented file instead of appending to it.');
  return saved;
}

async function loaded(file: Buffer): Promise<PDF> {
  const pdf = await tryToLoad(file);
  if (!pdf) throw new Unsealable('broken', 'The file cannot be read.');
  return pdf;
}

async function layOver(pdf: PDF, laid: Buffer[], overlays: readonly Overlay[]): Promise<void> {
  const sources = await Promise.all(laid.map(loaded));
  for (const { file, page: number, onto } of overlays) {
    const page = pdf.getPage(onto);
    const source = sources[file];
    if (!page || !source) throw new Error(`page ${onto} or file ${file} does not exist`);
    const { ref } = await pdf.embedPage(source, number);
    drawOver(pdf, page.dict, [{ ref, matrix: matrixOnto(shownOf(pdf, page.dict)), artifact: true }]);
  }
}

/** Adds the certificate pages and returns the first one. */
async function addPages(pdf: PDF, certificate: Buffer): Promise<PdfRef> {
  const source = await loaded(certificate);
  const pages = await pdf.copyPagesFrom(
    source,
    Array.from({ length: source.getPageCount() }, (_, at) => at),
  );
  // Their structure indexes could collide with those of the original pages.
  for (const { dict } of pages) for (const member of ['StructParents', 'Tabs']) dict.delete(member);
  const first = pages[0]?.ref;
  if (!first) throw new Error('The certificate has no page.');
  return first;
}

function addSignature(pdf: PDF, pageRef: PdfRef, { name, reason, field, time }: SealText, room: number): void {
  const catalog = pdf.getCatalog();
  const signature = pdf.register(
    PdfDict.of({
      Type: PdfName.of('Sig'),
      Filter: PdfName.of('Adobe.PPKLite'),
      SubFilter: PdfName.of('ETSI.CAdES.detached'),
      ByteRange: new PdfArray([0, digits, digits, digits].map((number) => PdfNumber.of(number))),
      Contents: PdfString.fromHex('0'.repeat(room * 2)),
      Name: text(name),
      Reason: text(reason),
      // A PAdES baseline signature requires the time that the signer claims (ETSI EN 319 142-1, 6.3).
      M: PdfString.fromString(`D:${time.replaceAll(/[-:T]/g, '').slice(0, 14)}Z`),
      Reference: new PdfArray([
        PdfDict.of({
          Type: PdfName.of('SigRef'),
          TransformMethod: PdfName.of('DocMDP'),
          TransformParams: PdfDict.of({ Type: PdfName.of('TransformParams'), P: PdfNumber.of(mayFillIn), V: PdfName.of('1.2') }),
        }),
      ]),
    }),
  );
  // The page already shows the seal text. Viewers open the invisible field over it.
  const appearance = pdf.register(
    PdfStream.fromDict(
      {
        Type: PdfName.of('XObject'),
        Subtype: PdfName.of('Form'),
        BBox: rectangle(0, 0, sealBox.width, sealBox.height),
        Resources: new PdfDict(),
      },
      Buffer.from('q Q\n'),
    ),
  );
  const { x, y, width, height } = sealBox;
  const widget = pdf.register(
    PdfDict.of({
      Type: PdfName.of('Annot'),
      Subtype: PdfName.of('Widget'),
      FT: PdfName.of('Sig'),
      T: text(field),
      TU: text(reason),
      F: PdfNumber.of(132),
      Rect: rectangle(x, y, x + width, y + height),
      P: pageRef,
      V: signature,
      AP: PdfDict.of({ N: appearance }),
    }),
  );
  const page = pdf.getObject(pageRef) as PdfDict;
  const notes = page.get('Annots', (ref) => pdf.getObject(ref));
  page.set('Annots', new PdfArray([...(notes instanceof PdfArray ? notes.toArray() : []), widget]));
  catalog.set('AcroForm', pdf.register(PdfDict.of({ SigFlags: PdfNumber.of(3), Fields: new PdfArray([widget]) })));
  catalog.set('Perms', PdfDict.of({ DocMDP: signature }));
}

const rectangle = (...numbers: number[]) => new PdfArray(numbers.map((number) => PdfNumber.of(number)));

/** Encodes a text as UTF-16 with a byte order mark. */
function text(value: string): PdfString {
  const encoded = Buffer.from(`\ufeff${value}`, 'utf16le').swap16();
  return PdfString.fromHex(encoded.toString('hex'));
}

/** Writes the byte range, which covers everything except the signature. Returns the position and length of the signature. */
function fillRange(saved: Buffer, from: number, room: number): { at: number; length: number } {
  const range = saved.indexOf(rangeRoom, from, 'latin1');
  const at = saved.indexOf(`<${'0'.repeat(room * 2)}>`, from, 'latin1');
  if (range === -1 || at === -1 || saved.indexOf(rangeRoom, range + 1, 'latin1') !== -1)
    throw new Error('The signature placeholder is missing.');
  const length = room * 2 + 2;
  saved.write(`[0 ${at} ${at + length} ${saved.length - at - length}]`.padEnd(rangeRoom.length), range, 'latin1');
  return { at, length };
}
