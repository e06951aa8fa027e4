const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Inserts a zero-width space after every `part` characters of words longer than `longest`. Without it, a long word would run over the edge of the
 * page and could be misread.
 */
export function breakingLongWords(text: string, { longest, part }: { longest: number; part: number }): string {
  return text.replaceAll(/[^\s\u{200b}]+/gu, (word) => {
    if (word.length <= longest) return word;
    const all = Array.from(characters.segment(word), ({ segment }) => segment);
    if (all.length <= longest) return word;
    return all.map((one, at) => (at > 0 && at % part === 0 ? `\u{200b}${one}` : one)).join('');
  });
}
