import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent, JSX, KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { serviceAddress } from '../../address.ts';
import { ApiProblem } from '../../problems/api-problem.ts';
import { send } from '../../session/send.ts';
import { useTexts } from '../../texts/texts.ts';
import { announce } from '../announcer.tsx';
import { download } from '../download.ts';
import { Icon } from '../icons.tsx';
import { Empty, Failed, Loading } from '../states.tsx';
import { orToast } from '../action.ts';
import type { PdfFile } from './pdf-file.ts';
import { PdfPages, type PdfPagesProps } from './pdf-pages.tsx';
import styles from './pdf.module.css';
import type { PdfFailure } from './protocol.ts';
import { pdfTexts } from './texts.ts';
import { useFind } from './use-find.ts';
import { usePdf } from './use-pdf.ts';

/** Larger files are only downloaded. */
export const maxShownBytes = 30 * 1024 * 1024;

/** A file of the API: the path of a download, such as `/api/v1/smartdoc/documents/{id}/content`. */
export type PdfSource = { path: string; size?: number | undefined };

class TooLargeError extends Error {}

/** Reads a file of the API with the session of this tab, up to {@link maxShownBytes}. */
export async function readFile(path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await send(new Request(`${serviceAddress}${path}`, { signal }));
  if (!response.ok) throw new ApiProblem(response, await response.json().catch(() => undefined));
  if (Number(response.headers.get('content-length') ?? 0) > maxShownBytes) {
    await response.body?.cancel();
    throw new TooLargeError();
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Shows a PDF file for reading: zoom, pages, find, and a text that people can select. */
export function PdfView({ source: { path, size = 0 }, ...rest }: { source: PdfSource } & ReaderOptions): JSX.Element {
  const isLarge = size > maxShownBytes;
  const query = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => readFile(path, signal),
    enabled: !isLarge,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (isLarge || query.error instanceof TooLargeError) return <Unshown reason="too_large" path={path} />;
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <Opened bytes={query.data} path={path} {...rest} />;
}

/** What to do with a file that has no pages to show. */
function Unshown({ reason, path }: { reason: PdfFailure; path: string }): JSX.Element {
  const words = useTexts(pdfTexts);
  const { title, text } = words.failures[reason];
  const save = () => orToast(() => download(path));
  return (
    <div role="alert">
      <Empty
        title={title}
        action={
          <Button variant="default" leftSection={<Icon name="download" />} onClick={() => void save()}>
            {words.download}
          </Button>
        }
      >
        {text}
      </Empty>
    </div>
  );
}

type ReaderOptions = Pick<PdfPagesProps, 'overlay'> & {
  /** The viewer fills the height of the window. */
  tall?: boolean;
};

function Opened({ bytes, path, ...rest }: { bytes: Uint8Array; path: string } & ReaderOptions): JSX.Element {
  const words = useTexts(pdfTexts);
  const state = usePdf(bytes);
  const [failure, setFailure] = useState<{ bytes: Uint8Array; reason: PdfFailure }>();
  if (state.status === 'failed') return <Unshown reason={state.reason} path={path} />;
  if (failure?.bytes === bytes) return <Unshown reason={failure.reason} path={path} />;
  if (state.status === 'loading')
    return (
      <div>
        <p className="apart" role="status">
          {words.opening}
        </p>
        <Loading />
      </div>
    );
  return <PdfReader file={state.file} onFailure={(reason) => setFailure({ bytes, reason })} {...rest} />;
}

const zoomSteps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
/** CSS pixels of one point at 100 %. */
const pixelsPerPoint = 96 / 72;
/** Space beside a page, in CSS pixels. */
const marginPx = 34;

type Zoom = { scale: number; smaller: () => void; larger: () => void; fit: () => void };

/** The zoom of a view: the width of the view until the person selects another one. */
function useZoom(view: HTMLElement | null, file: PdfFile): Zoom {
  const [zoom, setZoom] = useState<number>();
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!view) return undefined;
    const observer = new ResizeObserver(() => setWidth(view.clientWidth));
    observer.observe(view);
    return () => observer.disconnect();
  }, [view]);
  const widest = Math.max(...file.pages.slice(0, 50).map((page) => page.width));
  const fitting = Math.min(Math.max((width - marginPx) / widest / pixelsPerPoint, 0.1), 1.5);
  const current = zoom ?? fitting;
  return {
    scale: current * pixelsPerPoint,
    smaller: () => setZoom(zoomSteps.findLast((step) => step < current - 0.01) ?? current),
    larger: () => setZoom(zoomSteps.find((step) => step > current + 0.01) ?? current),
    fit: () => setZoom(undefined),
  };
}

