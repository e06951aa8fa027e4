import { Button, CloseButton } from '@mantine/core';
import type { JSX } from 'react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../texts/texts.ts';
import { commonTexts } from '../texts/common.ts';
import { announce } from './announcer.tsx';
import styles from './toasts.module.css';

type Toast = { id: number; text: string; isError?: boolean; undo?: () => void };

/** Time that a message stays. It stops while the pointer or the focus is on it (WCAG 2.2.1). */
const shownMs = 10_000;
const maxToasts = 3;
let nextId = 0;
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();
const change = (next: readonly Toast[]) => {
  toasts = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
const dismiss = (id: number) => change(toasts.filter((one) => one.id !== id));

/** Shows a short result. `undo` takes the change back. */
export function toast(text: string, options: Omit<Toast, 'id' | 'text'> = {}): void {
  nextId += 1;
  change([...toasts, { id: nextId, text, ...options }].slice(-maxToasts));
  announce(text);
}

export function Toasts(): JSX.Element {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={styles.stack}>
      {shown.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastCard({ toast: { id, text, isError, undo } }: { toast: Toast }): JSX.Element {
  const words = useTexts(commonTexts);
  const [isPaused, pause] = useState(false);
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setTimeout(() => dismiss(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  const pausing = {
    onMouseEnter: () => pause(true),
    onMouseLeave: () => pause(false),
    onFocus: () => pause(true),
    onBlur: () => pause(false),
  };
  return (
    <div className={styles.card} data-error={isError} {...pausing}>
      <span className={styles.text}>{text}</span>
      {undo && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            dismiss(id);
            undo();
          }}
        >
          {words.undo}
        </Button>
      )}
      <CloseButton size="md" aria-label={words.close} onClick={() => dismiss(id)} />
    </div>
  );
}
