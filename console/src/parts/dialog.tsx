import { Button, Modal } from '@mantine/core';
import type { FormEvent, JSX, ReactNode } from 'react';
import { useState } from 'react';
import { ProblemNotice } from '../problems/problem-notice.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { useAction } from './action.ts';
import styles from './dialog.module.css';

type DialogProps = { title: ReactNode; isOpen: boolean; close: () => void; size?: 'md' | 'lg'; children: ReactNode };

/**
 * Moves the focus before the next key. Mantine does it later, and keys before that are lost. A menu that closes at the same time would take the
 * focus back if it was moved at once.
 */
export const focusSoon = (element: HTMLElement | null | undefined): void => queueMicrotask(() => element?.focus());
const focusFirst = (content: HTMLElement | null) => focusSoon(content?.querySelector<HTMLElement>('[data-autofocus]'));

/** A dialog in the middle of the screen. Its content exists only while it is open. */
export function Dialog({ title, isOpen, close, size = 'md', children }: DialogProps): JSX.Element {
  const words = useTexts(commonTexts);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': words.close }}
      // A transition shows the content one frame later, and keys before that are lost.
      transitionProps={{ duration: 0 }}
      centered
    >
      <div ref={focusFirst}>{children}</div>
    </Modal>
  );
}

type DialogButtonProps = { label: string; title: string; isDangerous?: boolean; children: (close: () => void) => ReactNode };

/** A button that opens a dialog. */
export function DialogButton({ label, title, isDangerous = false, children }: DialogButtonProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...(isDangerous ? { variant: 'subtle', color: 'red' } : { variant: 'default' })} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} close={close}>
        {children(close)}
      </Dialog>
    </>
  );
}

type ActionFormProps = {
  /** What happens, and to whom. */
  text?: string;
  /** The text of the button that sends it. */
  verb: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** Leaves the form. A button does this, and a sent form. */
  close?: () => void;
  /** The text of the button that only leaves the form; by default `Cancel`. */
  back?: string;
  /** Sends the form. A rejection is shown above the fields. `false` keeps the form open. */
  send: (event: FormEvent<HTMLFormElement>) => Promise<unknown>;
  children?: ReactNode;
};

/** A form that sends one request, with the problem of a failed one. */
export function ActionForm({
  text,
  verb,
  isDangerous = false,
  isDisabled = false,
  close,
  back,
  send,
  children,
}: ActionFormProps): JSX.Element {
  const words = useTexts(commonTexts);
  const { error, isBusy, run } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(async () => {
      if ((await send(event)) !== false) close?.();
    });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {text !== undefined && <p>{text}</p>}
      {error !== undefined && <ProblemNotice error={error} />}
      {children}
      <div className={styles.buttons}>
        {close && (
          <Button variant="default" onClick={close}>
            {back ?? words.cancel}
          </Button>
        )}
        <Button type="submit" loading={isBusy} disabled={isDisabled} {...(isDangerous ? { color: 'red' } : {})}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
