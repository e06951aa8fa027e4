import type { Definition } from './schemas.ts';

/** The default language of a form. */
export const usualLocale = 'en';

/** Returns the languages of a definition, the default first. */
export function localesOf({ publicSettings: { locale, locales = [] } }: Pick<Definition, 'publicSettings'>): [string, ...string[]] {
  const first = locale ?? locales[0] ?? usualLocale;
  return [first, ...locales.filter((one) => one !== first)];
}
