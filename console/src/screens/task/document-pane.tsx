import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { api, ok } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { download } from '../../parts/download.ts';
import { Name } from '../../parts/name.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Task, useTaskDocument } from './queries.ts';
import { seenVersions } from './seen-versions.ts';
import styles from './task.module.css';
import { taskTexts } from './texts.ts';

const PdfView = lazy(async () => ({ default: (await import('../../parts/pdf/pdf-view.tsx')).PdfView }));

type DocumentPaneProps = { task: Task; documents: readonly string[] };

/** The documents that a task is about, in the versions of the task. */
export function DocumentPane({ task, documents }: DocumentPaneProps): JSX.Element {
  const words = useTexts(taskTexts);
  const [first = ''] = documents;
  const [shown, show] = useState<string | null>(first);
  if (documents.length === 1) return <DocumentView task={task} documentId={first} />;
  return (
    <Tabs value={shown} onChange={show} keepMounted={false}>
      <Tabs.List aria-label={words.documents}>
        {documents.map((id) => (
          <Tabs.Tab key={id} value={id}>
            <Name id={id} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {documents.map((id) => (
        <Tabs.Panel key={id} value={id} pt="sm">
          <DocumentView task={task} documentId={id} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const shortened = (hash: string) => `${hash.slice(0, 4)}…${hash.slice(-4)}`;

function DocumentView({ task, documentId }: { task: Task; documentId: string }): JSX.Element {
  const words = useTexts(taskTexts);
  const common = useTexts(commonTexts);
  const query = useTaskDocument(task.id, documentId);
  if (query.isPending) return <Loading />;
  if (query.isError)
    return query.error instanceof ApiProblem && query.error.status === 404 ? (
      <Empty title={words.noDocument}>{words.noDocumentText}</Empty>
    ) : (
      <Failed error={query.error} retry={() => void query.refetch()} />
    );
  const { number, sha256, mediaType, size, fileName } = query.data;
  const path = `/api/v1/tasks/${task.id}/document/content?${new URLSearchParams({ documentId }).toString()}`;
  const copy = async () => {
    await navigator.clipboard.writeText(sha256);
    toast(common.copied);
  };
  return (
    <section className={styles.document} aria-label={words.document}>
      <header>
        <h2>
          <Link to="/documents/$id" params={{ id: documentId }}>
            <Name id={documentId} />
          </Link>
        </h2>
        <p className="soft">
          {words.version(number)} ·{' '}
          <button type="button" className={styles.hash} title={`${words.hash}: ${sha256}`} onClick={() => void copy()}>
            <span className="apart">{words.copyHash} </span>
            {shortened(sha256)}
          </button>
        </p>
        <Changes documentId={documentId} number={number} />
      </header>
      {mediaType === 'application/pdf' ? (
        <div className={styles.pages}>
          <Suspense fallback={<Loading />}>
            <PdfView source={{ path, size }} />
          </Suspense>
        </div>
      ) : (
        <Empty
          title={words.notShown}
          action={
            <Button variant="default" onClick={() => void orToast(() => download(path))}>
              {words.download}
            </Button>
          }
        >
          {fileName}
        </Empty>
      )}
    </section>
  );
}

/** What changed since the version that the person saw last, or since the one before. */
function Changes({ documentId, number }: { documentId: string; number: number }): JSX.Element | null {
  const words = useTexts(taskTexts);
  const [seen] = useState(() => seenVersions.of(documentId));
  const [isOpen, open] = useState(false);
  const from = seen !== undefined && seen < number ? seen : number - 1;
  useEffect(() => seenVersions.add(documentId, number), [documentId, number]);
  if (from < 1) return null;
  return (
    <div className={styles.changes}>
      <p>
        {from === seen && `${words.lastSeen(seen)} `}
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? words.hideChanges : words.compare(from)}
        </Button>
      </p>
      {isOpen && <Comparison documentId={documentId} from={from} to={number} />}
    </div>
  );
}

function Comparison({ documentId, from, to }: { documentId: string; from: number; to: number }): JSX.Element {
  const words = useTexts(taskTexts);
  const query = useQuery({
    queryKey: ['document', documentId, 'compare', from, to],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/documents/{id}/compare', { params: { path: { id: documentId }, query: { from, to } } })),
  });
  if (query.isPending) return <Loading rows={3} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { changes, changed, partial } = query.data;
  return (
    <section aria-label={words.compared(from, to)}>
      {changed === 0 && <p>{words.noChanges}</p>}
      <ol className={styles.list}>
        {changes.map(({ before, removed, added, after }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- changes have no identifier and keep their order
          <li key={at} className={styles.text}>
            <span className="soft">{before}</span>
            {removed !== undefined && (
              <del>
                <span className="apart">{words.removed}: </span>
                {removed}
              </del>
            )}
            {added !== undefined && (
              <ins>
                <span className="apart">{words.added}: </span>
                {added}
              </ins>
            )}
            <span className="soft">{after}</span>
          </li>
        ))}
      </ol>
      {(partial === true || changes.length < changed) && <p className="soft">{words.partial}</p>}
    </section>
  );
}
