/** A piece of a text in a search result; `match` if the piece matches the query. Plain text that a page must escape. */
export type Part = { text: string; match: boolean };

const [begins, ends] = ['\u0001', '\u0002'];

/** Parses the marks of the database. Ignores a mark without a partner. */
export function partsOf(marked: string): Part[] {
  const parts: Part[] = [];
  let match = false;
  for (const piece of marked.split(/(\p{Cc})/u)) {
    if (piece === begins) match = true;
    else if (piece === ends) match = false;
    else if (piece !== '') {
      const last = parts.at(-1);
      if (last?.match === match) last.text += piece;
      else parts.push({ text: piece, match });
    }
  }
  return parts;
}

const usual = 1_500;

/** Replaces control characters and lone surrogates. Extracted text may have them, and the database rejects them. */
export const plain = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, (one) => (/[\t\n\v\f\r]/.test(one) ? one : ' '));

/** Splits a text between words into pieces of about 1 500 characters. Joined, they give the text. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + usual, text.length);
    if (to < text.length) {
      const space = text.slice(from, to).search(/\s\S*$/);
      if (space > usual / 2) to = from + space + 1;
      // Never split a surrogate pair.
      else if (/[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to += 1;
    }
    passages.push(text.slice(from, to));
    from = to;
  }
  return passages;
}
