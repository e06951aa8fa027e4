import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { requireInk } from './drawn-pages.ts';
import { tryToLoad } from './load.ts';
import type { Layer, Overlay, SealingOutput, SealText } from './messages.ts';
import { matrixOnto, shownOf } from './page-box.ts';
import { drawOver } from './page-content.ts';
import { Unsealable } from './pdf-sealer.ts';

/** Where the template of the certificate leaves room for the seal: points from the left and from the bottom of its first page. */
const sealBox = { x: 56, y: 56, width: 220, height: 56 };
/** Numbers of ten digits, which the range is written over. */
const digits = 9_999_999_999;
const rangeRoom = `[0 ${digits} ${digits} ${digits}]`;
/** Documents may be filled in and signed, and nothing else (ISO 32000-2, 12.8.2.2): timestamps and what proves certificates may come later. */
const mayFillIn = 2;

type ComposeInput = Layer & { seal: SealText; room: number };

/**
 * Continues what is signed with the fields, the certificate and an empty signature over all of it, whose range is filled in. Without a
 * certificate the file is one itself, and the seal goes onto its first page.
 */
export async function compose(files: Buffer[], { seal, room, ...layer }: ComposeInput): Promise<SealingOutput> {
  const [base = Buffer.alloc(0), certificate = Buffer.alloc(0), ...laid] = files;
  const pdf = await loaded(base);
  await layOver(pdf, laid, layer.overlays);
  const page = certificate.length === 0 ? pdf.getPage(0)?.ref : await addPages(pdf, certificate);
  if (!page) throw new Unsealable('no_pages', 'There is no page for the seal.');
  addSignature(pdf, page, seal, room);
  const saved = await continued(pdf, base);
  await requireInk(base, saved, laid, layer);
  return { response: { done: 'compose', contents: fillRange(saved, base.length, room) }, file: saved };
}

/** Lays pages over others for a trial. Throws an {@link Unsealable} where they cannot be seen there, or where a page looks other than before. */
export async function tryFields([base = Buffer.alloc(0), ...laid]: Buffer[], layer: Layer): Promise<SealingOutput> {
  const pdf = await loaded(base);
  await layOver(pdf, laid, layer.overlays);
  await requireInk(base, await continued(pdf, base), laid, layer);
  return { response: { done: 'try' }, file: Buffer.alloc(0) };
}

async function continued(pdf: PDF, base: Buffer): Promise<Buffer> {
  const saved = Buffer.from(await pdf.save({ incremental: true }));
  if (saved.compare(base, 0, base.length, 0, base.length) !== 0) throw new Error('what is signed was not continued but written anew');
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
    if (!page || !source) throw new Error(`there is no page ${onto} or no file ${file}`);
    const { ref } = await pdf.embedPage(source, number);
    drawOver(pdf, page.dict, [{ ref, matrix: matrixOnto(shownOf(pdf, page.dict)), artifact: true }]);
  }
}

/** Adds the pages of the certificate, and says which is its first. */
async function addPages(pdf: PDF, certificate: Buffer): Promise<PdfRef> {
  const source = await loaded(certificate);
  const pages = await pdf.copyPagesFrom(
    source,
    Array.from({ length: source.getPageCount() }, (_, at) => at),
  );
  // Their places in the tree of structure would be taken for those of pages of the original.
  for (const { dict } of pages) for (const member of ['StructParents', 'Tabs']) dict.delete(member);
  const first = pages[0]?.ref;
  if (!first) throw new Error('the certificate has no page');
  return first;
}

function addSignature(pdf: PDF, pageRef: PdfRef, { name, reason, field }: SealText, room: number): void {
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
      Reference: new PdfArray([
        PdfDict.of({
          Type: PdfName.of('SigRef'),
          TransformMethod: PdfName.of('DocMDP'),
          TransformParams: PdfDict.of({ Type: PdfName.of('TransformParams'), P: PdfNumber.of(mayFillIn), V: PdfName.of('1.2') }),
        }),
      ]),
    }),
  );
  // The page itself shows what the seal says; the field over it is what readers open.
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

/** A text as PDF has it: UTF-16 with its mark. */
function text(value: string): PdfString {
  const encoded = Buffer.from(`\ufeff${value}`, 'utf16le').swap16();
  return PdfString.fromHex(encoded.toString('hex'));
}

/** Writes over which bytes the signature goes, which is all but its own, and says where that stands. */
function fillRange(saved: Buffer, from: number, room: number): { at: number; length: number } {
  const range = saved.indexOf(rangeRoom, from, 'latin1');
  const at = saved.indexOf(`<${'0'.repeat(room * 2)}>`, from, 'latin1');
  if (range === -1 || at === -1 || saved.indexOf(rangeRoom, range + 1, 'latin1') !== -1) throw new Error('the signature has no place');
  const length = room * 2 + 2;
  saved.write(`[0 ${at} ${at + length} ${saved.length - at - length}]`.padEnd(rangeRoom.length), range, 'latin1');
  return { at, length };
}
