import { type PDF, PdfArray, PdfDict, PdfNumber, type PdfObject } from '@libpdf/core';
import type { PageSize } from './pdf-sealer.ts';

/** The visible part of a page, in page coordinates. `turned` is the rotation in degrees; `unit` is the size of one unit in points. */
export type VisibleArea = { x: number; y: number; width: number; height: number; turned: 0 | 90 | 180 | 270; unit: number };
type Box = { left: number; bottom: number; right: number; top: number };

const letter: Box = { left: 0, bottom: 0, right: 612, top: 792 };
/** Maximum depth of the page tree. A deeper tree is rejected as circular. */
const deepest = 50;

/** Returns an attribute of a page, which it can inherit from its parents (ISO 32000-2, 7.7.3.4). */
export function inherited(pdf: PDF, page: PdfDict, member: string): PdfObject | undefined {
  const resolve = (ref: Parameters<PDF['getObject']>[0]) => pdf.getObject(ref);
  let node: PdfObject | undefined = page;
  for (let step = 0; step < deepest && node instanceof PdfDict; step += 1) {
    const value = node.get(member, resolve);
    if (value !== undefined) return value;
    node = node.get('Parent', resolve);
  }
  return undefined;
}

/**
 * Copies the resources of the page, so that additions do not appear on other pages. Without it, additions by the library would hide inherited
 * resources.
 */
export function ownResources(pdf: PDF, page: PdfDict): PdfDict {
  const found = inherited(pdf, page, 'Resources');
  const own = found instanceof PdfDict ? found.clone() : new PdfDict();
  const drawn = own.get('XObject', (ref) => pdf.getObject(ref));
  own.set('XObject', drawn instanceof PdfDict ? drawn.clone() : new PdfDict());
  page.set('Resources', own);
  return own;
}

/** Returns the visible part of a page: its crop box within the media box (ISO 32000-2, 14.11.2). */
export function shownOf(pdf: PDF, page: PdfDict): VisibleArea {
  const paper = boxOf(pdf, inherited(pdf, page, 'MediaBox')) ?? letter;
  const crop = boxOf(pdf, inherited(pdf, page, 'CropBox')) ?? paper;
  const both = {
    left: Math.max(paper.left, crop.left),
    bottom: Math.max(paper.bottom, crop.bottom),
    right: Math.min(paper.right, crop.right),
    top: Math.min(paper.top, crop.top),
  };
  const { left, bottom, right, top } = both.right > both.left && both.top > both.bottom ? both : paper;
  const rotate = inherited(pdf, page, 'Rotate');
  const turned = rotate instanceof PdfNumber && rotate.value % 90 === 0 ? ((rotate.value % 360) + 360) % 360 : 0;
  const user = page.get('UserUnit', (ref) => pdf.getObject(ref));
  const unit = user instanceof PdfNumber && user.value > 0 ? user.value : 1;
  return { x: left, y: bottom, width: right - left, height: top - bottom, turned: turned as VisibleArea['turned'], unit };
}

/** Reads a box. A file can give any two opposite corners of it. */
function boxOf(pdf: PDF, value: PdfObject | undefined): Box | undefined {
  if (!(value instanceof PdfArray) || value.length !== 4) return undefined;
  const numbers = [0, 1, 2, 3].map((at) => value.at(at, (ref) => pdf.getObject(ref)));
  const [one = 0, two = 0, three = 0, four = 0] = numbers.map((number) => (number instanceof PdfNumber ? number.value : Number.NaN));
  if ([one, two, three, four].some((number) => !Number.isFinite(number))) return undefined;
  return { left: Math.min(one, three), bottom: Math.min(two, four), right: Math.max(one, three), top: Math.max(two, four) };
}

/** Returns the visible size of a page, in points. */
export function sizeOf({ width, height, turned, unit }: VisibleArea): PageSize {
  const seen = turned === 90 || turned === 270 ? { width: height, height: width } : { width, height };
  return { width: seen.width * unit, height: seen.height * unit };
}

/** Returns the matrix that places an upright page over the visible area, both of the same size (ISO 32000-2, 8.3.4). */
export function matrixOnto({ x, y, width, height, turned, unit }: VisibleArea): number[] {
  const one = 1 / unit;
  if (turned === 90) return [0, one, -one, 0, x + width, y];
  if (turned === 180) return [-one, 0, 0, -one, x + width, y + height];
  if (turned === 270) return [0, -one, one, 0, x, y + height];
  return [one, 0, 0, one, x, y];
}
