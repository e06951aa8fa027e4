import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { sameMetadata } from './metadata.ts';
import { type Revision, revisionsBehind } from './revisions.ts';

/** Maximum number of compared PDF objects. A file with more counts as changed. */
const maxParts = 400_000;
/** Catalog entries that may be new: validation data and the extension that declares it (ISO 32000-2, 12.8.4.3). */
const mayBeNew: ReadonlySet<string> = new Set(['DSS', 'Extensions']);
/** Document information entries that may differ: the time of the last change, and the software that made it. */
const mayDiffer: ReadonlySet<string> = new Set(['ModDate', 'Producer']);
/** Keys of a metadata stream. */
const ofMetadata: ReadonlySet<string> = new Set(['Type', 'Subtype', 'Length', 'Filter', 'DecodeParms']);
/** Keys that the dictionary of a timestamp field may have. With other keys, the field could be a visible annotation or a page. */
const ofStamp: ReadonlySet<string> = new Set(['Type', 'Subtype', 'FT', 'T', 'TU', 'TM', 'V', 'F', 'Ff', 'Rect', 'P', 'AP', 'MK', 'DA']);

/**
 * Whether the bytes after `end` only add validation data: certificates, revocation lists and document timestamps. Compares each revision with the
 * file before it. All objects reachable from the catalog must be equal, except validation data. Each added object must be reachable.
 */
export async function onlyProofsBehind(file: Buffer, end: number): Promise<boolean> {
  try {
    let before = await PDF.load(file.subarray(0, end));
    for (const revision of await revisionsBehind(file, end)) {
      const after = await PDF.load(file.subarray(0, revision.end));
      if (before.recoveredViaBruteForce || after.recoveredViaBruteForce || !new Comparison(before, after).addsProofs(revision))
        return false;
      before = after;
    }
    return true;
  } catch {
    // An unreadable file counts as changed.
    return false;
  }
}

const widget = PdfName.of('Widget');

type Pair = { one: PdfObject | undefined; other: PdfObject | undefined; new?: 'catalog' | 'info' | 'fields' | 'notes' };

class Comparison {
  readonly #before: PDF;
  readonly #after: PDF;
  #root: PdfRef | undefined;
  /** Names of the reachable objects. */
  readonly #seen = new Set<string>();
  /** Objects that are equal in both revisions, each with the kinds of additions that it may have. */
  readonly #compared = new Map<string, Set<Pair['new']>>();
  readonly #waiting: Pair[] = [];
  /** Added objects that count as validation data. */
  readonly #proofs: (PdfObject | undefined)[] = [];

  constructor(before: PDF, after: PDF) {
    this.#before = before;
    this.#after = after;
  }

  /** Whether both revisions are equal except for validation data, and each added object is reachable. */
  addsProofs({ objects }: Revision): boolean {
    if (!this.#same()) return false;
    for (let parts = 0; this.#proofs.length > 0; parts += 1) {
      if (parts > maxParts) return false;
      this.#reach(this.#proofs.pop());
    }
    return objects.every(({ number, generation, stream, holds }) => {
      const name = `${number} ${generation}`;
      // Validation data never needs to rewrite a visible stream. PDF programs disagree about where a stream ends.
      if (stream && this.#compared.has(name)) return false;
      return this.#seen.has(name) || holds?.every((one) => this.#seen.has(`${one} 0`)) === true;
    });
  }

  #same(): boolean {
    const [one, other] = [this.#before, this.#after].map(({ context }) => context.info.trailer);
    this.#root = one?.getRef('Root');
    if (one?.has('Encrypt') === true || other?.has('Encrypt') === true) {
      this.#waiting.push({ one: one?.get('Encrypt'), other: other?.get('Encrypt') });
      // The first file identifier is part of the encryption key.
      this.#waiting.push({ one: one?.getArray('ID')?.at(0), other: other?.getArray('ID')?.at(0) });
    }
    this.#waiting.push({ one: one?.get('Info'), other: other?.get('Info'), new: 'info' });
    this.#waiting.push({ one: one?.get('Root'), other: other?.get('Root'), new: 'catalog' });
    for (let parts = 0; this.#waiting.length > 0; parts += 1) {
      const pair = this.#waiting.pop();
      if (parts > maxParts || !pair || !this.#samePair(pair)) return false;
    }
    return true;
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
    if (name === undefined || name !== otherName) return false;
    // Two places can reference the same object, and only one of them may gain entries.
    const may = pair.new ?? (pair.one === this.#root ? 'catalog' : undefined);
    if (this.#compared.get(name)?.has(may) === true) return true;
    this.#compared.set(name, new Set([...(this.#compared.get(name) ?? []), may]));
    this.#seen.add(name);
    return this.#sameParts({
      ...(may === undefined ? {} : { new: may }),
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
      if (may === 'catalog' && name === 'Metadata') {
        if (!this.#sameMetadata(one.get(name), other.get(name))) return false;
        continue;
      }
      const pair: Pair = { one: one.get(name), other: other.get(name) };
      if (name === 'Fields') pair.new = 'fields';
      if (page && name === 'Annots') pair.new = 'notes';
      // The annotation list can be inline or a separate object, and can be missing before.
      if (pair.new === 'notes') {
        if (pair.other instanceof PdfRef) this.#seen.add(`${pair.other.objectNumber} ${pair.other.generation}`);
        this.#waiting.push({ one: this.#listOf(this.#before, pair.one), other: this.#listOf(this.#after, pair.other), new: 'notes' });
      } else if (pair.one === undefined || pair.other === undefined) return false;
      else this.#waiting.push(pair);
    }
    return true;
  }

  /** Software that adds validation data also renews the time of the last change. The stream is not page content. */
  #sameMetadata(one: PdfObject | undefined, other: PdfObject | undefined): boolean {
    if (!(other instanceof PdfRef)) return one === undefined && other === undefined;
    this.#seen.add(`${other.objectNumber} ${other.generation}`);
    const [before, after] = [one instanceof PdfRef ? this.#before.getObject(one) : undefined, this.#after.getObject(other)];
    if (!(after instanceof PdfStream) || [...after.keys()].some(({ value }) => !ofMetadata.has(value))) return false;
    return sameMetadata(before instanceof PdfStream ? before.getDecodedData() : new Uint8Array(), after.getDecodedData());
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

  /** Whether the object is an invisible field with a document timestamp (ISO 32000-2, 12.8.5). */
  #isStamp(added: PdfObject): boolean {
    const resolve = (ref: PdfRef) => this.#after.getObject(ref);
    const field = added instanceof PdfRef ? resolve(added) : added;
    if (
      !(field instanceof PdfDict) ||
      field.get('FT', resolve) !== PdfName.of('Sig') ||
      [...field.keys()].some(({ value }) => !ofStamp.has(value)) ||
      (field.get('Subtype', resolve) ?? widget) !== widget
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
      signature.get('Type', resolve) === PdfName.of('DocTimeStamp') &&
      signature.get('SubFilter', resolve) === PdfName.of('ETSI.RFC3161')
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
