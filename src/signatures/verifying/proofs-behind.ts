import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from '@libpdf/core';

/** More parts than this are not compared: the file counts as changed. */
const mostParts = 400_000;
/** What may be new in the catalog: what proves certificates later, and that it does (ISO 32000-2, 12.8.4.3). */
const mayBeNew: ReadonlySet<string> = new Set(['DSS', 'Extensions']);
/** What may differ in the information of the document: when, and with what, proofs were written. */
const mayDiffer: ReadonlySet<string> = new Set(['ModDate', 'Producer']);
/** Proofs are added a few times: a file of more revisions, or more tables of objects, counts as changed. */
const mostRevisions = 16;
const mostTables = 64;
/** What may begin an object, and what stands before it then (ISO 32000-2, 7.3.10). */
const word = /(?<=[\d\0\t\f \r\n])obj(?![a-z])/g;
const heading = /(?<!\d)(\d{1,10})[\0\t\f \r\n]{1,200}(\d{1,5})[\0\t\f \r\n]{0,200}$/;
/** No heading of this kind is longer, so that the whole of one is looked at. */
const mostHeading = 600;
/** What stands before the word where it may begin an object for all that: a number, the end of a comment, or more than is looked at. */
const maybe = /$(?<=(?:^|[\d\r\n])[\0\t\f ]*)/;
const revision = /startxref[\0\t\f \r\n]+\d+[\0\t\f \r\n]+%%EOF/g;

/**
 * Whether what stands behind a place of a PDF only proves what was signed there: certificates, revocation lists, timestamps of the whole
 * document. All that a reader comes to from the catalog must be the same before and behind, save these; and an object there that nothing
 * leads to is no proof, so that a file that has one was added to.
 */
export async function onlyProofsBehind(file: Buffer, end: number): Promise<boolean> {
  try {
    const before = await PDF.load(file.subarray(0, end));
    const after = await PDF.load(file);
    if (before.recoveredViaBruteForce || after.recoveredViaBruteForce) return false;
    const comparison = new Comparison(before, after);
    if (!comparison.same()) return false;
    const tail = file.toString('latin1', end);
    const hidden = await withoutTables(comparison.unreached(headingsIn(tail)), tail);
    return hidden.length === 0 || (await reachedEarlier(hidden, { before, file, end, tail }));
  } catch {
    // Of what cannot be read nobody can say that nothing was changed.
    return false;
  }
}

type Heading = { number: number; generation: number; at: number };

/**
 * The objects that begin there, whatever leads to them. A heading that is not read for certain is an error: one with a comment in it, which counts as a
 * space, or one of more digits than any has. Nobody who adds proofs writes such.
 */
function headingsIn(tail: string): Heading[] {
  const found: Heading[] = [];
  for (const { index } of tail.matchAll(word)) {
    const before = tail.slice(Math.max(0, index - mostHeading), index);
    const [whole, number, generation] = heading.exec(before) ?? [];
    if (whole !== undefined) {
      const at = index - whole.length;
      if (/[\r\n]/.test(whole) && maySayMore(tail, at)) throw new Error('an object may begin in a comment');
      found.push({ number: Number(number), generation: Number(generation), at });
    } else if (maybe.test(before)) throw new Error('where an object begins is not read for certain');
    if (found.length > mostParts) throw new Error('there are more objects than are compared');
  }
  return found;
}

/** Whether the line before a place may be a comment, so that what is read from there on is none of a heading. */
function maySayMore(tail: string, at: number): boolean {
  const before = tail.slice(Math.max(0, at - mostHeading), at);
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
  return line.includes('%') || line.length === mostHeading;
}

/**
 * Those that are no tables of objects (ISO 32000-2, 7.5.8), to which places lead and no objects. What one is says the object that is read
 * there, not the words that stand there.
 */
async function withoutTables(headings: readonly Heading[], tail: string): Promise<Heading[]> {
  const hidden: Heading[] = [];
  let tables = 0;
  for (const one of headings) {
    const end = tail.indexOf('endobj', one.at);
    const object = tail.slice(one.at, end === -1 ? tail.length : end + 6);
    if (!object.includes('/XRef')) hidden.push(one);
    else if ((tables += 1) > mostTables) throw new Error('there are more tables of objects than are looked at');
    else if (!(await isTable(object, one))) hidden.push(one);
  }
  return hidden;
}

