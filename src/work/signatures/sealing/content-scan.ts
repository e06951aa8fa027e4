/** The state at the end of a content stream (ISO 32000-2, 7.8.2). */
export type ContentState = {
  /** Graphics states saved with `q` and not restored. */
  saved: number;
  /** Open marked-content sequences. */
  marked: number;
  /** Whether a text object is open. */
  inText: boolean;
  /** Whether a path was begun and not painted. Its clip would take effect later. */
  inPath: boolean;
  /** Positions of each `Q` operator without a matching `q`. Viewers ignore such operators. */
  excess: number[];
  /** Position of the end of the last complete operator. */
  end: number;
  /**
   * Whether content other than space and comments follows the last complete operator: operands without an operator, or an unfinished string or image.
   */
  unfinished: boolean;
  /** Whether the content shows text, or draws another object that can contain text. */
  showsText: boolean;
  /** Whether the content has an unknown operator, or an operator with too few operands. Some viewers then skip the rest of the content. */
  malformed: boolean;
};

const [newLine, carriageReturn, backslash] = [10, 13, 92];
const code = (character: string) => character.charCodeAt(0);
const isIn = (characters: string) => {
  const table = new Uint8Array(256);
  for (const character of characters) table[code(character)] = 1;
  return (byte: number | undefined) => byte !== undefined && table[byte] === 1;
};
const isSpace = isIn('\0\t\n\f\r ');
const isDelimiter = isIn('()<>[]{}/%');
const isRegular = (byte: number | undefined) => byte !== undefined && !isSpace(byte) && !isDelimiter(byte);
const beginsNumber = isIn('0123456789+-.');
const constants: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const beginsPath: ReadonlySet<string> = new Set(['m', 're', 'l', 'c', 'v', 'y', 'h', 'W', 'W*']);
const endsPath: ReadonlySet<string> = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n']);
const showing: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"', 'Do']);
const longestOperator = 5;
/** Minimum number of operands of each operator (ISO 32000-2, annex A). */
const operands: ReadonlyMap<string, number> = new Map(
  [
    ['b B b* B* BI BT BX', 'EI EMC ET EX f F f* h ID n', 'q Q s S sc SC scn SCN T* W W*'],
    ['BMC cs CS Do g G gs i j J', "M MP ri sh Tc Tj TJ TL Tr Ts Tw Tz w '"],
    ['BDC d d0 DP l m Td TD Tf'],
    ['rg RG "'],
    ['k K re v y'],
    [],
    ['c cm d1 Tm'],
  ].flatMap((all, count) => all.flatMap((some) => some.split(' ')).map((operator) => [operator, count] as const)),
);
/** Number of bytes checked after `EI`, because image data can contain the same letters. */
const behindImage = 12;

/** Reads a content stream operator by operator. Never throws, because viewers draw broken content too. */
export function scanContent(bytes: Uint8Array): ContentState {
  const state: ContentState = {
    saved: 0,
    marked: 0,
    inText: false,
    inPath: false,
    excess: [],
    end: 0,
    unfinished: false,
    showsText: false,
    malformed: false,
  };
  let at = 0;
  /**
   * Number of operands before the next operator. It includes the elements of arrays and dictionaries. So it is never too low, and no correct operator
   * is rejected.
   */
  let given = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (isSpace(byte)) at += 1;
    else if (byte === code('%')) at = endOfLine(bytes, at);
    else if (isRegular(byte)) {
      const from = at;
      while (isRegular(bytes[at])) at += 1;
      state.unfinished = true;
      // Some viewers read `1e2` as a number, others as an operator.
      if (beginsNumber(byte)) {
        given += 1;
        state.malformed ||= !bytes.subarray(from, at).every(beginsNumber);
        continue;
      }
      const word = String.fromCharCode(...bytes.subarray(from, Math.min(at, from + longestOperator + 1)));
      if (constants.has(word)) {
        given += 1;
        continue;
      }
      state.malformed ||= given < (operands.get(word) ?? Infinity);
      given = 0;
      if (word === 'ID') at = endOfImage(bytes, at);
      // The data of an unterminated image belongs to no operator.
      if (at > bytes.length) break;
      note(state, word, from);
      // `BI` and `ID` are parts of one operator, which ends with its data.
      if (word === 'BI') continue;
      state.end = at;
      state.unfinished = false;
    } else {
      state.unfinished = true;
      given += 1;
      at = endOfOperand(bytes, at);
    }
  }
  return state;
}

function note(state: ContentState, word: string, at: number): void {
  if (word === 'q') state.saved += 1;
  else if (word === 'Q') {
    if (state.saved > 0) state.saved -= 1;
    else state.excess.push(at);
  } else if (word === 'BT') state.inText = true;
  else if (word === 'ET') state.inText = false;
  else if (word === 'BMC' || word === 'BDC') state.marked += 1;
  else if (word === 'EMC') state.marked = Math.max(0, state.marked - 1);
  else if (beginsPath.has(word)) state.inPath = true;
  else if (endsPath.has(word)) state.inPath = false;
  else if (showing.has(word)) state.showsText = true;
}

/** Returns the end of an operand that begins with a delimiter. An unterminated operand ends after the last byte. */
function endOfOperand(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === code('(')) return endOfString(bytes, at);
  if (byte === code('<') && bytes[at + 1] === code('<')) return at + 2;
  if (byte === code('<')) {
    const end = bytes.indexOf(code('>'), at);
    return end === -1 ? bytes.length + 1 : end + 1;
  }
  if (byte === code('/')) {
    let end = at + 1;
    while (isRegular(bytes[end])) end += 1;
    return end;
  }
  return at + 1;
}

function endOfString(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === backslash) at += 1;
    else if (byte === code('(')) depth += 1;
    else if (byte === code(')')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return bytes.length + 1;
}

function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== newLine && bytes[at] !== carriageReturn) at += 1;
  return at;
}

/** Returns the end of image data, after its `EI`. Unterminated data ends after the last byte. */
function endOfImage(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(code('E'), from); at !== -1; at = bytes.indexOf(code('E'), at + 1)) {
    const end = at + 2;
    if (bytes[at + 1] !== code('I') || !isSpace(bytes[at - 1]) || isRegular(bytes[end])) continue;
    if (bytes.subarray(end, end + behindImage).every((byte) => isSpace(byte) || (byte >= 32 && byte < 127))) return end;
  }
  return bytes.length + 1;
}
