import type { JSX, ReactNode } from 'react';
import styles from './facts.module.css';

/** Members of a resource with their names. Those without a value are absent. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }): JSX.Element {
  return (
    <dl className={styles.facts}>
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
