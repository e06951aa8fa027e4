import type { JSX, ReactNode } from 'react';
import styles from './section.module.css';

/** A part of a page with its own heading. */
export function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}): JSX.Element {
  return (
    <section className={styles.section} aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          {text !== undefined && <p className="soft">{text}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** A short list whose rows are no pages of their own, such as passkeys. */
export function Rows({ label, children }: { label: string; children: ReactNode }): JSX.Element {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

export function RowOf({ title, detail, actions }: { title: ReactNode; detail?: ReactNode; actions?: ReactNode }): JSX.Element {
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.title}>{title}</p>
        {detail !== undefined && <p className="soft">{detail}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </li>
  );
}
