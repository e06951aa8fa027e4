import { PDF, PdfArray, PdfNumber, PdfRef, PdfStream } from '@libpdf/core';
import { type Entry, StrictReader, type Section, Unread, type WrittenObject } from './strict-reader.ts';

/** One incremental update of a file: its objects, its cross-reference table and the position at which the file ended then. */
export type Revision = { end: number; objects: WrittenObject[] };

const maxObjects = 100_000;
/** Maximum number of updates that may add validation data. Software adds such data in few updates. */
const maxRevisions = 16;

/**
 * Returns the revisions of a PDF after `start`. Each object must be where its table says, and each table must reference the table before it.
 *
 * The reader accepts only unambiguous files. Duplicate keys, wrong stream lengths, unlisted objects and second tables throw {@link Unread}, because
 * PDF viewers could read them differently from this comparison.
 */
export async function revisionsBehind(file: Buffer, start: number): Promise<Revision[]> {
  const after = await PDF.load(file);
  const lengthOf = (number: number, generation: number) => {
    const length = after.getObject(PdfRef.of(number, generation));
    return length instanceof PdfNumber ? length.value : undefined;
  };
  const reader = new StrictReader(file.toString('latin1'), start, lengthOf);
  const revisions: Revision[] = [];
  let before = lastTable(file, start);
  if (before === undefined) throw new Unread('The file does not end with the position of its cross-reference table.');
  while (!reader.isAtEnd()) {
    const { objects, section, says } = await nextRevision(reader);
    if (revisions.length >= maxRevisions) throw new Unread('The file has too many revisions.');
    if (says !== section.at || section.trailer.get('Prev') !== before)
      throw new Unread('The cross-reference table does not reference the table before it.');
    await addBeside(section, objects, reader);
    await requireListed(objects, section, reader);
    revisions.push({ end: reader.at, objects: objects.filter(({ at }) => !section.places.includes(at)) });
    before = section.at;
  }
  return revisions;
}

/** Returns the position of the cross-reference table that the file named when it ended at `end`. */
function lastTable(file: Buffer, end: number): number | undefined {
  const says = /startxref[\0\t\n\f\r ]+(\d{1,12})[\0\t\n\f\r ]+%%EOF[\0\t\n\f\r ]*$/.exec(
    file.toString('latin1', Math.max(0, end - 1_024), end),
  );
  return says ? Number(says[1]) : undefined;
}

async function nextRevision(reader: StrictReader): Promise<{ objects: WrittenObject[]; section: Section; says: number }> {
  const objects: WrittenObject[] = [];
  let section: Section | undefined;
  for (;;) {
    reader.passBlanksAndComments();
    const says = reader.fileEnd();
    if (says !== undefined) {
      const last = objects.at(-1);
      section ??= last && (await tableOf(reader.textOf(last), last));
      if (!section) throw new Unread('The revision has no cross-reference table.');
      return { objects, section, says };
    }
    if (section) throw new Unread('The cross-reference table is followed by other content.');
    section = reader.table();
    if (section) continue;
    objects.push(reader.object());
    if (objects.length > maxObjects) throw new Unread('The revision has too many objects.');
  }
}

/**
 * Adds the entries of a cross-reference stream beside a table, for objects that old programs do not find (ISO 32000-2, 7.5.8.4). Viewers read either
 * of the two first, so both must have the same entry for an object.
 */
async function addBeside(section: Section, objects: readonly WrittenObject[], reader: StrictReader): Promise<void> {
  const place = section.trailer.get('XRefStm');
  if (place === undefined) return;
  const one = objects.find(({ at }) => at === place);
  const other = one && (await tableOf(reader.textOf(one), one));
  if (!other) throw new Unread('The referenced cross-reference stream is missing.');
  for (const [number, entry] of other.entries) {
    if (section.entries.has(number) && JSON.stringify(section.entries.get(number)) !== JSON.stringify(entry))
      throw new Unread('The cross-reference table and stream disagree about an object.');
    section.entries.set(number, entry);
  }
  section.places.push(other.at);
}

/** Requires that the table lists each object at its position and nothing else. A cross-reference stream may omit itself. */
async function requireListed(objects: readonly WrittenObject[], { places, entries }: Section, reader: StrictReader): Promise<void> {
  const at = new Map(objects.map((one) => [one.at, one]));
  for (const one of objects)
    if (one.value instanceof Map && one.value.get('Type') === '/ObjStm') one.holds = await numbersIn(reader.textOf(one), one);
  const packed = new Map(objects.map(({ number, holds = [] }) => [number, holds]));
  const listed = new Set<string>();
  for (const [number, entry] of entries) {
    if (entry === undefined) continue;
    const one = 'at' in entry ? at.get(entry.at) : undefined;
    const holds =
      'at' in entry ? one?.number === number && one.generation === entry.generation : packed.get(entry.within)?.[entry.index] === number;
    if (!holds) throw new Unread('A cross-reference entry does not point to its object.');
    listed.add('at' in entry ? `${entry.at}` : `${entry.within} ${entry.index}`);
  }
  for (const one of objects)
    if (
      (!places.includes(one.at) && !listed.has(`${one.at}`)) ||
      one.holds?.some((_, index) => !listed.has(`${one.number} ${index}`)) === true
    )
      throw new Unread('An object is missing in the cross-reference table.');
}

