import { CloseButton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useEffect } from 'react';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import styles from './peek.module.css';

/** The identifier in `?peek=`, and a function that closes the panel and returns the focus to its row. */
export function usePeek(): { peek: string | undefined; close: () => void } {
  const navigate = useNavigate();
  const { peek } = useSearch({ strict: false }) as { peek?: string };
  const close = () => {
    void navigate({ to: '.', search: (search: object) => ({ ...search, peek: undefined }), replace: true, resetScroll: false });
    document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(peek ?? '')}"] a`)?.focus();
  };
  return { peek, close };
}

/** The side panel of a list. It covers no row, and Escape closes it. */
export function Peek({ label, children }: { label: string; children: ReactNode }): JSX.Element | null {
  const words = useTexts(commonTexts);
  const { peek, close } = usePeek();
  useEffect(() => {
    if (peek === undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role="dialog"][aria-modal="true"]') === null)
        close();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
  if (peek === undefined) return null;
  return (
    <aside className={styles.peek} aria-label={label}>
      <CloseButton className={styles.close} aria-label={words.close} onClick={close} />
      {children}
    </aside>
  );
}
