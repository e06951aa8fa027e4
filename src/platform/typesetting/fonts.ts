import { globSync } from 'node:fs';
import { join } from 'node:path';
import { companion } from '../entry-points.ts';

/** A font family, its npm package and the used files: one weight for text and one for emphasis. */
type Family = { family: string; in: string; files: readonly string[] };

const google = (script: string): Family => {
  const file = `NotoSans${script}`;
  const folder = `@expo-google-fonts/noto-sans-${script.replaceAll(/(?<=[a-z])(?=\d)/g, '-').toLowerCase()}`;
  return {
    family: `Noto Sans ${script.replaceAll(/(?<=[a-z])(?=\d)/g, ' ')}`,
    in: folder,
    files: [`400Regular/${file}_400Regular.ttf`, `600SemiBold/${file}_600SemiBold.ttf`],
  };
};

/** Latin, Greek, Cyrillic and Devanagari. */
const latin: Family = {
  family: 'Noto Sans',
  in: '@embedpdf/fonts-latin',
  files: ['fonts/NotoSans-Regular.ttf', 'fonts/NotoSans-SemiBold.ttf', 'fonts/NotoSans-Italic.ttf'],
};
/** The Arabic font: the only tested one with correct text extraction from the PDF (docs/guides/generate-documents.md). */
const arabic: Family = {
  family: 'Amiri',
  in: '@expo-google-fonts/amiri',
  files: ['400Regular/Amiri_400Regular.ttf', '700Bold/Amiri_700Bold.ttf'],
};
const eastAsian = (family: string, code: string, file: string): Family => ({
  family,
  in: `@embedpdf/fonts-${code}`,
  files: [`fonts/${file}-Regular.otf`, `fonts/${file}-Bold.otf`],
});
const japanese = eastAsian('Noto Sans Japanese', 'jp', 'NotoSansJP');
const chinese = eastAsian('Noto Sans S Chinese', 'sc', 'NotoSansHans');
const korean = eastAsian('Noto Sans Korean', 'kr', 'NotoSansKR');
const hebrew: Family = {
  family: 'Noto Sans Hebrew',
  in: '@embedpdf/fonts-hebrew',
  files: ['fonts/NotoSansHebrew-Regular.ttf', 'fonts/NotoSansHebrew-Bold.ttf'],
};
const symbols: Family = { ...google('Symbols2'), files: ['400Regular/NotoSansSymbols2_400Regular.ttf'] };
const emoji: Family = {
  family: 'Noto Emoji',
  in: '@expo-google-fonts/noto-emoji',
  files: ['400Regular/NotoEmoji_400Regular.ttf'],
};
const others = [
  'Thai',
  'Bengali',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Gurmukhi',
  'Sinhala',
  'Khmer',
  'Lao',
  'Myanmar',
  'Ethiopic',
  'Armenian',
  'Georgian',
].map(google);

const all: readonly Family[] = [latin, arabic, hebrew, japanese, chinese, korean, ...others, symbols, emoji];

/** The font files, and by language the families in the order of fallback. */
export type Fonts = { files: string[]; families: Record<string, string[]> };

/**
 * Returns the installed fonts: Latin, Greek, Cyrillic and Devanagari come with the service, the others with the package `@chancery/fonts`. `folder` is the
 * folder of the operator with further fonts. The same ideograph looks different in Japanese, Chinese and Korean, so the language of a text selects the
 * first font.
 */
export function installedFonts(folder?: string): Fonts {
  const installed = all.filter(({ in: name }) => companion(name) !== undefined);
  const own = folder === undefined ? [] : globSync('**/*.{ttf,otf,ttc,TTF,OTF,TTC}', { cwd: folder }).map((file) => join(folder, file));
  const familiesFor = (...first: Family[]) =>
    [...new Set([latin, ...first, ...all])].filter((one) => installed.includes(one)).map(({ family }) => family);
  return {
    files: [...installed.flatMap(({ in: name, files }) => files.map((file) => join(companion(name) ?? '', file))), ...own],
    families: {
      und: familiesFor(),
      ja: familiesFor(japanese),
      zh: familiesFor(chinese, japanese),
      ko: familiesFor(korean, japanese),
    },
  };
}

/** Returns the font families that are not installed. Documents show their characters as boxes. */
export function missingFonts(): string[] {
  return all.filter(({ in: name }) => companion(name) === undefined).map(({ family }) => family);
}
