/** A parsed value. Names include their slash, references have the form `5 0 R`, and strings and keywords become null. */
export type Value = Dictionary | Value[] | string | number | null;
export type Dictionary = Map<string, Value>;

/** An object with its position in the file. For an object stream, `holds` has the numbers of its objects. */
export type WrittenObject = {
  number: number;
  generation: number;
  at: number;
  end: number;
  value: Value;
  stream: boolean;
  holds?: number[];
};

/** The location of an object: a file position, or an index in an object stream. Undefined for an entry without an object. */
export type Entry = { at: number; generation: number } | { within: number; index: number } | undefined;
/** `places` has the positions of the table and of the cross-reference stream beside it. */
export type Section = { at: number; places: number[]; entries: Map<number, Entry>; trailer: Dictionary };

const regular = String.raw`[^\0\t\n\f\r ()<>[\]{}/%]`;
const blank = String.raw`[\0\t\n\f\r ]`;
const line = String.raw`(?:\r\n|\n|\r)`;
const as = (text: string) => new RegExp(text, 'y');
const tokens = {
  blanks: as(`${blank}*`),
  heading: as(`(\\d{1,10})${blank}+(\\d{1,5})${blank}+obj(?!${regular})`),
  reference: as(`(\\d{1,10})${blank}+(\\d{1,5})${blank}+R(?!${regular})`),
  number: as(String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?!${regular})`),
  name: as(`/(${regular}*)`),
  word: as(`(?:true|false|null)(?!${regular})`),
  digits: as(String.raw`<[\da-fA-F\0\t\n\f\r ]*>`),
  opens: as('<<'),
  closes: as('>>'),
  listOpens: as(String.raw`\[`),
  listCloses: as(String.raw`\]`),
  text: as(String.raw`\(`),
  stream: as('stream\r?\n'),
  streamEnds: as(`${line}?endstream(?!${regular})`),
  ends: as(`endobj(?!${regular})`),
  comment: as(String.raw`%[^\r\n]*`),
  table: as(`xref[ \t]*${line}`),
  subsection: as(`(\\d{1,10}) (\\d{1,7})[ \t]*${line}`),
  entry: as(String.raw`(\d{10}) (\d{5}) ([nf])(?: \r\n| \r| \n|\r\n|\n)`),
  trailer: as(`trailer(?!${regular})`),
  fileEnds: as(`startxref${blank}+(\\d{1,12})${blank}+%%EOF(?=[\\r\\n]|$)`),
};
const maxDeep = 60;

/** Thrown for content that the strict reader does not expect. Software that adds validation data does not write such content. */
export class Unread extends Error {}

/** Reads the text from a position in the strict syntax of ISO 32000-2, 7.3 and 7.5.4. Throws {@link Unread} for other content. */
export class StrictReader {
  at: number;
  readonly #text: string;
  readonly #lengthOf: (number: number, generation: number) => number | undefined;

  constructor(text: string, at: number, lengthOf: (number: number, generation: number) => number | undefined) {
    this.#text = text;
    this.at = at;
    this.#lengthOf = lengthOf;
  }

  isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  textOf({ at, end }: WrittenObject): string {
    return this.#text.slice(at, end);
  }

  passBlanks(): void {
    this.#take(tokens.blanks);
  }

  /** Skips blanks and comments. Throws if a comment has keywords. A viewer that rebuilds the cross-reference table could read them as content. */
  passBlanksAndComments(): void {
    this.passBlanks();
    for (let comment = this.#take(tokens.comment); comment; comment = this.#take(tokens.comment)) {
      if (/obj|xref|trailer|stream/.test(comment[0])) throw new Unread('A comment contains PDF keywords.');
      this.passBlanks();
    }
  }

  /** Reads the end of a revision. Returns the position of the cross-reference table that it names, or undefined. */
  fileEnd(): number | undefined {
    const end = this.#take(tokens.fileEnds);
    // Blanks after the marker belong to the earlier revision.
    if (end) this.passBlanks();
    return end && Number(end[1]);
  }

  table(): Section | undefined {
    const { at } = this;
    if (!this.#take(tokens.table)) return undefined;
    const entries = new Map<number, Entry>();
    for (let part = this.#take(tokens.subsection); part; part = this.#take(tokens.subsection)) {
      const [first, count] = [Number(part[1]), Number(part[2])];
      for (let number = first; number < first + count; number += 1) {
        const [, place, generation, kind] = this.#take(tokens.entry) ?? [];
        // Object 0 is the head of the free list. Some readers shift a table that uses another object.
        if (kind === undefined || entries.has(number) || (kind === 'f' && generation === '65535' && number !== 0))
          throw new Unread('The cross-reference table has an invalid entry.');
        entries.set(number, kind === 'n' ? { at: Number(place), generation: Number(generation) } : undefined);
      }
    }
    if (!this.#take(tokens.trailer)) throw new Unread('The cross-reference table has no trailer.');
    const trailer = this.value();
    if (!(trailer instanceof Map)) throw new Unread('The trailer is not a dictionary.');
    return { at, places: [at], entries, trailer };
  }

  object(): WrittenObject {
    const { at } = this;
    const [, number, generation] = this.#take(tokens.heading) ?? [];
    if (number === undefined) throw new Unread('The content is not an object.');
    const value = this.value();
    this.passBlanks();
    const stream = value instanceof Map && this.#take(tokens.stream) !== undefined;
    if (stream) this.#passStream(value);
    this.passBlanks();
    if (!this.#take(tokens.ends)) throw new Unread('The object has more than one value.');
    return { number: Number(number), generation: Number(generation), at, end: this.at, value, stream };
  }

  #passStream(dictionary: Dictionary): void {
    const said = dictionary.get('Length');
    const [, number, generation] = typeof said === 'string' ? (/^(\d+) (\d+) R$/.exec(said) ?? []) : [];
    const length = number === undefined ? said : this.#lengthOf(Number(number), Number(generation));
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw new Unread('The stream has no valid length.');
    this.at += length;
    if (!this.#take(tokens.streamEnds)) throw new Unread('The stream length is wrong.');
  }

  value(deep = 0): Value {
    if (deep > maxDeep) throw new Unread('The value is nested too deeply.');
    this.passBlanks();
    if (this.#take(tokens.opens)) return this.#dictionary(deep);
    if (this.#take(tokens.listOpens)) {
      const list: Value[] = [];
      for (this.passBlanks(); !this.#take(tokens.listCloses); this.passBlanks()) list.push(this.value(deep + 1));
      return list;
    }
    if (this.#take(tokens.text)) return this.#passText();
    const name = this.#take(tokens.name);
    if (name) return `/${nameOf(name[1]!)}`;
    const reference = this.#take(tokens.reference);
    if (reference) return `${Number(reference[1])} ${Number(reference[2])} R`;
    const number = this.#take(tokens.number);
    if (number) return Number(number[0]);
    if (this.#take(tokens.digits) ?? this.#take(tokens.word)) return null;
    throw new Unread('The content is not a value.');
  }

  #dictionary(deep: number): Dictionary {
    const entries: Dictionary = new Map();
    for (this.passBlanks(); !this.#take(tokens.closes); this.passBlanks()) {
      const [, written] = this.#take(tokens.name) ?? [];
      if (written === undefined) throw new Unread('A dictionary key is not a name.');
      const key = nameOf(written);
      if (entries.has(key)) throw new Unread('A dictionary has a duplicate key.');
      entries.set(key, this.value(deep + 1));
    }
    return entries;
  }

  #passText(): null {
    for (let open = 1; open > 0; this.at += 1) {
      const character = this.#text[this.at];
      if (character === undefined) throw new Unread('A string is not terminated.');
      if (character === '\\') this.at += 1;
      else if (character === '(') open += 1;
      else if (character === ')') open -= 1;
    }
    return null;
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.at;
    const found = token.exec(this.#text);
    if (!found) return undefined;
    this.at = token.lastIndex;
    return found;
  }
}

const nameOf = (written: string): string =>
  written.replaceAll(/#([\da-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
