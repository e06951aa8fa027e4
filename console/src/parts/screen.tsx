import type { JSX, ReactNode } from 'react';
import { useEffect } from 'react';
import styles from './screen.module.css';

/** A screen with its heading. The heading is also the title of the browser tab. */
export function Screen({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Chancery`;
  }, [title]);
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
