import { useEffect, useMemo, useState } from 'react';
import type { PdfFile } from './pdf-file.ts';
import type { PdfText } from './protocol.ts';

/** Hits that are counted and marked. */
const maxHits = 1_000;
/** Time after the last letter before the search begins. */
const pauseMs = 250;

/** One hit: its page, and the runs of text that contain it. */
type TextHit = { page: number; runs: readonly number[] };

/** Returns the hits of a page. Case and the breaks between runs do not matter. */
export function hitsOf(page: number, runs: readonly PdfText[], wanted: string): TextHit[] {
  const starts: number[] = [];
  let text = '';
  for (const run of runs) {
    starts.push(text.length);
    text += run.text.toLocaleLowerCase() + (run.endsLine ? ' ' : '');
  }
  const hits: TextHit[] = [];
  for (let from = text.indexOf(wanted); from !== -1 && hits.length < maxHits; from = text.indexOf(wanted, from + wanted.length)) {
    const end = from + wanted.length;
    hits.push({ page, runs: starts.flatMap((start, at) => (start < end && (starts[at + 1] ?? text.length) > from ? [at] : [])) });
  }
  return hits;
}

export type Find = {
  text: string;
  search: (text: string) => void;
  count: number;
  at: number;
  /** The page of the current hit. */
  hit: number | undefined;
  isBusy: boolean;
  marks: ReadonlyMap<number, ReadonlySet<number>>;
  next: () => void;
  previous: () => void;
};

/** The hits of one search. */
type SearchResult = { file: PdfFile; wanted: string; hits: readonly TextHit[]; isDone: boolean };

/** The text of pages, so that the next search of the same file is fast. */
const known = new WeakMap<PdfFile, Map<number, readonly PdfText[]>>();

async function readRuns(file: PdfFile, page: number, signal: AbortSignal): Promise<readonly PdfText[]> {
  const pages = known.get(file) ?? new Map<number, readonly PdfText[]>();
  known.set(file, pages);
  const runs = pages.get(page) ?? (await file.text(page, signal));
  pages.set(page, runs);
  return runs;
}

/** Searches one page after the other. Calls `notify` after each page. */
async function findIn(file: PdfFile, wanted: string, signal: AbortSignal, notify: (found: SearchResult) => void): Promise<void> {
  const hits: TextHit[] = [];
  for (let page = 1; page <= file.pages.length && hits.length < maxHits; page += 1) {
    const runs = await readRuns(file, page, signal);
    if (signal.aborted) return;
    hits.push(...hitsOf(page, runs, wanted).slice(0, maxHits - hits.length));
    notify({ file, wanted, hits: [...hits], isDone: page === file.pages.length || hits.length >= maxHits });
  }
}

/** Finds a text in the pages of a file. */
export function useFind(file: PdfFile): Find {
  const [text, setText] = useState('');
  const [found, setFound] = useState<SearchResult>();
  const [at, setAt] = useState(0);
  const wanted = text.trim().toLocaleLowerCase();
  useEffect(() => {
    if (wanted === '') return undefined;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      // The drawing of the pages reports a failure of the file.
      findIn(file, wanted, ending.signal, setFound).catch(() => undefined);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [file, wanted]);
  const isCurrent = found?.file === file && found.wanted === wanted;
  const hits = isCurrent ? found.hits : noHits;
  const marks = useMemo(() => {
    const byPage = new Map<number, Set<number>>();
    for (const { page, runs } of hits) byPage.set(page, new Set([...(byPage.get(page) ?? []), ...runs]));
    return byPage;
  }, [hits]);
  const step = (by: number) => hits.length > 0 && setAt((at + by + hits.length) % hits.length);
  return {
    text,
    search: (next) => {
      setText(next);
      setAt(0);
    },
    count: hits.length,
    at,
    hit: hits[at]?.page,
    isBusy: wanted !== '' && !(isCurrent && found.isDone),
    marks,
    next: () => step(1),
    previous: () => step(-1),
  };
}

const noHits: readonly TextHit[] = [];
