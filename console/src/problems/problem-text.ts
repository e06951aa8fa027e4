import { useEffect, useState } from 'react';
import { type Language, useLanguage } from '../texts/language.ts';
import { ApiProblem } from './api-problem.ts';
import { statusTexts } from './status-texts.ts';

/** The text of each problem code. A language loads at the first problem. */
type Catalogue = Readonly<Record<string, string>>;
const load: Record<Language, () => Promise<Catalogue>> = {
  en: async () => (await import('./catalogue-en.ts')).catalogue,
  de: async () => (await import('./catalogue-de.ts')).catalogue,
};

function textOf(error: unknown, catalogue: Catalogue | undefined, language: Language): string {
  const words = statusTexts[language];
  if (!(error instanceof ApiProblem)) return navigator.onLine ? words.failed : words.offline;
  return catalogue?.[error.code] ?? (error.status >= 500 ? words.broken : words.refused);
}

/** Returns the meaning of a problem, in the language of the person. */
export async function problemText(error: unknown, language: Language): Promise<string> {
  return textOf(error, await load[language]().catch(() => undefined), language);
}

export function useProblemText(error: unknown): string {
  const language = useLanguage();
  const [known, setKnown] = useState<{ language: Language; catalogue: Catalogue }>();
  useEffect(() => {
    let isCurrent = true;
    load[language]().then(
      (catalogue) => isCurrent && setKnown({ language, catalogue }),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return textOf(error, known?.language === language ? known.catalogue : undefined, language);
}
