import { Button } from '@mantine/core';
import type { Document } from '@chancery/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useEffect, useRef, useState } from 'react';
import { api, ok } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { download } from '../../parts/download.ts';
import { Icon } from '../../parts/icons.tsx';
import { PdfView, readFile } from '../../parts/pdf/pdf-view.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './document.module.css';
import type { DocumentPageSearch } from './tabs.ts';
import { pageTexts } from './texts.ts';

export const contentPath = (id: string, version?: number): string =>
  `/api/v1/smartdoc/documents/${id}/content${version === undefined ? '' : `?version=${version}`}`;

/** Downloads a file, and shows the problem if the service refuses. */
export const save = (path: string): Promise<void> => orToast(() => download(path));

export const useVersions = (id: string) =>
  useQuery({
    queryKey: ['document', id, 'versions'],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/documents/{id}/versions', { params: { path: { id } } })),
  });

/** The file of the newest version, or of the one in the address. */
export function ReadTab({ document }: { document: Document }): JSX.Element {
  const { id, byRole } = document;
  const [isAgreed, setAgreed] = useState(readByRole.has(id));
  if (!byRole || isAgreed) return <DocumentFile document={document} />;
  const agree = () => {
    readByRole.add(id);
    setAgreed(true);
  };
  return <ByRole agree={agree} />;
}

/** The documents that the person wants to read by role alone, until the console is closed. */
const readByRole = new Set<string>();

/** Says that a reading by role alone is recorded, before it happens. */
function ByRole({ agree }: { agree: () => void }): JSX.Element {
  const words = useTexts(pageTexts);
  return (
    <Empty title={words.notShared} action={<Button onClick={agree}>{words.readByRole}</Button>}>
      {words.notSharedText}
    </Empty>
  );
}

function DocumentFile({ document: { id, currentVersion } }: { document: Document }): JSX.Element {
  const words = useTexts(pageTexts);
  const { version }: DocumentPageSearch = useSearch({ strict: false });
  const isOld = version !== undefined && version !== currentVersion?.number;
  const versions = useVersions(id);
  const file = isOld ? versions.data?.find(({ number }) => number === version) : currentVersion;
  if (!currentVersion) return <Empty title={words.noFile}>{words.noFileText}</Empty>;
  if (isOld && versions.isPending) return <Loading />;
  if (!file)
    return (
      <Empty
        title={words.noVersion(version ?? 0)}
        action={
          <Link to="/documents/$id" params={{ id }} search={{}}>
            {words.readNewest}
          </Link>
        }
      />
    );
  const path = contentPath(id, file.number);
  return (
    <>
      {isOld && (
        <p className={styles.row} role="status">
          {words.oldVersion(file.number)}
          <Link to="/documents/$id" params={{ id }} search={{}}>
            {words.readNewest}
          </Link>
        </p>
      )}
      {file.mediaType === 'application/pdf' ? (
        <PdfView key={path} source={{ path, size: file.size }} />
      ) : file.mediaType === 'image/png' || file.mediaType === 'image/jpeg' ? (
        <ApiImage
          path={`/api/v1/smartdoc/documents/${id}/preview?version=${file.number}`}
          type="image/webp"
          alt={file.fileName}
          className={styles.image}
        />
      ) : (
        <Empty
          title={words.notShown(file.fileName)}
          action={
            <Button variant="default" leftSection={<Icon name="download" />} onClick={() => void save(path)}>
              {words.download}
            </Button>
          }
        >
          {words.notShownText}
        </Empty>
      )}
    </>
  );
}

type ImageProps = { path: string; type: string; alt: string; className?: string | undefined };

/** An image of the API. The browser cannot send the token, so the bytes become the address of the image. */
export function ApiImage({ path, type, alt, className }: ImageProps): JSX.Element {
  const image = useRef<HTMLImageElement>(null);
  const { data, error } = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => readFile(path, signal),
    gcTime: 0,
    retry: false,
  });
  useEffect(() => {
    if (!data || !image.current) return undefined;
    const address = URL.createObjectURL(new Blob([data], { type }));
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [data, type]);
  if (error) return <Failed error={error} />;
  return data ? <img ref={image} className={className} alt={alt} /> : <Loading />;
}
