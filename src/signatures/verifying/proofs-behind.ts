import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from '@libpdf/core';

/** More parts than this are not compared: the file counts as changed. */
const mostParts = 400_000;
/** What may be new in the catalog: what proves certificates later, and that it does (ISO 32000-2, 12.8.4.3). */
const mayBeNew: ReadonlySet<string> = new Set(['DSS', 'Extensions']);

/**
 * Whether what stands behind a place of a PDF only proves what was signed there: certificates, revocation lists, timestamps of the whole
 * document. All that a reader comes to from the catalog must be the same before and behind, save these.
 */
export async function onlyProofsBehind(file: Buffer, end: number): Promise<boolean> {
  try {
    const before = await PDF.load(file.subarray(0, end));
    const after = await PDF.load(file);
    if (before.recoveredViaBruteForce || after.recoveredViaBruteForce) return false;
    return new Comparison(before, after).same();
  } catch {
    // Of what cannot be read nobody can say that nothing was changed.
    return false;
  }
}

type Pair = { one: PdfObject | undefined; other: PdfObject | undefined; new?: 'catalog' | 'fields' | 'notes' };

class Comparison {
  readonly #before: PDF;
  readonly #after: PDF;
  readonly #seen = new Set<string>();
  readonly #waiting: Pair[] = [];

  constructor(before: PDF, after: PDF) {
    this.#before = before;
    this.#after = after;
  }

  same(): boolean {
    const [one, other] = [this.#before, this.#after].map(({ context }) => context.info.trailer);
    if (!this.#sameValue(one?.get('Info'), other?.get('Info'))) return false;
    this.#waiting.push({ one: one?.get('Root'), other: other?.get('Root'), new: 'catalog' });
    for (let parts = 0; this.#waiting.length > 0; parts += 1) {
      const pair = this.#waiting.pop();
      if (parts > mostParts || !pair || !this.#samePair(pair)) return false;
    }
    return true;
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
      if (may === 'catalog' && mayBeNew.has(name)) continue;
      const pair: Pair = { one: one.get(name), other: other.get(name) };
      if (name === 'Fields') pair.new = 'fields';
      if (page && name === 'Annots') pair.new = 'notes';
      // The list of a page's notes may stand in the page or by itself, and be none before.
      if (pair.new === 'notes')
        this.#waiting.push({ one: this.#listOf(this.#before, pair.one), other: this.#listOf(this.#after, pair.other), new: 'notes' });
      else if (pair.one === undefined || pair.other === undefined) return false;
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
    return other
      .toArray()
      .slice(one.length)
      .every((added) => this.#isStamp(added));
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
