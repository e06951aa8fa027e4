import { Button, type ButtonProps } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useState } from 'react';
import { ProblemNotice } from '../problems/problem-notice.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import styles from './confirm.module.css';

type ConfirmProps = Omit<ButtonProps, 'children'> & {
  label: string;
  /** The name of the button for screen readers, if the label is the same in several rows. */
  name?: string;
  title: string;
  /** What happens, and to whom. */
  children: ReactNode;
  /** The text of the button that does it; by default `label`. */
  verb?: string;
  action: () => Promise<unknown>;
};

/** A button for an action that cannot be undone. A dialog says what happens first. */
export function ConfirmButton({ label, name, title, children, verb, action, ...button }: ConfirmProps): JSX.Element {
  const words = useTexts(commonTexts);
  const [isOpen, setOpen] = useState(false);
  const { run, isBusy, error } = useAction();
  const confirm = () =>
    run(async () => {
      await action();
      setOpen(false);
    });
  return (
    <>
      <Button variant="default" {...button} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} close={() => setOpen(false)}>
        <div className={styles.content}>
          <div>{children}</div>
          {error !== undefined && <ProblemNotice error={error} />}
          <div className={styles.choices}>
            <Button variant="default" data-autofocus onClick={() => setOpen(false)}>
              {words.cancel}
            </Button>
            <Button color="red" loading={isBusy} onClick={() => void confirm()}>
              {verb ?? label}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
