import { firstCharacters, nameKey } from '../../../platform/text.ts';

/** Maximum indexed words of a value. Later words are not searchable. */
const maxWords = 300;
const longestWord = 40;

const runs = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. Their texts are indexed by pairs of adjacent characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const marks = /[\u0300-\u036f]/g;

/** Splits a text into words for the index and the search: without accents and case. */
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

/** Returns each pair of adjacent characters of a run, and its last character. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((one, place) => one + (characters[place + 1] ?? ''));
}

/**
 * Splits a query into words. Each word matches the beginning of indexed words. The last character of a run without spaces is omitted, because the
 * previous pair contains it.
 */
export function searchedWords(q: string): string[] {
  const words = wordsOf(q, 8);
  return words.filter((word, place) => {
    const before = words[place - 1];
    return !(before !== undefined && Array.from(word).length === 1 && unspacedWord(word) && before.endsWith(word));
  });
}

const unspacedWord = (word: string) => word.replaceAll(unspaced, '') === '';
