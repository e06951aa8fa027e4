import { useSyncExternalStore } from 'react';

/** The languages of the console, each with its direction and the locale of its dates and numbers. */
export const languages = {
  en: { name: 'English', direction: 'ltr', locale: 'en-GB' },
  de: { name: 'Deutsch', direction: 'ltr', locale: 'de-DE' },
} as const;
export type Language = keyof typeof languages;

const key = 'language';
const isLanguage = (value: string): value is Language => Object.hasOwn(languages, value);
const listeners = new Set<() => void>();

/** The chosen language, or else the first one of the browser that the console has. */
function startLanguage(): Language {
  const wanted = [localStorage.getItem(key) ?? '', ...navigator.languages.map((one) => one.slice(0, 2))];
  return wanted.find(isLanguage) ?? 'en';
}
let current = startLanguage();

function showLanguage(): void {
  document.documentElement.lang = current;
  document.documentElement.dir = languages[current].direction;
}
showLanguage();

/** Changes the language of this browser. */
export function chooseLanguage(language: Language): void {
  current = language;
  localStorage.setItem(key, language);
  showLanguage();
  for (const listener of listeners) listener();
}

export const currentLanguage = (): Language => current;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);
