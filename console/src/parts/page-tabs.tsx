import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import styles from './page-tabs.module.css';

export const tabsClass = styles.tabs;

/** Links to the pages of one area, such as the settings. A link is current on the pages below it too, unless one of them has a link of its own. */
export function PageTabs({ label, pages }: { label: string; pages: readonly { to: string; name: string }[] }): JSX.Element {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {pages.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: pages.some((other) => other.to.startsWith(`${to}/`)), includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