/** Reads one object by itself: in a file that has it, and nothing else but a catalog. */
async function isTable(object: string, { number, generation }: Heading): Promise<boolean> {
  const root = number + 1;
  const head = `%PDF-1.7\n${root} 0 obj\n<</Type/Catalog/Pages<</Type/Pages/Kids[]/Count 0>>>>\nendobj\n`;
  const place = (at: number) => String(at).padStart(10, '0');
  const table = `xref\n${number} 2\n${place(head.length)} ${String(generation).padStart(5, '0')} n \n${place(9)} 00000 n \n`;
  const text = `${head}${object}\n${table}trailer\n<</Size ${root + 1}/Root ${root} 0 R>>\nstartxref\n${head.length + object.length + 1}\n%%EOF\n`;
  const file = await PDF.load(Buffer.from(text, 'latin1'));
  const read = file.recoveredViaBruteForce ? undefined : file.getObject(PdfRef.of(number, generation));
  return read instanceof PdfStream && read.get('Type') === PdfName.of('XRef');
}

/**
 * Whether a revision before the last one, which adds nothing but proofs either, leads to each of these: what it calls the proofs is led to by nothing
 * any more where a later one calls others so.
 */
async function reachedEarlier(
  hidden: readonly Heading[],
  { before, file, end, tail }: { before: PDF; file: Buffer; end: number; tail: string },
): Promise<boolean> {
  const ends = [...tail.matchAll(revision)].slice(0, -1).map(({ 0: { length }, index }) => end + index + length);
  if (ends.length > mostRevisions) return false;
  let left = hidden;
  for (const earlier of ends) {
    const then = await PDF.load(file.subarray(0, earlier));
    const comparison = new Comparison(before, then);
    if (!then.recoveredViaBruteForce && comparison.same()) left = comparison.unreached(left);
  }
  return left.length === 0;
}

type Pair = { one: PdfObject | undefined; other: PdfObject | undefined; new?: 'catalog' | 'info' | 'fields' | 'notes' };

class Comparison {
  readonly #before: PDF;
  readonly #after: PDF;
  readonly #seen = new Set<string>();
  readonly #waiting: Pair[] = [];
  /** What is new and may be. */
  readonly #proofs: (PdfObject | undefined)[] = [];

  constructor(before: PDF, after: PDF) {
    this.#before = before;
    this.#after = after;
  }

  same(): boolean {
    const [one, other] = [this.#before, this.#after].map(({ context }) => context.info.trailer);
    this.#waiting.push({ one: one?.get('Info'), other: other?.get('Info'), new: 'info' });
    this.#waiting.push({ one: one?.get('Root'), other: other?.get('Root'), new: 'catalog' });
    for (let parts = 0; this.#waiting.length > 0; parts += 1) {
      const pair = this.#waiting.pop();
      if (parts > mostParts || !pair || !this.#samePair(pair)) return false;
    }
    return true;
  }

  /** Those objects that are not reached from the catalog, and hold none that is. */
  unreached(headings: readonly Heading[]): Heading[] {
    for (let parts = 0; this.#proofs.length > 0; parts += 1) {
      if (parts > mostParts) throw new Error('there are more parts than are compared');
      this.#reach(this.#proofs.pop());
    }
    return headings.filter(
      ({ number, generation }) =>
        !this.#seen.has(`${number} ${generation}`) && !this.#holdsWhatIsReached(this.#after.getObject(PdfRef.of(number, generation))),
    );
  }

  /** A stream of objects: at its beginning stand their numbers and places (ISO 32000-2, 7.5.7). */
  #holdsWhatIsReached(object: PdfObject | null): boolean {
    if (!(object instanceof PdfStream) || object.get('Type') !== PdfName.of('ObjStm')) return false;
    const count = object.get('N');
    if (!(count instanceof PdfNumber)) return false;
    const numbers = Buffer.from(object.getDecodedData())
      .toString('latin1')
      .trim()
      .split(/\s+/, 2 * count.value);
    return numbers.every((number, at) => at % 2 === 1 || this.#seen.has(`${Number(number)} 0`));
  }

  #reach(part: PdfObject | undefined): void {
    if (part instanceof PdfRef) {
      const name = `${part.objectNumber} ${part.generation}`;
      if (this.#seen.has(name)) return;
      this.#seen.add(name);
      this.#proofs.push(this.#after.getObject(part) ?? undefined);
    } else if (part instanceof PdfDict) {
      for (const key of part.keys()) this.#proofs.push(part.get(key));
    } else if (part instanceof PdfArray) this.#proofs.push(...part.toArray());
  }

  #samePair(pair: Pair): boolean {
    if (!(pair.one instanceof PdfRef && pair.other instanceof PdfRef)) return this.#sameParts(pair);
    const [name, otherName] = [pair.one, pair.other].map(({ objectNumber, generation }) => `${objectNumber} ${generation}`);
    if (name !== otherName) return false;
    if (this.#seen.has(name!)) return true;
    this.#seen.add(name!);
    return this.#sameParts({
      ...pair,
      one: this.#before.getObject(pair.one) ?? undefined,
      other: this.#after.getObject(pair.other) ?? undefined,
    });
  }

