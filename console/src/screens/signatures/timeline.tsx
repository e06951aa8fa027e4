import type { JSX } from 'react';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { Request } from './request-data.ts';
import styles from './signatures.module.css';
import { signatureTexts } from './texts.ts';

type TimelineStep = { label: string; at: string | undefined; isDone: boolean };

/** The steps of a request: requested, opened, signed, sealed. */
export function Timeline({ request }: { request: Request }): JSX.Element {
  const { timeline: words } = useTexts(signatureTexts);
  const signers = request.signers.filter(({ role }) => role !== 'copy');
  const last = (times: readonly (string | undefined)[]) =>
    times
      .flatMap((time) => time ?? [])
      .toSorted()
      .at(-1);
  const step = (times: (string | undefined)[], label: (done: number, all: number) => string): TimelineStep => {
    const done = times.filter((time) => time !== undefined).length;
    return { label: label(done, times.length), at: last(times), isDone: done === times.length };
  };
  const requested = request.signers.flatMap(({ sentAt }) => sentAt ?? []).toSorted();
  const steps: TimelineStep[] = [
    { label: words.requested, at: requested[0] ?? request.createdAt, isDone: requested.length > 0 },
    // A signer who signed has opened the document.
    step(
      signers.map(({ viewedAt, signedAt }) => viewedAt ?? signedAt),
      words.opened,
    ),
    step(
      signers.map(({ signedAt }) => signedAt),
      words.signed,
    ),
    { label: words.sealed, at: request.sealedAt, isDone: request.sealedAt !== undefined },
  ];
  return (
    <ol className={styles.timeline} aria-label={words.label}>
      {steps.map(({ label, at, isDone }) => (
        <li key={label} data-done={isDone || undefined}>
          <span className={styles.stepLabel}>{label}</span>
          <span className="apart">{isDone ? words.done : words.open}</span>
          {at !== undefined && (
            <span className="soft">
              <Time at={at} exact />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
