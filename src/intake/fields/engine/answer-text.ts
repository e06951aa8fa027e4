import { type Field, isRecord, type Text } from './field.ts';
import { messageLocale } from './messages.ts';
import { optionsById } from './options.ts';
import { resolveText } from './texts.ts';

const yes = { en: 'Yes', de: 'Ja', ar: 'نعم', ja: 'はい' };
const no = { en: 'No', de: 'Nein', ar: 'لا', ja: 'いいえ' };

/**
 * Formats an answer for people, for a PDF or a list: option labels, country names, and dates and numbers in the language.
 * Uploads and records appear as their identifiers, because this function cannot look them up.
 */
export function answerText(field: Pick<Field, 'type' | 'options'>, value: unknown, locale: string, defaultLocale = locale): string {
  if (Array.isArray(value)) return value.map((one: unknown) => answerText(field, one, locale, defaultLocale)).join('\n');
  if (typeof value === 'boolean') return (value ? yes : no)[messageLocale(locale)];
  if (typeof value === 'number') return inLocale(locale, (one) => numberText(value, one));
  if (isRecord(value)) return compositeText(field, value, locale);
  if (typeof value !== 'string') return '';
  const label = field.options && optionsById(field.options).get(value)?.label;
  if (label !== undefined) return resolved(label, locale, defaultLocale);
  if (field.type === 'country') return inLocale(locale, (one) => new Intl.DisplayNames(one, { type: 'region' }).of(value) ?? value, value);
  if (field.type === 'date') return dateText(value, locale);
  return value;
}

/** Summarizes a record by its first three displayable values. Empty if there are none. */
export function recordText(values: readonly unknown[]): string {
  const words = values.map(wordsOf).filter((text) => text !== '');
  const line = words.slice(0, 3).join(' · ').slice(0, 301);
  // Do not cut a surrogate pair in half.
  return line.length <= 300 ? line : line.slice(0, 300).replace(/[\uD800-\uDBFF]$/, '');
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!isRecord(value)) return '';
  const { value: text, amount, currency } = value;
  if (typeof text === 'string') return text;
  return typeof amount === 'string' && typeof currency === 'string' ? `${amount} ${currency}` : '';
}

const resolved = (text: Text, locale: string, defaultLocale: string) => resolveText(text, locale, defaultLocale);

function compositeText({ type }: Pick<Field, 'type'>, value: Record<string, unknown>, locale: string): string {
  const text = (name: string) => (typeof value[name] === 'string' ? value[name] : '');
  if (type === 'money') return moneyText(text('amount'), text('currency'), locale);
  if (type === 'signature') return text('name') || text('fileId');
  return text('value');
}

/** Formats a number with all its digits. */
const numberText = (value: number, locale: string) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(String(value) as Intl.StringNumericLiteral);

function moneyText(amount: string, currency: string, locale: string): string {
  const plain = `${amount} ${currency}`.trim();
  // Formatted from the text, because a double cannot represent 15 digits before and 4 after the decimal point exactly.
  const format = (one: string) =>
    new Intl.NumberFormat(one, { style: 'currency', currency, currencyDisplay: 'code', maximumFractionDigits: 4 });
  return inLocale(locale, (one) => format(one).format(amount as Intl.StringNumericLiteral), plain);
}

function dateText(value: string, locale: string): string {
  const day = new Date(`${value}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return value;
  return inLocale(locale, (one) => new Intl.DateTimeFormat(one, { dateStyle: 'long', timeZone: 'UTC' }).format(day), value);
}

/** Formats in the locale, or in English if the locale is invalid. */
function inLocale(locale: string, format: (locale: string) => string, otherwise = ''): string {
  for (const one of [locale, 'en']) {
    try {
      return format(one);
    } catch {
      // The locale or the value of the answer can be unknown to Intl.
    }
  }
  return otherwise;
}
