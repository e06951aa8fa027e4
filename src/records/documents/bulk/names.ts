import { extname } from 'node:path';

/** Maximum bytes of a file or folder name in an archive. File systems allow 255, and some limit the whole path. */
const maxBytes = 150;
/** Device names that Windows reserves, with any extension. */
const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)\s*(?:\.|$)/i;

/** Cuts a text to at most `bytes` bytes, between two characters. */
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
 * Returns a name that is safe on every system: it cannot lead to another folder, is not reserved, and is displayed as it is stored. Removes controls,
 * separators, wildcards, invisible characters and direction marks.
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
  // Windows drops trailing dots and spaces, so `..` and `con.` would become other names.
  const whole = `${stem}${ending}`.replaceAll(/^[\s.]+|[\s.]+$/g, '');
  return whole === '' || reserved.test(whole) ? `_${whole}` : whole;
}

/** The extension of a name with its dot, or an empty string. */
function endingOf(name: string): string {
  const ending = extname(name);
  return /^\.[\p{L}\p{N}_-]{1,16}$/u.test(ending) ? ending : '';
}

/** Returns the file name of a document: its title with the extension of the uploaded file. */
export function fileNameOf(title: string, uploadedAs: string): string {
  const ending = endingOf(safeName(uploadedAs));
  return title.toLowerCase().endsWith(ending.toLowerCase()) ? title : `${title}${ending}`;
}

/** Maps names that some file system treats as equal to the same key. */
const folded = (path: string) => path.normalize('NFKC').toLowerCase().toUpperCase();

/** Returns a function that makes names in an archive unique on every system. */
export function uniqueNames(taken: readonly string[] = []) {
  const known = new Set(taken.map(folded));
  // The next free number for each name, so that a thousand equal names need no search.
  const next = new Map<string, number>();
  /** Returns a safe name in `folder` (empty, or ending in `/`), with a number if the name is in use. */
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