  #sameParts({ one, other, new: may }: Pair): boolean {
    if (one instanceof PdfDict && other instanceof PdfDict) return this.#sameDictionary(one, other, may);
    if (one instanceof PdfArray && other instanceof PdfArray) return this.#sameArray(one, other, may);
    return this.#sameValue(one, other);
  }

  #sameDictionary(one: PdfDict, other: PdfDict, may: Pair['new']): boolean {
    if (one instanceof PdfStream !== other instanceof PdfStream) return false;
    if (one instanceof PdfStream && other instanceof PdfStream && !Buffer.from(one.data).equals(Buffer.from(other.data))) return false;
    const page = one.get('Type') === PdfName.Page;
    const names = new Set([...one.keys(), ...other.keys()].map(({ value }) => value));
    for (const name of names) {
      if ((may === 'catalog' && mayBeNew.has(name)) || (may === 'info' && mayDiffer.has(name))) {
        this.#proofs.push(other.get(name));
        continue;
      }
      const pair: Pair = { one: one.get(name), other: other.get(name) };
      if (name === 'Fields') pair.new = 'fields';
      if (page && name === 'Annots') pair.new = 'notes';
      // The list of a page's notes may stand in the page or by itself, and be none before.
      if (pair.new === 'notes') {
        if (pair.other instanceof PdfRef) this.#seen.add(`${pair.other.objectNumber} ${pair.other.generation}`);
        this.#waiting.push({ one: this.#listOf(this.#before, pair.one), other: this.#listOf(this.#after, pair.other), new: 'notes' });
      } else if (pair.one === undefined || pair.other === undefined) return false;
      else this.#waiting.push(pair);
    }
    return true;
  }

  #listOf(pdf: PDF, value: PdfObject | undefined): PdfObject {
    const list = value instanceof PdfRef ? pdf.getObject(value) : value;
    return list ?? new PdfArray([]);
  }

  #sameArray(one: PdfArray, other: PdfArray, may: Pair['new']): boolean {
    if (other.length < one.length || (may === undefined && other.length !== one.length)) return false;
    for (let at = 0; at < one.length; at += 1) this.#waiting.push({ one: one.at(at), other: other.at(at) });
    const added = other.toArray().slice(one.length);
    this.#proofs.push(...added);
    return added.every((field) => this.#isStamp(field));
  }

  /** A field that shows nothing and holds a timestamp of the document (ISO 32000-2, 12.8.5). */
  #isStamp(added: PdfObject): boolean {
    const resolve = (ref: PdfRef) => this.#after.getObject(ref);
    const field = added instanceof PdfRef ? resolve(added) : added;
    if (
      !(field instanceof PdfDict) ||
      field.get('FT', resolve) !== PdfName.of('Sig') ||
      field.has('Kids') ||
      field.has('A') ||
      field.has('AA')
    )
      return false;
    const rectangle = field.get('Rect', resolve);
    const sides =
      rectangle instanceof PdfArray
        ? rectangle.toArray().map((side) => (side instanceof PdfNumber ? side.value : Number.NaN))
        : [0, 0, 0, 0];
    const signature = field.get('V', resolve);
    return (
      sides.length === 4 &&
      sides[0] === sides[2] &&
      sides[1] === sides[3] &&
      signature instanceof PdfDict &&
      signature.get('Type', resolve) === PdfName.of('DocTimeStamp')
    );
  }

  #sameValue(one: PdfObject | undefined, other: PdfObject | undefined): boolean {
    if (one === undefined || other === undefined) return one === other;
    if (one instanceof PdfRef && other instanceof PdfRef)
      return one.objectNumber === other.objectNumber && one.generation === other.generation;
    if (one instanceof PdfString && other instanceof PdfString) return Buffer.from(one.bytes).equals(Buffer.from(other.bytes));
    if (one.type !== other.type) return false;
    return 'value' in one && 'value' in other ? one.value === other.value : one.type === 'null';
  }
}
