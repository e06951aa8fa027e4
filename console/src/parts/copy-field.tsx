import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { commonTexts } from '../texts/common.ts';
import { defineTexts, useTexts } from '../texts/texts.ts';
import styles from './copy-field.module.css';
import { toast } from './toasts.tsx';

const copyTexts = defineTexts({ en: { copy: 'Copy' }, de: { copy: 'Kopieren' } });

/** A value for another program, such as an address or a secret, with a button that copies it. */
export function CopyField({ label, text, value }: { label: string; text?: string; value: string }): JSX.Element {
  const { copy } = useTexts(copyTexts);
  const { copied } = useTexts(commonTexts);
  return (
    <div className={styles.field} role="group" aria-label={label}>
      <p className={styles.label}>{label}</p>
      {text !== undefined && <p className="soft">{text}</p>}
      <div className={styles.line}>
        <code className={styles.value}>{value}</code>
        <Button
          variant="default"
          size="xs"
          aria-label={`${copy}: ${label}`}
          onClick={() => void navigator.clipboard.writeText(value).then(() => toast(copied))}
        >
          {copy}
        </Button>
      </div>
    </div>
  );
}
