import { firstCharacters } from '../../platform/text.ts';

/** Cleans the name of an app for display: one line, without characters that hide or reverse text. Returns undefined if nothing remains. */
export function cleanName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const clean = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return clean === '' ? undefined : firstCharacters(clean, 60);
}
