import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream } from '@libpdf/core';
import { Unsealable } from './pdf-sealer.ts';

const maxObjects = 400_000;

/** Visits each dictionary reachable from the catalog and the document information of a PDF. Throws if there are too many objects. */
export function eachDictionary(pdf: PDF, visit: (dictionary: PdfDict) => void): void {
  const resolve = (ref: PdfRef) => pdf.getObject(ref);
  const seen = new Set<string>();
  const waiting: unknown[] = [pdf.getCatalog()];
  const information = pdf.context.info.trailer.getRef('Info');
  if (information) waiting.push(information);
  for (let steps = 0; waiting.length > 0; steps += 1) {
    if (steps > maxObjects)
      throw new Unsealable('limit', 'The file has too many PDF objects. Print it as PDF again and upload the new file.');
    let object = waiting.pop();
    if (object instanceof PdfRef) {
      const name = `${object.objectNumber} ${object.generation}`;
      if (seen.has(name)) continue;
      seen.add(name);
      object = resolve(object);
    }
    if (object instanceof PdfDict) visit(object);
    addDeep(object, waiting);
  }
}

/** Adds the members of an array or dictionary that can contain dictionaries. */
function addDeep(object: unknown, waiting: unknown[]): void {
  if (!(object instanceof PdfArray || object instanceof PdfDict)) return;
  for (const member of object) {
    const value = Array.isArray(member) ? member[1] : member;
    if (isDeep(value)) waiting.push(value);
  }
}

const isDeep = (value: unknown) => value instanceof PdfRef || value instanceof PdfArray || value instanceof PdfDict;

/** Returns the name at a key of a dictionary. */
export function nameAt(pdf: PDF, dictionary: PdfDict, member: string): string | undefined {
  const value = dictionary.get(member, (ref) => pdf.getObject(ref));
  return value instanceof PdfName ? value.value : undefined;
}

/** Returns the number at a key of a dictionary. */
export function numberAt(pdf: PDF, dictionary: PdfDict, member: string): number | undefined {
  const value = dictionary.get(member, (ref) => pdf.getObject(ref));
  return value instanceof PdfNumber ? value.value : undefined;
}

/** Returns the dictionary at a key of a dictionary. */
export function dictionaryAt(pdf: PDF, dictionary: PdfDict, member: string): PdfDict | undefined {
  const value = dictionary.get(member, (ref) => pdf.getObject(ref));
  return value instanceof PdfDict ? value : undefined;
}

/** Returns the elements of the array at a key of a dictionary. */
export function membersAt(pdf: PDF, dictionary: PdfDict, member: string): unknown[] {
  const value = dictionary.get(member, (ref) => pdf.getObject(ref));
  if (!(value instanceof PdfArray)) return [];
  return Array.from({ length: value.length }, (_, at) => value.at(at)).map((one) => (one instanceof PdfRef ? pdf.getObject(one) : one));
}

export const isStream = (dictionary: PdfDict) => dictionary instanceof PdfStream;
