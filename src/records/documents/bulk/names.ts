import { extname } from 'node:path';

/** The longest name of one file or folder in an archive, in bytes: file systems take 255, and some count a path as a whole. */
const maxBytes = 150;
/** Names that Windows keeps for devices, with any ending. */
const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)\s*(?:\.|$)/i;

/** A text cut to so many bytes, between two characters. */
function cut(text: string, bytes: number): string {
  let kept = '';
  let size = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    size += Buffer.byteLength(segment);
    if (size > bytes) break;
    kept += segment;
  }
  return kept;
}

/**
 * A name that leads to no other folder on any system, that no system keeps for itself, and that reads as it is written: without
 * controls, separators, wildcards, invisible characters and those that turn the direction of writing.
 */
export function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}/\\:*?"<>|\uFFFD]/gu, '_')
    // Joiners stay: some scripts are misspelt without them.
    .replaceAll(/(?![\u200C\u200D])[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim();
  const ending = endingOf(plain);
  const stem = cut(plain.slice(0, plain.length - ending.length), maxBytes - Buffer.byteLength(ending));
  // Windows drops dots and spaces at the end, so that `..` and `con.` are others than they seem.
  const whole = `${stem}${ending}`.replaceAll(/^[\s.]+|[\s.]+$/g, '');
  return whole === '' || reserved.test(whole) ? `_${whole}` : whole;
}

/** The ending of a name, with its dot, where it looks like one. */
function endingOf(name: string): string {
  const ending = extname(name);
  return /^\.[\p{L}\p{N}_-]{1,16}$/u.test(ending) ? ending : '';
}

/** What a document is called as a file: by its title, with the ending that its file was uploaded with. */
export function fileNameOf(title: string, uploadedAs: string): string {
  const ending = endingOf(safeName(uploadedAs));
  return title.toLowerCase().endsWith(ending.toLowerCase()) ? title : `${title}${ending}`;
}

/** Two names that some system takes for the same. */
const folded = (path: string) => path.normalize('NFKC').toLowerCase().toUpperCase();

/** Gives names within an archive, none of them twice on any system. */
export function uniqueNames(taken: readonly string[] = []) {
  const known = new Set(taken.map(folded));
  // The number that is free next, so that a thousand of one name are not looked through for each.
  const next = new Map<string, number>();
  /** A safe name in `folder`, which is empty or ends in `/`; numbered where another has it. */
  return (folder: string, name: string): string => {
    const safe = safeName(name);
    const ending = endingOf(safe);
    const stem = safe.slice(0, safe.length - ending.length);
    const called = folded(`${folder}${safe}`);
    for (let number = next.get(called) ?? 1; ; number += 1) {
      const path = `${folder}${number === 1 ? safe : `${stem} (${number})${ending}`}`;
      if (known.has(folded(path))) continue;
      known.add(folded(path));
      next.set(called, number + 1);
      return path;
    }
  };
}
