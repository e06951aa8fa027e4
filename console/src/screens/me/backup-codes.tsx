import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { toast } from '../../parts/toasts.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './me.module.css';
import { meTexts } from './texts.ts';

/** Codes for a lost device. The service shows them once. */
export function BackupCodes({ codes, done }: { codes: readonly string[]; done: () => void }): JSX.Element {
  const words = useTexts(meTexts);
  const { copied } = useTexts(commonTexts);
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'));
    toast(copied);
  };
  return (
    <div className={styles.form} role="group" aria-label={words.backupCodes}>
      <h3>{words.backupCodes}</h3>
      <p className="soft">{words.backupCodesText}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.line}>
        <Button variant="default" onClick={() => void copy()}>
          {words.copyCodes}
        </Button>
        <Button onClick={done}>{words.storedCodes}</Button>
      </div>
    </div>
  );
}
