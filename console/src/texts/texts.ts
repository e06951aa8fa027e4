import { currentLanguage, type Language, languages, useLanguage } from './language.ts';

/** The form of texts: the same members in each language. A text with values is a function. */
type FormOf<Texts> = Texts extends string
  ? string
  : Texts extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof Texts]: FormOf<Texts[Key]> };

type Translations<Texts> = { en: Texts } & Record<Exclude<Language, 'en'>, FormOf<NoInfer<Texts>>>;
export type TextsByLanguage<Texts> = Readonly<Record<Language, FormOf<Texts>>>;

/** Declares the texts of a screen. A member that a language lacks is a type error. */
export const defineTexts = <Texts>(texts: Translations<Texts>): TextsByLanguage<Texts> => texts as TextsByLanguage<Texts>;

/** Returns texts in the language of the person. */
export function useTexts<Texts>(texts: Readonly<Record<Language, Texts>>): Texts {
  return texts[useLanguage()];
}

/** Selects a form by number, such as `plural(count, { one: '1 task', other: `${count} tasks` })`. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return new Intl.PluralRules(languages[currentLanguage()].locale).select(count) === 'one' ? forms.one : forms.other;
}
