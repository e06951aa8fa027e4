import { Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { ApiProblem } from '../problems/api-problem.ts';
import { useProblemText } from '../problems/problem-text.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import styles from './several.module.css';

/** What can be done with the picked rows of a list. */
export function SeveralBar({ count, clear, children }: { count: number; clear: () => void; children: ReactNode }): JSX.Element {
  const { several } = useTexts(commonTexts);
  return (
    <div className={styles.bar} role="toolbar" aria-label={several.picked(count)}>
      <span>{several.picked(count)}</span>
      {children}
      <Button size="xs" variant="subtle" onClick={clear}>
        {several.clear}
      </Button>
    </div>
  );
}

/** The result of one item of a request that changes several. */
export type ItemResult = { id: string; status: number; problem?: { code: string; detail: string } };

export const wasChanged = ({ status }: ItemResult): boolean => status < 300;

/** The items that a change of several ones left as they were, each with the reason. */
export function Failures({
  results,
  items,
}: {
  results: readonly ItemResult[];
  items: readonly { id: string; title: string }[];
}): JSX.Element | null {
  const { several } = useTexts(commonTexts);
  const failed = results.filter((one) => !wasChanged(one));
  if (failed.length === 0) return null;
  return (
    <div className={styles.failures} role="alert">
      <p>{several.failed(failed.length)}</p>
      <ul>
        {failed.map(({ id, status, problem }) => (
          <li key={id}>
            {items.find((item) => item.id === id)?.title}: <Reason error={new ApiProblem(new Response(null, { status }), problem)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const Reason = ({ error }: { error: ApiProblem }) => useProblemText(error);
