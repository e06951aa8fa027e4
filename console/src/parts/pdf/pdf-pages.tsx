import type { CSSProperties, JSX, ReactNode, RefObject } from 'react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { PdfError, type PdfFile } from './pdf-file.ts';
import styles from './pdf.module.css';
import type { PdfFailure, PdfPage, PdfText } from './protocol.ts';
import { pdfTexts } from './texts.ts';

/** Pages with a canvas, so that memory stays bounded: at most 8 × 64 MiB. */
const maxCanvases = 8;

/** The position of a rectangle in points from the left and the top of a page, for children of the overlay. */
export const pdfBox = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): CSSProperties => ({
  position: 'absolute',
  left: `calc(${x} * var(--pt))`,
  top: `calc(${y} * var(--pt))`,
  width: `calc(${width} * var(--pt))`,
  height: `calc(${height} * var(--pt))`,
});

export type PdfPagesProps = {
  file: PdfFile;
  /** CSS pixels of one point. */
  scale: number;
  /** Children of a page, positioned with {@link pdfBox}. `number` counts from 1. */
  overlay?: (number: number, page: PdfPage) => ReactNode;
  /** Runs of text that are marked, by page. */
  marks?: ReadonlyMap<number, ReadonlySet<number>> | undefined;
  /** Called with the page at the top of the view. */
  onPage?: (number: number) => void;
  onFailure?: (reason: PdfFailure) => void;
};

/** The pages of an open file below each other. Only pages in or near the view have a canvas and a text layer. */
export function PdfPages({ file, scale, overlay, marks, onPage, onFailure }: PdfPagesProps): JSX.Element {
  const words = useTexts(pdfTexts);
  const root = useRef<HTMLDivElement>(null);
  const shown = useShownPages(root, file, onPage);
  const size = { '--pt': `${scale}px` } as CSSProperties;
  return (
    <div ref={root} className={styles.pages} style={size} role="group" aria-label={words.pages}>
      {file.pages.map((page, at) => (
        <section
          key={at}
          className={styles.page}
          data-page={at + 1}
          aria-label={words.page(at + 1)}
          style={{ width: `calc(${page.width} * var(--pt))`, height: `calc(${page.height} * var(--pt))` }}
        >
          {shown.has(at + 1) && <PageContent file={file} number={at + 1} scale={scale} marks={marks?.get(at + 1)} onFailure={onFailure} />}
          {overlay && <div className={styles.overlay}>{overlay(at + 1, page)}</div>}
        </section>
      ))}
    </div>
  );
}

/** The pages in the view and those beside it, at most {@link maxCanvases}. */
function useShownPages(root: RefObject<HTMLDivElement | null>, file: PdfFile, onPage?: (number: number) => void): ReadonlySet<number> {
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set([1]));
  const report = useEffectEvent((number: number) => onPage?.(number));
  useEffect(() => {
    const inView = new Set<number>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const number = Number((target as HTMLElement).dataset.page);
          if (isIntersecting) inView.add(number);
          else inView.delete(number);
        }
        const visible = [...inView].toSorted((a, b) => a - b).slice(0, maxCanvases);
        const [first] = visible;
        if (first === undefined) return;
        const last = visible.at(-1) ?? first;
        const beside = [last + 1, first - 1].filter((number) => number >= 1 && number <= file.pages.length);
        setShown(new Set([...visible, ...beside].slice(0, maxCanvases)));
        report(first);
      },
      { threshold: 0.01 },
    );
    for (const page of root.current?.children ?? []) observer.observe(page);
    return () => observer.disconnect();
  }, [root, file]);
  return shown;
}

/** Time after the last change of the zoom before a page is drawn again. */
const zoomPauseMs = 120;

type ContentProps = Pick<PdfPagesProps, 'file' | 'scale' | 'onFailure'> & { number: number; marks: ReadonlySet<number> | undefined };

function PageContent({ file, number, scale, marks, onFailure }: ContentProps): JSX.Element {
  const words = useTexts(pdfTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [runs, setRuns] = useState<readonly PdfText[]>([]);
  const fail = useEffectEvent((error: unknown) => onFailure?.(error instanceof PdfError ? error.reason : 'broken'));
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const draw = async () => {
      const bitmap = await file.render(number, scale * devicePixelRatio, signal);
      const target = canvas.current;
      if (signal.aborted || !target) return bitmap.close();
      target.width = bitmap.width;
      target.height = bitmap.height;
      target.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
      target.dataset.drawn = 'true';
      return undefined;
    };
    const timer = setTimeout(
      () => {
        draw().catch((error: unknown) => signal.aborted || fail(error));
      },
      canvas.current?.dataset.drawn === undefined ? 0 : zoomPauseMs,
    );
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [file, number, scale]);
  useEffect(() => {
    const ending = new AbortController();
    file.text(number, ending.signal).then(
      (found) => ending.signal.aborted || setRuns(found),
      // The drawing reports the failure.
      () => undefined,
    );
    return () => ending.abort();
  }, [file, number]);
  // Frees the memory of the image at once.
  useEffect(() => {
    const target = canvas.current;
    return () => {
      if (target) target.width = 0;
    };
  }, []);
  return (
    <>
      <canvas ref={canvas} className={styles.canvas} role="img" aria-label={words.page(number)} />
      <TextLayer runs={runs} marks={marks} />
    </>
  );
}

const layerFont = 'sans-serif';
let measuring: OffscreenCanvasRenderingContext2D | null | undefined;

/** The width of a text in the font of the layer, for letters of 1 pixel. */
function widthOf(text: string): number {
  measuring ??= new OffscreenCanvas(1, 1).getContext('2d');
  if (!measuring) return 0;
  measuring.font = `100px ${layerFont}`;
  return measuring.measureText(text).width / 100;
}

/** The share of a letter above its base line, around whose start a run turns. */
const ascent = 0.8;

/** The text of a page, transparent above its image: people select it, and screen readers read it. */
function TextLayer({ runs, marks }: { runs: readonly PdfText[]; marks: ReadonlySet<number> | undefined }): JSX.Element {
  const placed = useMemo(
    () =>
      runs.map(({ text, x, y, width, size, angle }): CSSProperties => {
        const own = widthOf(text) * size;
        const stretch = own > 0 && width > 0 ? width / own : 1;
        return {
          left: `calc(${x} * var(--pt))`,
          top: `calc(${y - ascent * size} * var(--pt))`,
          fontSize: `calc(${size} * var(--pt))`,
          transform: `rotate(${angle}rad) scaleX(${stretch})`,
        };
      }),
    [runs],
  );
  return (
    <div className={styles.text}>
      {runs.map(({ text, endsLine }, at) =>
        text === '' ? (
          endsLine && <br key={at} />
        ) : (
          <span key={at}>
            <span className={styles.run} style={placed[at]} dir="auto" data-marked={marks?.has(at) || undefined}>
              {text}
            </span>
            {endsLine && <br />}
          </span>
        ),
      )}
    </div>
  );
}
