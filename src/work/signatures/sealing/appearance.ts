import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { dictionaryAt, nameAt, numberAt } from './walk.ts';

/** Annotation flags (ISO 32000-2, table 167). */
const flag = { hidden: 2, print: 4, noView: 32, toggleNoView: 256 } as const;

/** Returns where an annotation is visible. `varies`: the viewer shows or hides it depending on the pointer. */
export function visibilityOf(pdf: PDF, annotation: PdfDict): { onScreen: boolean; inPrint: boolean; varies: boolean } {
  const flags = numberAt(pdf, annotation, 'F') ?? 0;
  const isHidden = (flags & flag.hidden) !== 0;
  return {
    onScreen: !isHidden && (flags & flag.noView) === 0,
    inPrint: !isHidden && (flags & flag.print) !== 0,
    varies: !isHidden && (flags & flag.toggleNoView) !== 0,
  };
}

/** Returns the appearance stream of an annotation and the matrix that places it in its rectangle (ISO 32000-2, 12.5.5). */
export function appearanceOf(pdf: PDF, annotation: PdfDict): { stream: PdfStream; matrix: number[] } | undefined {
  const stream = normalOf(pdf, annotation);
  const rectangle = numbersAt(pdf, annotation, 'Rect', 4);
  const box = stream && numbersAt(pdf, stream, 'BBox', 4);
  if (!stream || !rectangle || !box) return undefined;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersAt(pdf, stream, 'Matrix', 6) ?? [];
  const [left = 0, bottom = 0, right = 0, top = 0] = box;
  const corners = [left, right].flatMap((x) => [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const));
  const across = extent(corners.map(([x]) => x));
  const along = extent(corners.map(([, y]) => y));
  if (across.length === 0 || along.length === 0) return undefined;
  const onto = { x: extent([rectangle[0] ?? 0, rectangle[2] ?? 0]), y: extent([rectangle[1] ?? 0, rectangle[3] ?? 0]) };
  const [wide, high] = [onto.x.length / across.length, onto.y.length / along.length];
  return { stream, matrix: [wide, 0, 0, high, onto.x.from - across.from * wide, onto.y.from - along.from * high] };
}

const extent = (numbers: readonly number[]) => {
  const from = Math.min(...numbers);
  return { from, length: Math.max(...numbers) - from };
};

/** Returns the normal appearance of an annotation in its current state. */
function normalOf(pdf: PDF, annotation: PdfDict): PdfStream | undefined {
  const normal = dictionaryAt(pdf, annotation, 'AP') && dictionaryAt(pdf, dictionaryAt(pdf, annotation, 'AP') as PdfDict, 'N');
  if (!normal || normal instanceof PdfStream) return normal;
  const state = nameAt(pdf, annotation, 'AS');
  const found = state === undefined ? undefined : dictionaryAt(pdf, normal, state);
  return found instanceof PdfStream ? found : undefined;
}

/** Sets the missing `Subtype` of an appearance stream. Some files omit it. */
export function asForm(stream: PdfStream): PdfStream {
  if (!stream.has('Subtype')) stream.set('Subtype', PdfName.of('Form'));
  return stream;
}

function numbersAt(pdf: PDF, dictionary: PdfDict, member: string, count: number): number[] | undefined {
  const value = dictionary.get(member, (ref) => pdf.getObject(ref));
  if (!(value instanceof PdfArray) || value.length < count) return undefined;
  const numbers = Array.from({ length: count }, (_, at) => value.at(at, (ref) => pdf.getObject(ref)));
  return numbers.every((number) => number instanceof PdfNumber) ? numbers.map(({ value: number }) => number) : undefined;
}
