import { Button } from '@mantine/core';
import type { AuditEntry } from '@chancery/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { announce } from '../../parts/announcer.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './document.module.css';
import { type ProofResult, verifyInclusion } from './proof.ts';
import { save } from './read.tsx';
import { pageTexts } from './texts.ts';

const pageRows = 50;
const maxPages = 10;

/** The journal of a document, in sentences, with an evidence pack and proofs. */
export function HistoryTab({ id }: { id: string }): JSX.Element {
  const words = useTexts(pageTexts);
  const { loadMore } = useTexts(commonTexts);
  const query = useInfiniteQuery({
    queryKey: ['document', id, 'journal'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      ok(api.GET('/api/v1/security/audit', { params: { query: { targetId: id, limit: pageRows, sort: '-createdAt', cursor } } })),
    getNextPageParam: ({ nextCursor }, pages) => (pages.length < maxPages ? nextCursor : undefined),
  });
  const isForbidden = query.error instanceof ApiProblem && query.error.status === 403;
  return (
    <div className={styles.part}>
      <Evidence id={id} />
      {query.isPending ? (
        <Loading />
      ) : isForbidden ? (
        <Empty title={words.noJournal}>{words.noJournalText}</Empty>
      ) : query.isError ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ol className={styles.steps} aria-label={words.tabs.history}>
          {query.data.pages
            .flatMap(({ events }) => events)
            .map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
        </ol>
      )}
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
function Entry({ entry }: { entry: AuditEntry }): JSX.Element {
  const words = useTexts(pageTexts);
  const { actor, type, data, at } = entry;
  return (
    <li>
      <span className={styles.grow}>
        {actor.id === undefined ? words.actors[actor.type] : <Name id={actor.id} />} {words.act(type, data)}
        <Share type={type} data={data} />
        {data.via === 'role' && <span className="soft"> · {words.viaRole}</span>}
      </span>
      <Time at={at} />
      <Proof entry={entry} />
    </li>
  );
}

const shareTypes = new Set(['access.granted', 'access.ended', 'document.shared']);

/** Who got or lost which access, in an entry about a share. */
function Share({ type, data }: Pick<AuditEntry, 'type' | 'data'>): JSX.Element | null {
  const words = useTexts(pageTexts);
  if (!shareTypes.has(type)) return null;
  const id = [data.userId, data.groupId, data.clientId].find((one) => typeof one === 'string');
  const right = Object.entries(words.rights).find(([access]) => access === data.access)?.[1];
  return (
    <>
      {': '}
      {data.team === true ? words.wholeTeam : <Name id={id} />}
      {right !== undefined && <span className="soft"> · {right}</span>}
    </>
  );
}

/** Verifies in this browser that the signed tree of the journal contains the entry. */
function Proof({ entry }: { entry: AuditEntry }): JSX.Element {
  const words = useTexts(pageTexts);
  const [result, setResult] = useState<ProofResult | 'soon'>();
  const { error, isBusy, run } = useAction();
  const verify = () =>
    run(async () => {
      try {
        const [proof, { verifierKeys }] = await Promise.all([
          ok(api.GET('/api/v1/security/audit/{id}/proof', { params: { path: { id: entry.id } } })),
          ok(api.GET('/api/v1/security/audit/checkpoint')),
        ]);
        const found = await verifyInclusion(entry, proof, verifierKeys);
        setResult(found);
        announce(found.ok ? words.proven(found.treeSize) : words.notProven);
      } catch (failure) {
        // The next checkpoint contains it.
        if (failure instanceof ApiProblem && failure.status === 409) setResult('soon');
        else throw failure;
      }
    });
  if (result === 'soon') return <span className="soft">{words.provenSoon}</span>;
  if (result)
    return (
      <span
        className={styles.proof}
        data-wrong={!result.ok || undefined}
        title={result.ok ? words.proven(result.treeSize) : words.proofErrors[result.error]}
      >
        <Icon name={result.ok ? 'shield' : 'warning'} size={16} />
        {result.ok ? words.provenShort : words.notProven}
      </span>
    );
  return (
    <>
      <Button variant="subtle" size="xs" loading={isBusy} onClick={() => void verify()}>
        {words.prove}
      </Button>
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  );
}

/** Time between two looks at a pack that is in progress. */
const pollMs = 1_500;

/** Requests an evidence pack, and downloads it when it is ready. */
function Evidence({ id }: { id: string }): JSX.Element {
  const words = useTexts(pageTexts);
  const [packId, setPackId] = useState<string>();
  const { error, isBusy, run } = useAction();
  const pack = useQuery({
    queryKey: ['evidence', packId],
    queryFn: () => ok(api.GET('/api/v1/evidence/{id}', { params: { path: { id: packId ?? '' } } })),
    enabled: packId !== undefined,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'pending' ? pollMs : false),
  });
  const request = () =>
    run(async () => {
      const made = await ok(api.POST('/api/v1/evidence', { body: { documentId: id } }));
      setPackId(made.id);
    });
  const status = packId === undefined ? undefined : (pack.data?.status ?? 'pending');
  return (
    <>
      <div className={styles.pack}>
        <Icon name="shield" />
        <span className={styles.grow} role="status">
          {status === undefined ? words.evidenceText : words.evidenceStates[status]}
        </span>
        {status === 'ready' ? (
          <Button leftSection={<Icon name="download" size={18} />} onClick={() => void save(`/api/v1/evidence/${packId}/file`)}>
            {words.download}
          </Button>
        ) : (
          <Button variant="default" loading={isBusy || status === 'pending'} onClick={() => void request()}>
            {words.evidence}
          </Button>
        )}
      </div>
      {error !== undefined && <ProblemNotice error={error} />}
      {pack.isError && <ProblemNotice error={pack.error} />}
    </>
  );
}
