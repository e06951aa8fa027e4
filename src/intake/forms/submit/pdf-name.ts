import { resolveText, type Text, localesOf } from '#fields';
import type { Definition } from '../schemas.ts';
import { firstCharacters } from '../../../platform/text.ts';

type PdfNameSource = { id: string; title: Text; locale: string | null; settings: Definition['publicSettings'] };

/** Returns the file name of the PDF of a submission. It contains only characters that every system allows in file names. */
export function pdfName({ id, title, locale, settings }: PdfNameSource): string {
  const [first] = localesOf({ publicSettings: settings });
  const words = resolveText(title, locale ?? first, first)
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  return `${firstCharacters(words, 80).trim() || 'answers'} ${id.slice(-8)}.pdf`;
}
