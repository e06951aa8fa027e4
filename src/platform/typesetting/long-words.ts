const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * A text whose words of more than `longest` characters may break within, each `part` of them, at a space without width: where no line has room for
 * one it would run over the edge of the page, and be read as another.
 */
export function breakingLongWords(text: string, { longest, part }: { longest: number; part: number }): string {
  return text.replaceAll(/[^\s\u{200b}]+/gu, (word) => {
    if (word.length <= longest) return word;
    const all = Array.from(characters.segment(word), ({ segment }) => segment);
    if (all.length <= longest) return word;
    return all.map((one, at) => (at > 0 && at % part === 0 ? `\u{200b}${one}` : one)).join('');
  });
}
