import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { checkEndpointUrl, type GuardedFetch } from '#webhooks';
import type { Span } from '../availability/index.ts';
import { type BusyQuestion, UnusableFile } from './busy-times.ts';

/** Bounds of one address: events in the time that bookings are taken for, and milliseconds to read its file. */
export const busyBounds = { addresses: 5, events: 5_000, bytes: 1024 * 1024, readMs: 2_000, fetchMs: 10_000 } as const;

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

/** Reads busy times in a thread of its own, which is ended when it takes too long or too much. Rejects with an {@link UnusableFile}. */
export async function busyTimesOf(question: BusyQuestion, limitMs: number = busyBounds.readMs): Promise<Span[]> {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: question,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  try {
    const [answer] = (await once(thread, 'message', { signal: AbortSignal.timeout(limitMs + 1_000) })) as [
      { spans?: Span[]; fault?: string },
    ];
    if (answer.spans) return answer.spans;
    throw new UnusableFile(answer.fault ?? 'cannot be read');
  } catch (error) {
    throw error instanceof UnusableFile ? error : new UnusableFile('takes too long to be read', { cause: error });
  } finally {
    await thread.terminate();
  }
}
