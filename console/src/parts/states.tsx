import { Skeleton } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { ApiProblem } from '../problems/api-problem.ts';
import { ProblemNotice } from '../problems/problem-notice.tsx';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import styles from './states.module.css';

/** Time before a placeholder appears, so that a fast response does not flicker. */
const skeletonDelayMs = 150;

/** Rows of a list or lines of a page that load. */
export function Loading({ rows = 6 }: { rows?: number }): JSX.Element | null {
  const words = useTexts(commonTexts);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), skeletonDelayMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div className={styles.loading} role="status">
      <span className="apart">{words.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={20} width={`${90 - ((row * 17) % 45)}%`} />
      ))}
    </div>
  );
}

/** A page or list without content: one sentence, and what to do first. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }): JSX.Element {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children !== undefined && <p className="soft">{children}</p>}
      {action}
    </div>
  );
}

/** What replaces a page or list that failed. A barrier looks like a missing page. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }): JSX.Element {
  const words = useTexts(commonTexts);
  const status = error instanceof ApiProblem ? error.status : undefined;
  if (status === 404) return <Empty title={words.missing.title}>{words.missing.text}</Empty>;
  if (status === 403) return <Empty title={words.noRight.title}>{words.noRight.text}</Empty>;
  return <ProblemNotice error={error} {...(retry ? { retry } : {})} />;
}
