import { Button } from '@mantine/core';
import type { Workflow } from '@chancery/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, page } from '../../api.ts';
import { Name } from '../../parts/name.tsx';
import { useOutcomes } from '../../parts/outcomes.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useStepWords } from '../../parts/workflow/step-words.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { workflowTexts } from './texts.ts';
import styles from './workflows.module.css';

const pageSize = 50;
const maxPages = 10;

const readHistory = (id: string, cursor: string | undefined) =>
  page(api.GET('/api/v1/workflows/{id}/history', { params: { path: { id }, query: { limit: pageSize, cursor } } }));
type HistoryEntry = Awaited<ReturnType<typeof readHistory>>['items'][number];

/** The history of a workflow, in sentences. */
export function HistoryTab({ workflow }: { workflow: Workflow }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { loadMore } = useTexts(commonTexts);
  const { id } = workflow;
  const query = useInfiniteQuery({
    queryKey: ['workflow', id, 'history'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readHistory(id, pageParam),
    getNextPageParam: ({ next }, pages) => (pages.length < maxPages ? next : undefined),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className={styles.part}>
      <ol className={styles.entries} aria-label={words.pageTabs.history}>
        {query.data.pages
          .flatMap(({ items }) => items)
          .map((entry) => (
            <Entry key={entry.id} workflow={workflow} entry={entry} />
          ))}
      </ol>
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {loadMore}
          </Button>
        </div>
      )}
    </div>
  );
}

/** One entry as a sentence: who did what, and when. */
function Entry({ workflow: { steps }, entry }: { workflow: Workflow; entry: HistoryEntry }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { nameOf } = useStepWords();
  const { result } = useOutcomes();
  const actors: Readonly<Record<string, string>> = words.actors;
  const { type, actorType, actorId, at, stepId, outcome, reason, text, assignedTo } = entry;
  const step = steps.find(({ id }) => id === stepId);
  const outcomeWords = outcome === undefined ? undefined : result(outcome);
  return (
    <li>
      <div className={styles.grow}>
        <p>
          {actorId === undefined ? (actors[actorType] ?? actorType) : <Name id={actorId} />}{' '}
          {words.act(type, step === undefined ? (stepId ?? '') : nameOf(step))}
          {outcomeWords !== undefined && `: ${outcomeWords}`}
          {(type === 'task.assigned' || type === 'task.created') && assignedTo !== undefined && (
            <>
              {': '}
              <Name id={assignedTo} />
            </>
          )}
        </p>
        {(reason ?? text) !== undefined && <blockquote className={styles.quote}>{reason ?? text}</blockquote>}
      </div>
      <span className="soft">
        <Time at={at} />
      </span>
    </li>
  );
}
