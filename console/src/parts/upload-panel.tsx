import { Button, CloseButton, Progress } from '@mantine/core';
import { type JSX, useEffect, useEffectEvent } from 'react';
import { ProblemNotice } from '../problems/problem-notice.tsx';
import { commonTexts } from '../texts/common.ts';
import { defineTexts, plural, useTexts } from '../texts/texts.ts';
import { AskLink } from './ask-link.tsx';
import styles from './upload-panel.module.css';
import { cancelUpload, clearUploads, retryUpload, type Upload, useUploads } from './upload.ts';

const uploadTexts = defineTexts({
  en: {
    title: 'Uploads',
    left: (count: number) => plural(count, { one: '1 file is being uploaded', other: `${count} files are being uploaded` }),
    ended: 'Uploads finished',
    cancel: (name: string) => `Cancel ${name}`,
    retry: (name: string) => `Upload ${name} again`,
    states: { waiting: 'Waiting', sending: 'Uploading', done: 'Uploaded', failed: 'Not uploaded', cancelled: 'Cancelled' },
  },
  de: {
    title: 'Uploads',
    left: (count: number) => plural(count, { one: '1 Datei wird hochgeladen', other: `${count} Dateien werden hochgeladen` }),
    ended: 'Uploads abgeschlossen',
    cancel: (name: string) => `${name} abbrechen`,
    retry: (name: string) => `${name} erneut hochladen`,
    states: {
      waiting: 'Wartet',
      sending: 'Wird hochgeladen',
      done: 'Hochgeladen',
      failed: 'Nicht hochgeladen',
      cancelled: 'Abgebrochen',
    },
  },
});

/** The files on their way, each with its progress. */
export function UploadPanel(): JSX.Element | null {
  const words = useTexts(uploadTexts);
  const { close } = useTexts(commonTexts);
  const uploads = useUploads();
  // Finished uploads are not shown again on another screen.
  const clearDone = useEffectEvent(() => uploads.every(({ status }) => status === 'done') && clearUploads());
  useEffect(() => void clearDone(), []);
  if (uploads.length === 0) return null;
  const left = uploads.filter(({ status }) => status === 'waiting' || status === 'sending').length;
  return (
    <section className={styles.panel} aria-label={words.title}>
      <header>
        <h2 role="status">{left > 0 ? words.left(left) : words.ended}</h2>
        {left === 0 && <CloseButton aria-label={close} onClick={clearUploads} />}
      </header>
      <ul>
        {uploads.map((one) => (
          <UploadRow key={one.id} upload={one} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload: { id, name, status, sent, error, resourceId } }: { upload: Upload }): JSX.Element {
  const words = useTexts(uploadTexts);
  const { cancel, retry } = useTexts(commonTexts);
  const isOpen = status === 'waiting' || status === 'sending';
  return (
    <li>
      <div className={styles.line}>
        <span className={styles.name}>{name}</span>
        <span className="soft numbers">{status === 'sending' ? `${Math.round(sent * 100)} %` : words.states[status]}</span>
        {isOpen && (
          <Button variant="subtle" size="compact-sm" aria-label={words.cancel(name)} onClick={() => cancelUpload(id)}>
            {cancel}
          </Button>
        )}
        {(status === 'failed' || status === 'cancelled') && (
          <Button variant="subtle" size="compact-sm" aria-label={words.retry(name)} onClick={() => retryUpload(id)}>
            {retry}
          </Button>
        )}
      </div>
      {status === 'sending' && <Progress value={sent * 100} size="sm" aria-label={name} />}
      {status === 'failed' && <ProblemNotice error={error} />}
      {resourceId !== undefined && /\.pdf$/i.test(name) && <AskLink documentId={resourceId} name={name} size="compact-sm" />}
    </li>
  );
}
