import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { Name } from '../../parts/name.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './documents.module.css';
import { FolderPath } from './folders.tsx';
import { documentTexts } from './texts.ts';

export const useDocument = (id: string) =>
  useQuery({
    queryKey: ['document', id],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/documents/{id}', { params: { path: { id } } })),
  });

/** A document in the side panel. */
export function DocumentSummary({ id }: { id: string }): JSX.Element {
  const { openPage } = useTexts(commonTexts);
  const words = useTexts(documentTexts);
  const format = useFormat();
  const query = useDocument(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { title, status, currentVersion: file, folderId, userId, labels = [], description, reference, updatedAt, legalHold } = query.data;
  const facts: [name: string, value: JSX.Element | string | undefined][] = [
    [words.status, <Status key="status" of="document" status={status} />],
    [words.folder, <FolderPath key="path" id={folderId} />],
    [words.owner, <Name key="owner" id={userId} isMember />],
    [words.changed, <Time key="time" at={updatedAt} />],
    [words.version, file && `${file.number} · ${file.fileName} · ${format.size(file.size)}`],
    [words.labels, labels.length > 0 ? labels.join(', ') : undefined],
    [words.reference, reference],
    [words.description, description],
    [words.held, legalHold ? words.holdEffect : undefined],
  ];
  return (
    <>
      <h2>{title}</h2>
      <dl className={styles.facts}>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name} className={styles.fact}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <Link to="/documents/$id" params={{ id }}>
        {openPage}
      </Link>
    </>
  );
}
