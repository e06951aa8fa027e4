import type { JSX, ReactNode } from 'react';
import { useEffect } from 'react';
import markUrl from '../../icon.svg';
import { chooseLanguage, type Language, languages, useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './sign-in.module.css';
import { signInTexts } from './texts.ts';

/** The card of the pages before the sign-in, with the choice of the language. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Chancery`;
  }, [title]);
  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <p className={styles.brand}>
          <img src={markUrl} alt="" width="28" height="28" />
          Chancery
        </p>
        {children}
      </main>
      <LanguageChoice />
    </div>
  );
}

function LanguageChoice(): JSX.Element {
  const current = useLanguage();
  const words = useTexts(signInTexts);
  return (
    <nav className={styles.languages} aria-label={words.language}>
      {(Object.keys(languages) as Language[]).map((one) => (
        <button key={one} type="button" lang={one} aria-current={one === current ? 'true' : undefined} onClick={() => chooseLanguage(one)}>
          {languages[one].name}
        </button>
      ))}
    </nav>
  );
}
