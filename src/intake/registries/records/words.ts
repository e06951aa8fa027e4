import { firstCharacters, nameKey } from '../../../platform/text.ts';

/** Words of one value that are kept: what lies behind them is not searched. */
const maxWords = 300;
const longestWord = 40;

const runs = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no spaces between words: what is written in them is found by any two neighbours. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const marks = /[\u0300-\u036f]/g;

/** The words of a text in the form in which they are kept and looked for: without accents or case. */
export function wordsOf(text: string, most = maxWords): string[] {
  const plain = nameKey(text).normalize('NFKD').replaceAll(marks, '').normalize('NFC');
  const found = new Set<string>();
  for (const [run] of plain.matchAll(runs)) {
    for (const word of partsOf(run)) found.add(firstCharacters(word, longestWord));
    if (found.size >= most) break;
  }
  return [...found].slice(0, most);
}

function partsOf(run: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: part, index } of run.matchAll(unspaced)) {
    if (index > from) parts.push(run.slice(from, index));
    parts.push(...pairsOf(part));
    from = index + part.length;
  }
  if (from < run.length) parts.push(run.slice(from));
  return parts;
}

/** Each two neighbours of a run, and the last character by itself. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((one, place) => one + (characters[place + 1] ?? ''));
}

/**
 * The words of what somebody looks for, each the beginning of one that is looked for. Of a run without spaces the last character is
 * part of the pair before it.
 */
export function searchedWords(q: string): string[] {
  const words = wordsOf(q, 8);
  return words.filter((word, place) => {
    const before = words[place - 1];
    return !(before !== undefined && Array.from(word).length === 1 && unspacedWord(word) && before.endsWith(word));
  });
}

const unspacedWord = (word: string) => word.replaceAll(unspaced, '') === '';
