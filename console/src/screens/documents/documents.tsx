import type { Document } from '@chancery/client';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { DragEvent, JSX } from 'react';
import { useRef, useState } from 'react';
import { api, countItems, ok, page } from '../../api.ts';
import { Icon } from '../../parts/icons.tsx';
import { List, pageRows } from '../../parts/list.tsx';
import { Name } from '../../parts/name.tsx';
import { Peek, usePeek } from '../../parts/peek.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { UploadPanel } from '../../parts/upload-panel.tsx';
import { upload } from '../../parts/upload.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { statusTexts } from '../../texts/status.ts';
import { useTexts } from '../../texts/texts.ts';
import { DocumentMenu } from './document-menu.tsx';
import styles from './documents.module.css';
import { type DocumentFilters, documentSorts, documentStates } from './filters.ts';
import { FolderActions, FolderTree, useFolders } from './folders.tsx';
import { HoldMark } from './holds.tsx';
import { SeveralDocuments } from './several.tsx';
import { DocumentSummary } from './summary.tsx';
import { documentTexts } from './texts.ts';

const documents = '/api/v1/smartdoc/documents/';

/** The documents that the person can see: folders at the left, the documents of one at the right. */
export function Documents(): JSX.Element {
  const { documents: title } = useTexts(commonTexts);
  const words = useTexts(documentTexts);
  const filters = useFilters();
  const folders = useFolders();
  const folder = folders.find(({ id }) => id === filters.folder);
  const mayWrite = useClaims().scopes.has('documents:write');
  const { isDragging, ...drop } = useDrop(mayWrite, (files) => send(files, filters.folder));
  return (
    <div className={styles.drop} data-over={isDragging || undefined} {...drop}>
      <Screen title={folder?.name ?? title} actions={mayWrite && <DocumentActions folder={filters.folder} />}>
        <div className={styles.area}>
          <div className={styles.columns}>
            <FolderTree folders={folders} current={filters.folder} />
            <div className={styles.content}>
              {folder && <FolderActions folder={folder} />}
              <FilterBar />
              <DocumentList />
            </div>
          </div>
        </div>
      </Screen>
      <DocumentPeek />
      <UploadPanel />
      {isDragging && <p className={styles.dropHint}>{words.dropHere}</p>}
    </div>
  );
}

const useFilters = (): DocumentFilters => useSearch({ strict: false });

/** Uploads files as new documents. The name of a file without its ending is the title. */
function send(files: readonly File[], folder: string | undefined): void {
  upload(
    files.map((file) => ({
      file,
      path: documents,
      fields: { title: file.name.replace(/\.[^.]{1,8}$/, '') || file.name, ...(folder === undefined ? {} : { folderId: folder }) },
    })),
  );
}

/** Accepts files that are dropped anywhere on the screen. */
function useDrop(isOn: boolean, take: (files: readonly File[]) => void) {
  const [isDragging, setOver] = useState(false);
  const has = ({ dataTransfer }: DragEvent) => isOn && dataTransfer.types.includes('Files');
  return {
    isDragging,
    onDragOver: (event: DragEvent) => {
      if (!has(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!has(event)) return;
      event.preventDefault();
      setOver(false);
      take([...event.dataTransfer.files]);
    },
  };
}

function DocumentActions({ folder }: { folder: string | undefined }): JSX.Element {
  const words = useTexts(documentTexts);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.upload}
        onChange={({ currentTarget }) => {
          send([...(currentTarget.files ?? [])], folder);
          currentTarget.value = '';
        }}
      />
      <Button leftSection={<Icon name="upload" size={18} />} onClick={() => input.current?.click()}>
        {words.upload}
      </Button>
    </>
  );
}

function FilterBar(): JSX.Element {
  const words = useTexts(documentTexts);
  const { document: states } = useTexts(statusTexts);
  const navigate = useNavigate();
  const { status = '', label = '', sort = documentSorts[0] } = useFilters();
  const filter = (members: DocumentFilters) =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, ...members, peek: undefined }), replace: true, resetScroll: false });
  const { data: labels = [] } = useQuery({ queryKey: ['document', 'labels'], queryFn: () => ok(api.GET('/api/v1/smartdoc/labels')) });
  return (
    <div className={styles.filters} role="search">
      <SearchField label={words.search} />
      <NativeSelect
        aria-label={words.status}
        value={status}
        data={[{ value: '', label: words.anyStatus }, ...documentStates.map((value) => ({ value, label: states[value] }))]}
        onChange={({ currentTarget: { value } }) => filter({ status: documentStates.find((one) => one === value) })}
      />
      {labels.length > 0 && (
        <NativeSelect
          aria-label={words.label}
          value={label}
          data={[
            { value: '', label: words.anyLabel },
            ...labels.map((one) => ({ value: one.label, label: `${one.label} (${one.documents})` })),
          ]}
          onChange={({ currentTarget: { value } }) => filter({ label: value || undefined })}
        />
      )}
      <NativeSelect
        aria-label={words.sort}
        value={sort}
        data={documentSorts.map((value) => ({ value, label: words.sorts[value] }))}
        onChange={({ currentTarget: { value } }) => filter({ sort: documentSorts.find((one) => one === value) })}
      />
    </div>
  );
}

function DocumentList(): JSX.Element {
  const { documents: title } = useTexts(commonTexts);
  const words = useTexts(documentTexts);
  const { folder: folderId, status, label, q, sort = documentSorts[0] } = useFilters();
  const [picked, pick] = useState<readonly Document[]>([]);
  const mayWrite = useClaims().scopes.has('documents:write');
  const isFiltered = [status, label, q].some((one) => one !== undefined);
  return (
    <>
      <List
        picked={{ items: picked, change: pick }}
        label={title}
        queryKey={['document', 'list', { folderId, status, label, q, sort }]}
        read={(cursor) =>
          page(
            api.GET(documents, {
              params: {
                query: { folderId, status, label: label === undefined ? undefined : [label], q, sort, limit: pageRows, cursor },
                header: countItems,
              },
            }),
          )
        }
        to={({ id }) => `/documents/${id}`}
        title={(document) => document.title}
        peeks
        columns={[
          {
            header: words.title,
            cell: ({ title: text, legalHold, labels = [] }) => (
              <>
                {text}
                {legalHold && <HoldMark />}
                {labels.map((one) => (
                  <span key={one} className={styles.label}>
                    {one}
                  </span>
                ))}
              </>
            ),
          },
          { header: words.status, cell: (document) => <Status of="document" status={document.status} />, narrow: true },
          { header: words.version, cell: ({ currentVersion }) => currentVersion?.number, narrow: true, wide: true },
          { header: words.owner, cell: ({ userId }) => <Name id={userId} isMember />, wide: true },
          { header: words.changed, cell: ({ updatedAt }) => <Time at={updatedAt} />, narrow: true, wide: true },
        ]}
        actions={(document) => <DocumentMenu document={document} />}
        empty={
          isFiltered ? (
            <Empty title={words.noHits} action={<Link to="/documents">{words.showAll}</Link>}>
              {words.noHitsText}
            </Empty>
          ) : folderId === undefined ? (
            <Empty title={words.none}>{words.noneText}</Empty>
          ) : (
            <Empty title={words.emptyFolder} action={mayWrite && <DocumentActions folder={folderId} />} />
          )
        }
      />
      <SeveralDocuments documents={picked} pick={pick} />
    </>
  );
}

function DocumentPeek(): JSX.Element {
  const words = useTexts(documentTexts);
  const { peek } = usePeek();
  return <Peek label={words.preview}>{peek !== undefined && <DocumentSummary key={peek} id={peek} />}</Peek>;
}
