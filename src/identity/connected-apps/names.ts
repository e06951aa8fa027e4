import { firstCharacters } from '../../platform/text.ts';

/** What a program calls itself, as a person is shown it: one line, without what would hide or turn around other words. Nothing where nothing is left. */
export function cleanName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const clean = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return clean === '' ? undefined : firstCharacters(clean, 60);
}
