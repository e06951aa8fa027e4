/** The default language of a form. */
export const usualLocale = 'en';

/** The language settings of a form. */
export type FormLocales = { publicSettings: { locale?: string; locales?: readonly string[] } };

/** Returns the languages of a form, the default first. */
export function localesOf({ publicSettings: { locale, locales = [] } }: FormLocales): [string, ...string[]] {
  const first = locale ?? locales[0] ?? usualLocale;
  return [first, ...locales.filter((one) => one !== first)];
}
