import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useEffect, useRef, useState } from 'react';
import { singleKeys } from '../shell/keys.ts';
import { Icon } from './icons.tsx';
import styles from './search-field.module.css';

/** Time after the last letter before the list is read. */
const pauseMs = 250;

/** The field that searches a list. The text is `q` in the address, and `/` moves the focus to the field. */
export function SearchField({ label }: { label: string }): JSX.Element {
  const navigate = useNavigate();
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const find = useDebouncedCallback(
    (value: string) =>
      void navigate({
        to: '.',
        search: (search: object) => ({ ...search, q: value.trim() || undefined, peek: undefined }),
        replace: true,
        resetScroll: false,
      }),
    pauseMs,
  );
  // Back and links change the address.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(q);
  }, [q]);
  singleKeys.useKeys({ '/': () => field.current?.focus() });
  return (
    <TextInput
      ref={field}
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={label}
      aria-keyshortcuts="/"
      leftSection={<Icon name="search" size={16} />}
      maxLength={200}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        find(value);
      }}
    />
  );
}
