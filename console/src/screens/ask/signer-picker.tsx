import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { JSX, KeyboardEvent } from 'react';
import { useState } from 'react';
import { Icon } from '../../parts/icons.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import { type DraftSigner, hasEmail } from './draft.ts';
import { usePeople } from './people.ts';
import { askTexts } from './texts.ts';

/** Time after the last letter before the people of the team are searched. */
const pauseMs = 200;

type PickerProps = { signers: readonly DraftSigner[]; add: (name: string, email: string) => void };

/** Adds a signer: a person of the team, a signer of an earlier request, or `Name email@address`. */
export function SignerPicker({ signers, add }: PickerProps): JSX.Element {
  const words = useTexts(askTexts);
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), pauseMs);
  const left = new Set(signers.map(({ email }) => email.trim().toLocaleLowerCase()));
  const people = usePeople(wanted, left);
  const typed = typedPerson(text);
  const isListed = typed !== undefined && left.has(typed.email.toLocaleLowerCase());
  const take = (name: string, email: string) => {
    add(name, email);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const [first] = people;
    if (typed !== undefined && !isListed) take(typed.name, typed.email);
    else if (text.trim() !== '' && first !== undefined) take(first.name, first.email);
  };
  return (
    <div className={styles.picker}>
      <TextInput
        label={words.addSigner}
        placeholder={words.addPlaceholder}
        description={words.addText}
        value={text}
        maxLength={400}
        autoComplete="off"
        error={isListed && words.isListed}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={onKeyDown}
      />
      <ul className={styles.suggestions} aria-label={words.suggestions}>
        {typed !== undefined && !isListed && (
          <li>
            <button type="button" className={styles.suggestion} data-typed="" onClick={() => take(typed.name, typed.email)}>
              <Icon name="plus" size={16} />
              <span className="apart">{words.add}</span>
              <span>{typed.name}</span>
              <span className="soft">{typed.email}</span>
            </button>
          </li>
        )}
        {people.map(({ name, email, isMember }) => (
          <li key={email}>
            <button type="button" className={styles.suggestion} onClick={() => take(name, email)}>
              <Icon name={isMember ? 'person' : 'clock'} size={16} />
              <span className="apart">{words.add}</span>
              <span>{name}</span>
              <span className="soft">{email}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Reads `Ada Acme ada@acme.example` and `Ada Acme <ada@acme.example>`. Without a name, the first part of the address is the name. */
export function typedPerson(text: string): { name: string; email: string } | undefined {
  const parts = text
    .replaceAll(/[<>,;"]/g, ' ')
    .trim()
    .split(/\s+/);
  const email = parts.find(hasEmail);
  if (email === undefined) return undefined;
  const given = parts.filter((part) => part !== email).join(' ');
  const words = (email.split('@')[0] ?? '').split(/[._-]+/).filter((word) => word !== '');
  const fromAddress = words.map((word) => word[0]?.toLocaleUpperCase() + word.slice(1)).join(' ');
  return { name: given === '' ? fromAddress : given, email };
}