/** The toolbar and the pages of an open file. */
export function PdfReader({
  file,
  tall,
  onFailure,
  overlay,
}: { file: PdfFile; onFailure: (reason: PdfFailure) => void } & ReaderOptions): JSX.Element {
  const words = useTexts(pdfTexts);
  const [view, setView] = useState<HTMLDivElement | null>(null);
  const zoom = useZoom(view, file);
  const [page, setPage] = useState(1);
  const find = useFind(file);
  const goTo = (number: number) => {
    const wanted = Math.min(Math.max(Math.trunc(number) || 1, 1), file.pages.length);
    view?.querySelector(`[data-page="${wanted}"]`)?.scrollIntoView({ block: 'start' });
    setPage(wanted);
    announce(words.page(wanted));
  };
  const { hit } = find;
  useEffect(() => {
    if (hit === undefined) return;
    view?.querySelector(`[data-page="${hit}"]`)?.scrollIntoView({ block: 'start' });
  }, [hit, view]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = { '+': zoom.larger, '-': zoom.smaller, '0': zoom.fit, n: () => goTo(page + 1), p: () => goTo(page - 1) }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <div className={styles.viewer} data-tall={tall || undefined}>
      <div className={styles.bar} role="toolbar" aria-label={words.toolbar}>
        <PageField page={page} count={file.pages.length} goTo={goTo} />
        <div className={styles.tools}>
          <Tool label={words.smaller} icon="minus" onClick={zoom.smaller} />
          <span className={`${styles.percent} numbers`}>{Math.round((zoom.scale / pixelsPerPoint) * 100)} %</span>
          <Tool label={words.larger} icon="plus" onClick={zoom.larger} />
          <Tool label={words.fit} icon="fit" onClick={zoom.fit} />
        </div>
        <form
          className={styles.find}
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            find.next();
          }}
        >
          <TextInput
            size="xs"
            type="search"
            aria-label={words.find}
            placeholder={words.findShort}
            value={find.text}
            maxLength={100}
            onChange={({ currentTarget: { value } }) => find.search(value)}
          />
          {find.text.trim() !== '' && (
            <>
              <span className="numbers soft" role="status">
                {find.count === 0 ? !find.isBusy && words.noHits : words.found(find.at + 1, find.count)}
              </span>
              <Tool label={words.previousHit} icon="up" onClick={find.previous} />
              <Tool label={words.nextHit} icon="down" onClick={find.next} />
            </>
          )}
        </form>
      </div>
      {/* The keys + and − zoom, n and p go to the next and previous page, arrows scroll. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div ref={setView} className={styles.scroll} tabIndex={0} role="region" aria-label={words.pages} onKeyDown={onKeyDown}>
        {view && (
          <PdfPages
            file={file}
            scale={zoom.scale}
            marks={find.marks}
            onPage={setPage}
            onFailure={onFailure}
            {...(overlay ? { overlay } : {})}
          />
        )}
      </div>
    </div>
  );
}

function Tool({ label, icon, onClick }: { label: string; icon: Parameters<typeof Icon>[0]['name']; onClick: () => void }): JSX.Element {
  return (
    <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={18} />
    </ActionIcon>
  );
}

/** The current page. Enter goes to another one. */
function PageField({ page, count, goTo }: { page: number; count: number; goTo: (number: number) => void }): JSX.Element {
  const words = useTexts(pdfTexts);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = String(page);
  }, [page]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    goTo(Number(input.current?.value ?? 1));
  };
  return (
    <form className={styles.tools} onSubmit={onSubmit}>
      <TextInput ref={input} size="xs" w="3.25rem" inputMode="numeric" aria-label={words.goTo} defaultValue="1" maxLength={5} />
      <span className="numbers soft">{words.of(count)}</span>
    </form>
  );
}
