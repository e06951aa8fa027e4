import type { JSX } from 'react';
import { Name } from '../../parts/name.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useOutcomes } from '../../parts/outcomes.ts';
import { type Task, useDecided } from './queries.ts';
import styles from './task.module.css';
import { taskTexts } from './texts.ts';

/** Who decided the earlier steps of the workflow. */
export function History({ task: { id, workflowId } }: { task: Task }): JSX.Element | null {
  const words = useTexts(taskTexts);
  const { result } = useOutcomes();
  const { data = [] } = useDecided(workflowId);
  const decided = data.filter((one) => one.id !== id);
  if (decided.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>{words.history}</h3>
      <ol className={styles.list}>
        {decided.map((one) => (
          <li key={one.id}>
            <p>
              <strong>{one.outcome === undefined ? '' : result(one.outcome)}</strong> · {one.title}
            </p>
            <p className="soft">
              <Name id={one.completedBy} /> {one.completedAt !== undefined && <Time at={one.completedAt} />}
            </p>
            {one.comment !== undefined && <blockquote className={styles.quote}>{one.comment}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );
}
