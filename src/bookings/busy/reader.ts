import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { checkEndpointUrl, type GuardedFetch } from '#webhooks';
import { type BusyQuestion, type BusyTimes, UnusableFile } from './busy-times.ts';
import type { ThreadAnswer, ThreadData } from './thread.ts';

/** Bounds of one address: events in the booking period, and milliseconds to fetch its file. */
export const busyBounds = { addresses: 5, events: 5_000, bytes: 1024 * 1024, fetchMs: 10_000 } as const;

type Policy = Parameters<typeof checkEndpointUrl>[1];
export type BusyReach = { fetch: GuardedFetch['fetch']; policy: Policy };

const redirects = new Set([301, 302, 303, 307, 308]);
const mostRedirects = 3;

/** The address as it is requested. What programs hand out as `webcal:` is `https:`. Nothing where it may not be reached, with the reason. */
export function busyAddress(text: string, policy: Policy): { url: string } | { reason: string } {
  const checked = checkEndpointUrl(text.trim().replace(/^webcals?:\/\//i, 'https://'), policy);
  return checked.ok ? { url: checked.url } : { reason: checked.reason };
}

/** Fetches a calendar file from an address that a team names. Rejects with an {@link UnusableFile} that says what was wrong. */
export async function fetchFile({ fetch, policy }: BusyReach, url: string): Promise<string> {
  let at = url;
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const answer = await fetch(at, { headers: { accept: 'text/calendar, */*;q=0.1' } }).catch((error: unknown) => {
      throw new UnusableFile('cannot be reached', { cause: error });
    });
    if (answer.status === 200) return answer.text();
    const next = redirects.has(answer.status) ? answer.headers.get('location') : null;
    if (next === null || !URL.canParse(next, at)) throw new UnusableFile(`answered ${answer.status}`);
    const to = busyAddress(new URL(next, at).href, policy);
    if ('reason' in to) throw new UnusableFile('leads somewhere that may not be reached');
    at = to.url;
  }
  throw new UnusableFile('leads on and on');
}

/** CPU time in milliseconds for a series and for a file: a busy machine does not use it up. One series less than `tries` may fail. */
export type ReadLimits = { seriesCpuMs: number; fileCpuMs: number; tries: number };
const usualLimits: ReadLimits = { seriesCpuMs: 500, fileCpuMs: 5_000, tries: 4 };

/**
 * Reads busy times in a thread of its own, within limits of CPU time and memory. A series that takes too much is skipped alone: the thread
 * ends, and another one reads the others. Rejects with an {@link UnusableFile}.
 */
export async function busyTimesOf(question: BusyQuestion, limits: ReadLimits = usualLimits): Promise<BusyTimes> {
  const without: number[] = [];
  let left = limits.fileCpuMs;
  const deadline = AbortSignal.timeout(longestMs);
  for (let tries = 0; tries < limits.tries; tries += 1) {
    const { answer, usedMs, series } = await readOnce({ ...question, without }, { ...limits, fileCpuMs: left }, deadline);
    if (answer && 'error' in answer) throw new UnusableFile(answer.error);
    if (answer) return answer;
    left -= usedMs;
    if (left <= 0 || series === 0 || deadline.aborted) break;
    without.push(series);
  }
  throw new UnusableFile('takes too long to be read');
}

const lookEveryMs = 25;
/** For a file in all, where the machine gives the threads little time. */
const longestMs = 25_000;

type Once = { answer?: ThreadAnswer; usedMs: number; series: number };

/** Without an answer where a limit ended the thread; `series` is the one that it was at. */
async function readOnce(question: BusyQuestion, { seriesCpuMs, fileCpuMs }: ReadLimits, deadline: AbortSignal): Promise<Once> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { question, progress } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  // Out of memory: it can also be reported after the limit of CPU time has ended the thread.
  thread.on('error', () => undefined);
  const stopped = new AbortController();
  const answered = once(thread, 'message', { signal: AbortSignal.any([stopped.signal, deadline]) }).then(
    ([answer]) => answer as ThreadAnswer,
    // It has run out of memory, or was stopped.
    () => undefined,
  );
  let [used, series, before] = [0, 0, 0];
  const watch = setInterval(() => {
    void thread.cpuUsage().then(
      ({ user, system }) => {
        used = (user + system) / 1_000;
        const current = Atomics.load(progress, 0);
        if (current !== series) [series, before] = [current, used];
        if (used > fileCpuMs || (series > 0 && used - before > seriesCpuMs)) stopped.abort();
      },
      () => undefined,
    );
  }, lookEveryMs);
  try {
    const answer = await answered;
    return { ...(answer ? { answer } : {}), usedMs: used, series: Atomics.load(progress, 0) };
  } finally {
    clearInterval(watch);
    await thread.terminate();
  }
}
