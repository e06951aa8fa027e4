import { Button, NativeSelect } from '@mantine/core';
import type { Document, DocumentVersion } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useRef } from 'react';
import { api, ok } from '../../api.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Icon } from '../../parts/icons.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { upload } from '../../parts/upload.ts';
import { useClaims } from '../../session/use-session.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './document.module.css';
import { contentPath, save, useVersions } from './read.tsx';
import type { DocumentPageSearch } from './tabs.ts';
import { pageTexts } from './texts.ts';

/** The versions of a document, an upload of the next one, and a comparison of two. */
export function VersionsTab({ document: { id } }: { document: Document }): JSX.Element {
  const words = useTexts(pageTexts);
  const query = useVersions(id);
  const mayWrite = useClaims().scopes.has('documents:write');
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const versions = query.data.toSorted((a, b) => b.number - a.number);
  return (
    <div className={styles.part}>
      {mayWrite && <UploadVersion id={id} />}
      {versions.length === 0 ? <Empty title={words.noFile}>{words.noFileText}</Empty> : <VersionTable id={id} versions={versions} />}
      {versions.length > 1 && <Compare id={id} versions={versions} />}
    </div>
  );
}

function UploadVersion({ id }: { id: string }): JSX.Element {
  const words = useTexts(pageTexts);
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const send = (file: File | undefined) => {
    if (!file) return;
    const done = () => void client.invalidateQueries({ queryKey: ['document', id] });
    upload([{ file, path: `/api/v1/smartdoc/documents/${id}/versions`, done }]);
  };
  return (
    <div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words.uploadVersion}
        onChange={({ currentTarget }) => {
          send(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Button leftSection={<Icon name="upload" size={18} />} onClick={() => input.current?.click()}>
        {words.uploadVersion}
      </Button>
    </div>
  );
}

function VersionTable({ id, versions }: { id: string; versions: readonly DocumentVersion[] }): JSX.Element {
  const words = useTexts(pageTexts);
  const format = useFormat();
  return (
    <table className={styles.table}>
      <caption className="apart">{words.tabs.versions}</caption>
      <thead>
        <tr>
          {[words.versionColumn, words.file, words.by, words.when].map((header) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
          <th scope="col">
            <span className="apart">{words.download}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {versions.map((one) => (
          <tr key={one.number}>
            <th scope="row">
              <Link to="/documents/$id" params={{ id }} search={{ version: one.number }}>
                {words.version(one.number)}
              </Link>
            </th>
            <td>
              {one.fileName} <span className="soft numbers">{format.size(one.size)}</span>
            </td>
            <td>
              <Name id={one.createdBy} />
            </td>
            <td>
              <Time at={one.createdAt} />
            </td>
            <td className={styles.last}>
              <Button
                variant="subtle"
                size="xs"
                aria-label={words.downloadVersion(one.number)}
                onClick={() => void save(contentPath(id, one.number))}
              >
                {words.download}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The comparison of two versions: the newest with the one before, or the selected ones. */
function Compare({ id, versions }: { id: string; versions: readonly DocumentVersion[] }): JSX.Element {
  const words = useTexts(pageTexts);
  const navigate = useNavigate();
  const { from, to }: DocumentPageSearch = useSearch({ strict: false });
  const [newest = 2, before = 1] = versions.map(({ number }) => number);
  const options = versions.map(({ number }) => ({ value: String(number), label: words.version(number) }));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = fieldsOf(event, 'from', 'to');
    void navigate({
      to: '/documents/$id',
      params: { id },
      search: { tab: 'versions', from: Number(chosen.from), to: Number(chosen.to) },
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <section className={styles.part} aria-labelledby="compare">
      <h2 id="compare">{words.compare}</h2>
      <form className={styles.row} onSubmit={onSubmit}>
        <NativeSelect name="from" aria-label={words.compareFrom} data={options} defaultValue={String(from ?? before)} />
        <span>{words.compareWith}</span>
        <NativeSelect name="to" aria-label={words.compareTo} data={options} defaultValue={String(to ?? newest)} />
        <Button type="submit" variant="default">
          {words.compareNow}
        </Button>
      </form>
      {from !== undefined && to !== undefined && <Changes id={id} from={from} to={to} />}
    </section>
  );
}

function Changes({ id, from, to }: { id: string; from: number; to: number }): JSX.Element {
  const words = useTexts(pageTexts);
  const query = useQuery({
    queryKey: ['document', id, 'compare', from, to],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/documents/{id}/compare', { params: { path: { id }, query: { from, to } } })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.isPending) return <Loading rows={3} />;
  if (query.isError) return <Failed error={query.error} />;
  const { changes, changed, partial } = query.data;
  if (changes.length === 0) return <p role="status">{words.same}</p>;
  return (
    <>
      <p role="status">{words.changes(changed)}</p>
      {changes.map(({ before, removed, added, after }, at) => (
        <p key={at} className={styles.change} dir="auto">
          {before}
          {removed !== undefined && <del>{removed}</del>}
          {added !== undefined && <ins>{added}</ins>}
          {after}
        </p>
      ))}
      {partial && <p className="soft">{words.partial}</p>}
    </>
  );
}
