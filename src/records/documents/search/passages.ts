/** A piece of a text that is shown: `match` where it is what was looked for. Plain text, which a page writes as text and never as markup. */
export type Part = { text: string; match: boolean };

const [begins, ends] = ['\u0001', '\u0002'];

/** Reads what the database has marked. A mark that has no partner is dropped. */
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

/**
 * A text without what no text holds: control characters, and halves of characters. What is taken of a file may have them, and the
 * database keeps none.
 */
export const plain = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, (one) => (/[\t\n\v\f\r]/.test(one) ? one : ' '));

/** A text in pieces that end between words, of some 1 500 characters each: together they are the text. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + usual, text.length);
    if (to < text.length) {
      const space = text.slice(from, to).search(/\s\S*$/);
      if (space > usual / 2) to = from + space + 1;
      // A character is never cut in two.
      else if (/[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to += 1;
    }
    passages.push(text.slice(from, to));
    from = to;
  }
  return passages;
}