/** Reads a cross-reference stream (ISO 32000-2, 7.5.8). Returns undefined for other objects. */
async function tableOf(text: string, { at, value, ...itself }: WrittenObject): Promise<Section | undefined> {
  if (!(value instanceof Map) || value.get('Type') !== '/XRef') return undefined;
  const stream = await readAlone(text, itself);
  const numbers = (list: PdfArray | undefined) => list?.toArray().map((part) => (part instanceof PdfNumber ? part.value : Number.NaN));
  const widths = numbers(stream.getArray('W')) ?? [];
  const index = numbers(stream.getArray('Index')) ?? [0, stream.getNumber('Size')?.value ?? Number.NaN];
  const data = stream.getDecodedData();
  const width = widths.reduce((sum, one) => sum + one, 0);
  if (widths.length !== 3 || widths.some((one) => !(one >= 0 && one <= 6)) || width === 0)
    throw new Unread('The cross-reference stream has invalid field widths.');
  const entries = new Map<number, Entry>();
  let place = 0;
  const field = (size: number, usual: number) => {
    let sum = 0;
    for (let byte = 0; byte < size; byte += 1) sum = sum * 256 + data[place++]!;
    return size === 0 ? usual : sum;
  };
  for (let range = 0; range < index.length; range += 2) {
    const [first = Number.NaN, count = Number.NaN] = index.slice(range, range + 2);
    if (!(first >= 0 && count >= 0 && place + count * width <= data.length)) throw new Unread('The cross-reference stream is truncated.');
    for (let number = first; number < first + count; number += 1) {
      const [kind, second, third] = [field(widths[0]!, 1), field(widths[1]!, 0), field(widths[2]!, 0)];
      if (entries.has(number) || kind > 2) throw new Unread('The cross-reference stream has a duplicate or unknown entry.');
      entries.set(number, kind === 0 ? undefined : kind === 1 ? { at: second, generation: third } : { within: second, index: third });
    }
  }
  if (place !== data.length) throw new Unread('The cross-reference stream is longer than declared.');
  return { at, places: [at], entries, trailer: value };
}

/** Returns the numbers of the objects in an object stream (ISO 32000-2, 7.5.7). Reads each of them strictly. */
async function numbersIn(text: string, { number, generation, value }: WrittenObject): Promise<number[]> {
  const stream = await readAlone(text, { number, generation });
  const data = Buffer.from(stream.getDecodedData()).toString('latin1');
  const [count, first] = value instanceof Map ? [value.get('N'), value.get('First')] : [];
  if (typeof count !== 'number' || typeof first !== 'number' || count > maxObjects)
    throw new Unread('The object stream has no valid object count.');
  const heads = data
    .slice(0, first)
    .trim()
    .split(/[\0\t\n\f\r ]+/)
    .map(Number);
  if (heads.length !== 2 * count || !heads.every((one) => Number.isSafeInteger(one) && one >= 0))
    throw new Unread('The object stream has an invalid index.');
  const reader = new StrictReader(data, first, () => undefined);
  return Array.from({ length: count }, (_, n) => {
    reader.passBlanks();
    if (reader.at !== first + heads[2 * n + 1]!) throw new Unread('An object is not at the offset that its object stream declares.');
    reader.value();
    if (n === count - 1) {
      reader.passBlanks();
      if (!reader.isAtEnd()) throw new Unread('The object stream has content after its objects.');
    }
    return heads[2 * n]!;
  });
}

/** Reads one object in isolation, from a new file with that object and a catalog. */
async function readAlone(object: string, { number, generation }: Pick<WrittenObject, 'number' | 'generation'>): Promise<PdfStream> {
  const root = number + 1;
  const head = `%PDF-1.7\n${root} 0 obj\n<</Type/Catalog/Pages<</Type/Pages/Kids[]/Count 0>>>>\nendobj\n`;
  const place = (at: number) => String(at).padStart(10, '0');
  const table = `xref\n${number} 2\n${place(head.length)} ${String(generation).padStart(5, '0')} n \n${place(9)} 00000 n \n`;
  const text = `${head}${object}\n${table}trailer\n<</Size ${root + 1}/Root ${root} 0 R>>\nstartxref\n${head.length + object.length + 1}\n%%EOF\n`;
  const file = await PDF.load(Buffer.from(text, 'latin1'));
  const read = file.recoveredViaBruteForce ? undefined : file.getObject(PdfRef.of(number, generation));
  if (!(read instanceof PdfStream)) throw new Unread('The stream is not readable.');
  return read;
}
