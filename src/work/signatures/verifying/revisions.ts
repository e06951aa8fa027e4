import { PDF, PdfArray, PdfNumber, PdfRef, PdfStream } from '@libpdf/core';
import { type Entry, StrictReader, type Section, Unread, type WrittenObject } from './strict-reader.ts';

/** What was added to a file at once: objects, the table that says where they stand, and the end of the file as it was then. */
export type Revision = { end: number; objects: WrittenObject[] };

const maxObjects = 100_000;
/** Proofs are added a few times. */
const maxRevisions = 16;

/**
 * What was added to a PDF behind a place, with nothing left over. Each object stands where the table beside it says, and nowhere else; each
 * table leads on to the one before it. It is read as strictly as those write who add proofs: whatever programs that show the file make something of
 * by guessing (a key that is there twice, a stream longer than it says, an object that no table names, a second table beside the first) is an error,
 * since they may guess otherwise than what compares the file here.
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
  if (before === undefined) throw new Unread('a file that does not say where its table stands');
  while (!reader.isAtEnd()) {
    const { objects, section, says } = await nextRevision(reader);
    if (revisions.length >= maxRevisions) throw new Unread('more revisions than are looked at');
    if (says !== section.at || section.trailer.get('Prev') !== before)
      throw new Unread('a table that does not lead on from its file to the one before it');
    await addBeside(section, objects, reader);
    await requireListed(objects, section, reader);
    revisions.push({ end: reader.at, objects: objects.filter(({ at }) => !section.places.includes(at)) });
    before = section.at;
  }
  return revisions;
}

/** Where the file says, as it was at that end, that its table stands. */
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
      if (!section) throw new Unread('a file without a table of its objects');
      return { objects, section, says };
    }
    if (section) throw new Unread('something behind a table of objects');
    section = reader.table();
    if (section) continue;
    objects.push(reader.object());
    if (objects.length > maxObjects) throw new Unread('more objects than are compared');
  }
}

/**
 * A table may have a stream beside it, for objects that old programs do not find (ISO 32000-2, 7.5.8.4). Which of them is asked first differs, so that
 * of what both name they must say the same.
 */
async function addBeside(section: Section, objects: readonly WrittenObject[], reader: StrictReader): Promise<void> {
  const place = section.trailer.get('XRefStm');
  if (place === undefined) return;
  const one = objects.find(({ at }) => at === place);
  const other = one && (await tableOf(reader.textOf(one), one));
  if (!other) throw new Unread('a table beside another that is none');
  for (const [number, entry] of other.entries) {
    if (section.entries.has(number) && JSON.stringify(section.entries.get(number)) !== JSON.stringify(entry))
      throw new Unread('two tables that say two things of one object');
    section.entries.set(number, entry);
  }
  section.places.push(other.at);
}

/** Each object is where the table says, and the table names nothing else. One that is an object itself may leave itself out. */
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
    if (!holds) throw new Unread('a table that leads to something else');
    listed.add('at' in entry ? `${entry.at}` : `${entry.within} ${entry.index}`);
  }
  for (const one of objects)
    if (
      (!places.includes(one.at) && !listed.has(`${one.at}`)) ||
      one.holds?.some((_, index) => !listed.has(`${one.number} ${index}`)) === true
    )
      throw new Unread('an object that no table names');
}

/** A table of objects that is an object itself, a stream (ISO 32000-2, 7.5.8). */
async function tableOf(text: string, { at, value, ...itself }: WrittenObject): Promise<Section | undefined> {
  if (!(value instanceof Map) || value.get('Type') !== '/XRef') return undefined;
  const stream = await readAlone(text, itself);
  const numbers = (list: PdfArray | undefined) => list?.toArray().map((part) => (part instanceof PdfNumber ? part.value : Number.NaN));
  const widths = numbers(stream.getArray('W')) ?? [];
  const index = numbers(stream.getArray('Index')) ?? [0, stream.getNumber('Size')?.value ?? Number.NaN];
  const data = stream.getDecodedData();
  const width = widths.reduce((sum, one) => sum + one, 0);
  if (widths.length !== 3 || widths.some((one) => !(one >= 0 && one <= 6)) || width === 0) throw new Unread('a table of no width');
  const entries = new Map<number, Entry>();
  let place = 0;
  const field = (size: number, usual: number) => {
    let sum = 0;
    for (let byte = 0; byte < size; byte += 1) sum = sum * 256 + data[place++]!;
    return size === 0 ? usual : sum;
  };
  for (let range = 0; range < index.length; range += 2) {
    const [first = Number.NaN, count = Number.NaN] = index.slice(range, range + 2);
    if (!(first >= 0 && count >= 0 && place + count * width <= data.length)) throw new Unread('a table that is cut off');
    for (let number = first; number < first + count; number += 1) {
      const [kind, second, third] = [field(widths[0]!, 1), field(widths[1]!, 0), field(widths[2]!, 0)];
      if (entries.has(number) || kind > 2) throw new Unread('a table that says two things of one object');
      entries.set(number, kind === 0 ? undefined : kind === 1 ? { at: second, generation: third } : { within: second, index: third });
    }
  }
  if (place !== data.length) throw new Unread('a table that is longer than it says');
  return { at, places: [at], entries, trailer: value };
}

/** The numbers of the objects in a stream of them (ISO 32000-2, 7.5.7), each of which is read as the others are. */
async function numbersIn(text: string, { number, generation, value }: WrittenObject): Promise<number[]> {
  const stream = await readAlone(text, { number, generation });
  const data = Buffer.from(stream.getDecodedData()).toString('latin1');
  const [count, first] = value instanceof Map ? [value.get('N'), value.get('First')] : [];
  if (typeof count !== 'number' || typeof first !== 'number' || count > maxObjects)
    throw new Unread('a stream of an unknown number of objects');
  const heads = data
    .slice(0, first)
    .trim()
    .split(/[\0\t\n\f\r ]+/)
    .map(Number);
  if (heads.length !== 2 * count || !heads.every((one) => Number.isSafeInteger(one) && one >= 0))
    throw new Unread('a stream of other objects than it says');
  const reader = new StrictReader(data, first, () => undefined);
  return Array.from({ length: count }, (_, n) => {
    reader.passBlanks();
    if (reader.at !== first + heads[2 * n + 1]!) throw new Unread('an object that stands elsewhere than its stream says');
    reader.value();
    if (n === count - 1) {
      reader.passBlanks();
      if (!reader.isAtEnd()) throw new Unread('something behind the objects of a stream');
    }
    return heads[2 * n]!;
  });
}

/** Reads one object by itself: in a file that has it, and nothing else but a catalog. */
async function readAlone(object: string, { number, generation }: Pick<WrittenObject, 'number' | 'generation'>): Promise<PdfStream> {
  const root = number + 1;
  const head = `%PDF-1.7\n${root} 0 obj\n<</Type/Catalog/Pages<</Type/Pages/Kids[]/Count 0>>>>\nendobj\n`;
  const place = (at: number) => String(at).padStart(10, '0');
  const table = `xref\n${number} 2\n${place(head.length)} ${String(generation).padStart(5, '0')} n \n${place(9)} 00000 n \n`;
  const text = `${head}${object}\n${table}trailer\n<</Size ${root + 1}/Root ${root} 0 R>>\nstartxref\n${head.length + object.length + 1}\n%%EOF\n`;
  const file = await PDF.load(Buffer.from(text, 'latin1'));
  const read = file.recoveredViaBruteForce ? undefined : file.getObject(PdfRef.of(number, generation));
  if (!(read instanceof PdfStream)) throw new Unread('a stream that is none');
  return read;
}
