/** Letters that no decomposition takes apart, as people write them who do not have them on their keyboard. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ə: 'e',
};

/**
 * What names are sorted and looked for by: without case, diacritics and punctuation, words apart by one space. The table of cities is
 * sorted by it: after a change run `npm run generate`.
 */
export function fold(text: string): string {
  // Most names are plain letters, and need half of it.
  if (/^[\w .-]*$/.test(text))
    return text
      .toLowerCase()
      .replaceAll(/[ ._-]+/g, ' ')
      .trim();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Lm}'’`´ʻ]+/gu, '')
    .replaceAll(/[ßæœøłđðþħıŋə]/g, (letter) => plain[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
