import type { JSX } from 'react';
import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../api.ts';
import { useTexts } from '../texts/texts.ts';
import { Name } from './name.tsx';
import { useOutcomes } from './outcomes.ts';
import styles from './round-view.module.css';
import { roundTexts } from './round-texts.ts';
import { Time } from './time.tsx';

export const useRound = (id: string | undefined) =>
  useQuery({
    // A vote changes a task.
    queryKey: ['task', 'list', 'round', id],
    queryFn: () => ok(api.GET('/api/v1/approvals/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });
type Round = NonNullable<ReturnType<typeof useRound>['data']>;

/** An approval round: how many approvals it has and needs, and who voted. */
export function RoundView({ round }: { round: Round }): JSX.Element {
  const words = useTexts(roundTexts);
  const { result } = useOutcomes();
  const { need, votes, candidates, status, onRejection, expiresAt } = round;
  const needed = need.reduce((sum, { count }) => sum + count, 0);
  const given = Math.min(votes.filter(({ outcome }) => outcome === 'approved').length, needed);
  const voted = new Map(votes.map((vote) => [vote.userId, vote]));
  return (
    <section className={styles.round}>
      <h3>{words.title}</h3>
      <p>
        <strong>{words.progress(given, needed)}</strong>
        {status === 'open' ? given < needed && ` · ${words.missing(needed - given)}` : ` · ${words.status[status]}`}
      </p>
      <meter className={styles.meter} min={0} max={needed} value={given} aria-label={words.progress(given, needed)} />
      <ul className={styles.votes}>
        {candidates.map(({ userId, taskId }) => {
          const vote = voted.get(userId);
          return (
            <li key={taskId} className={styles.vote}>
              <Name id={userId} />
              <span className={vote === undefined ? 'soft' : undefined}>
                {vote === undefined ? words.waits : result(vote.outcome)}{' '}
                {vote?.onBehalfOf !== undefined && (
                  <span className="soft">
                    (<Name id={vote.votedBy} />, {words.onBehalfOf} <Name id={vote.onBehalfOf} />)
                  </span>
                )}
                {vote !== undefined && (
                  <span className="soft">
                    <Time at={vote.votedAt} />
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {status === 'open' && (
        <p className="soft">
          {onRejection === 'first' ? words.first : words.quorum}
          {expiresAt !== undefined && (
            <>
              {' '}
              {words.expires}: <Time at={expiresAt} exact />
            </>
          )}
        </p>
      )}
    </section>
  );
}
