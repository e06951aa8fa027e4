import { Switch } from '@mantine/core';
import type { JSX } from 'react';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { singleKeys } from './keys.ts';
import styles from './shell.module.css';

/** The list of keys, and the switch for single letters. */
export function KeyboardHelp({ isOpen, close }: { isOpen: boolean; close: () => void }): JSX.Element {
  const { keyboard: words } = useTexts(commonTexts);
  const [isOn, setOn] = useState(singleKeys.areOn());
  const keys = [
    ['⌘K, Ctrl K', words.palette],
    ['g', words.go],
    ['j, k', words.rows],
    ['Enter', words.open],
    ['Space', words.peek],
    ['x', words.pick],
    ['a', words.agree],
    ['c', words.changes],
    ['r', words.refuse],
    ['/', words.find],
    ['Esc', words.close],
    ['?', words.help],
  ] as const;
  return (
    <Dialog title={words.title} isOpen={isOpen} close={close}>
      <dl className={styles.keys}>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label={words.singleKeys}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          singleKeys.switch(checked);
          setOn(checked);
        }}
      />
    </Dialog>
  );
}
