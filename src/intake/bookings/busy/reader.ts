import { checkEndpointUrl, type GuardedFetch } from '#webhooks';
import { openLimitedThread, ThreadLimitError } from '../../../platform/limited-thread.ts';
import { builtFile } from '../../../platform/entry-points.ts';
import { type BusyQuestion, type BusyTimes, UnreachableFile, UnusableFile } from './busy-times.ts';
import type { ThreadAnswer, ThreadQuestion } from './thread.ts';

/** Limits: addresses per calendar, events in the booking period, bytes of a file, and milliseconds to fetch it. */
export const busyBounds = { addresses: 5, events: 5_000, bytes: 1024 * 1024, fetchMs: 10_000 } as const;

type Policy = Parameters<typeof checkEndpointUrl>[1];
export type BusyReach = { fetch: GuardedFetch['fetch']; policy: Policy };

const redirects = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 3;

/** Normalizes an address: `webcal:` becomes `https:`. Returns the reason if the address policy does not allow it. */
export function busyAddress(text: string, policy: Policy): { url: string } | { reason: string } {
  const checked = checkEndpointUrl(text.trim().replace(/^webcals?:\/\//i, 'https://'), policy);
  return checked.ok ? { url: checked.url } : { reason: checked.reason };
}

/** Fetches a calendar file from an address that a team entered. Rejects with an {@link UnreachableFile} that describes the error. */
export async function fetchFile({ fetch, policy }: BusyReach, url: string): Promise<string> {
  let at = url;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await fetch(at, { headers: { accept: 'text/calendar, */*;q=0.1' } }).catch((error: unknown) => {
      throw new UnreachableFile('cannot be reached', { cause: error });
    });
    if (answer.status === 200) return answer.text();
    const next = redirects.has(answer.status) ? answer.headers.get('location') : null;
    if (next === null || !URL.canParse(next, at)) throw new UnreachableFile(`responds with status ${answer.status}`);
    const to = busyAddress(new URL(next, at).href, policy);
    if ('reason' in to) throw new UnreachableFile('redirects to an address that is not allowed');
    at = to.url;
  }
  throw new UnreachableFile('redirects too often');
}

/**
 * CPU time in milliseconds for a series and for a file. CPU time does not grow when the machine is busy. Up to `tries - 1` series may exceed their
 * limit.
 */
export type ReadLimits = { seriesCpuMs: number; fileCpuMs: number; tries: number };
const usualLimits: ReadLimits = { seriesCpuMs: 500, fileCpuMs: 5_000, tries: 4 };

/** The maximum elapsed time for a file. It applies if the machine is busy and gives the thread little CPU time. */
const longestMs = 25_000;

/**
 * Reads busy times in a separate thread with limits of CPU time and memory. If an event series exceeds its limit, the thread is ended
 * and a new one reads the file without this series. Rejects with an {@link UnusableFile}.
 */
export async function busyTimesOf(question: BusyQuestion, limits: ReadLimits = usualLimits): Promise<BusyTimes> {
  const thread = openLimitedThread<ThreadQuestion, ThreadAnswer>(builtFile(new URL('./thread.ts', import.meta.url)));
  const until = performance.now() + longestMs;
  const without: number[] = [];
  let left = limits.fileCpuMs;
  try {
    for (let tries = 0; tries < limits.tries; tries += 1) {
      const progress = new Int32Array(new SharedArrayBuffer(4));
      const isExhausted = seriesWatch(progress, limits.seriesCpuMs);
      const answer = await thread
        .ask('', { question: { ...question, without }, progress }, { cpuMs: left, waitMs: until - performance.now(), isExhausted })
        .catch((error: unknown) => {
          if (!(error instanceof ThreadLimitError)) throw error;
          left -= error.usedMs;
          return undefined;
        });
      if (answer && 'error' in answer) throw new UnusableFile(answer.error);
      if (answer) return answer;
      const series = Atomics.load(progress, 0);
      if (left <= 0 || series === 0 || performance.now() >= until) break;
      without.push(series);
    }
  } finally {
    await thread.close();
  }
  throw new UnusableFile('takes too long to be read');
}

/** Returns a function that tests whether the current series of the thread has used up its CPU time. */
function seriesWatch(progress: Int32Array, seriesCpuMs: number): (usedMs: number) => boolean {
  let [series, before] = [0, 0];
  return (usedMs) => {
    const current = Atomics.load(progress, 0);
    if (current !== series) [series, before] = [current, usedMs];
    return series > 0 && usedMs - before > seriesCpuMs;
  };
}
