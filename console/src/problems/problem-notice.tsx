import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useTexts } from '../texts/texts.ts';
import { commonTexts } from '../texts/common.ts';
import { useFormat } from '../texts/format.ts';
import { ApiProblem } from './api-problem.ts';
import styles from './problem-notice.module.css';
import { useProblemText } from './problem-text.ts';

/** Says what failed and what to do, with the identifier of the request for a report. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: () => void }): JSX.Element {
  const words = useTexts(commonTexts);
  const text = useProblemText(error);
  const format = useFormat();
  const problem = error instanceof ApiProblem ? error : undefined;
  const retryAfter = problem?.retryAfter;
  return (
    <div className={styles.notice} role="alert">
      <p>{text}</p>
      {retryAfter !== undefined && <p className="soft">{words.problem.wait(format.duration(retryAfter))}</p>}
      {problem && problem.errors.length > 0 && (
        <ul>
          {problem.errors.slice(0, 5).map(({ pointer, reason }) => (
            <li key={`${pointer} ${reason}`}>{reason}</li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        {retry && (
          <Button variant="default" size="xs" onClick={retry}>
            {words.retry}
          </Button>
        )}
        {problem && (
          <details>
            <summary>{words.details}</summary>
            <p>{problem.detail}</p>
            <p className="numbers">
              {words.problem.status} {problem.status} · {words.problem.code} {problem.code}
              {problem.requestId !== undefined && ` · ${words.problem.requestId} ${problem.requestId}`}
            </p>
          </details>
        )}
      </div>
    </div>
  );
}
