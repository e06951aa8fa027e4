import type { JSX } from 'react';
import { useTexts } from '../../texts/texts.ts';
import type { Signer } from './request-data.ts';
import styles from './signatures.module.css';
import { signatureTexts } from './texts.ts';

const maxShown = 4;

/** The first letters of the first and the last name. */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].flatMap((part) => (part ? [Array.from(part)[0]] : []));
  return letters.join('').toLocaleUpperCase();
}

/** The signers of a request as circles with initials. The shape of the edge, and a text, have the state. */
export function SignerStates({ signers }: { signers: readonly Signer[] }): JSX.Element {
  const words = useTexts(signatureTexts);
  const requested = signers.filter(({ role }) => role !== 'copy');
  const rest = requested.length - maxShown;
  return (
    <span className={styles.signers}>
      {requested.slice(0, maxShown).map(({ id, name, status }) => (
        <span key={id} className={styles.signer} data-state={status} title={`${name}: ${words.states[status]}`}>
          <span aria-hidden="true">{initialsOf(name)}</span>
          <span className="apart">{`${name}: ${words.states[status]}.`}</span>
        </span>
      ))}
      {rest > 0 && <span className="soft">{`+${rest}`}</span>}
    </span>
  );
}
