import type { Field, Text } from './field.ts';

const baseOf = (locale: string) => locale.toLowerCase().split('-')[0];

/** Finds a locale in `offered`: the locale `wanted`, or one with the same language (`de` for `de-AT`). */
function serving(wanted: string, offered: readonly string[]): string | undefined {
  const same = offered.find((one) => one.toLowerCase() === wanted.toLowerCase());
  return same ?? offered.find((one) => baseOf(one) === baseOf(wanted));
}

/** Returns a text in a language, otherwise in the default language, otherwise in any language. */
export function resolveText(text: Text, locale: string, defaultLocale: string): string {
  if (typeof text === 'string') return text;
  const offered = Object.keys(text);
  const chosen = serving(locale, offered) ?? serving(defaultLocale, offered) ?? offered[0];
  return chosen === undefined ? '' : (text[chosen] ?? '');
}

/** Chooses the language of a form: the one in the URL, otherwise the first of `Accept-Language` that the form has, otherwise its default. */
export function chooseLocale(
  { wanted, accepted = '' }: { wanted?: string | undefined; accepted?: string | undefined },
  offered: readonly string[],
  defaultLocale: string,
): string {
  const preferred = accepted
    .slice(0, 1_000)
    .split(',')
    .map((one) => {
      const [tag = '', ...parameters] = one.trim().split(';');
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight.trim().slice(2)) || 0 };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
  for (const tag of wanted === undefined ? preferred : [wanted, ...preferred]) {
    const found = serving(tag, offered);
    if (found !== undefined) return found;
  }
  return defaultLocale;
}

/** A field with texts in one language. */
export type ResolvedField = Omit<Field, 'label' | 'help' | 'placeholder' | 'options' | 'validation'> & {
  label?: string;
  help?: string;
  placeholder?: string;
  options?: { id: string; label: string }[];
  validation?: Omit<NonNullable<Field['validation']>, 'message'> & { message?: string };
};

/** Returns the fields with all texts in one language, in the format of the API. */
export function resolveFields(fields: readonly Field[], locale: string, defaultLocale: string): ResolvedField[] {
  const inWords = (text: Text) => resolveText(text, locale, defaultLocale);
  return fields.map(({ label, help, placeholder, options, validation, ...field }) => ({
    ...field,
    ...(label === undefined ? {} : { label: inWords(label) }),
    ...(help === undefined ? {} : { help: inWords(help) }),
    ...(placeholder === undefined ? {} : { placeholder: inWords(placeholder) }),
    ...(options === undefined
      ? {}
      : { options: options.map((option) => ({ id: option.id, label: option.label === undefined ? option.id : inWords(option.label) })) }),
    ...(validation === undefined ? {} : { validation: resolveMessage(validation, inWords) }),
  }));
}

function resolveMessage({ message, ...rules }: NonNullable<Field['validation']>, inWords: (text: Text) => string) {
  return message === undefined ? rules : { ...rules, message: inWords(message) };
}
