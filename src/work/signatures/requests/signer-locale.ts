/** Languages of pages and emails for people without an account. */
export const signerLocales = ['en', 'de', 'ar', 'ja'] as const;
export type SignerLocale = (typeof signerLocales)[number];

const supported = (locale: string): SignerLocale | undefined => signerLocales.find((one) => one === locale.toLowerCase().split('-')[0]);

/** Returns the supported language of a locale, or English. */
export const signerLocale = (wanted: string | undefined): SignerLocale => supported(wanted ?? '') ?? 'en';

/** Returns why a caller cannot name a locale, or undefined. */
export const localeError = (locale: string | undefined): string | undefined =>
  locale === undefined || supported(locale) ? undefined : `has no texts: use ${signerLocales.join(', ')}, also with a region such as de-AT`;
