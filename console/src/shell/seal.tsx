import type { JSX } from 'react';
import styles from './shell.module.css';

/** A notched seal with the first letter of a name, as on the public pages. */
export function Seal({ letter }: { letter: string }): JSX.Element {
  const points = Array.from({ length: 48 }, (_, step) => {
    const radius = step % 2 === 0 ? 20 : 18.4;
    const angle = (step * Math.PI) / 24;
    return `${(20 + radius * Math.sin(angle)).toFixed(1)},${(20 - radius * Math.cos(angle)).toFixed(1)}`;
  });
  return (
    <svg className={styles.seal} viewBox="0 0 40 40" aria-hidden="true">
      <polygon points={points.join(' ')} fill="currentColor" />
      <text x="20" y="26" textAnchor="middle">
        {Array.from(letter.trim())[0]?.toLocaleUpperCase() ?? ''}
      </text>
    </svg>
  );
}
