/** Letters without a Unicode decomposition, and their common ASCII spelling. */
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
 * Folds a name for sorting and searching: without case, diacritics and punctuation, with one space between words.
 * The table of cities is sorted by the folded names.
 */
export function fold(text: string): string {
  // A faster path for plain ASCII names, which most are.
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
