import type { Readable } from 'node:stream';
import { boundedCache } from '../platform/bounded-cache.ts';
import { problems } from '../platform/problems.ts';
import { signatureProblems } from './problems.ts';
import { lookAtFile, TooBusy, TooHard, type Revoked, type Verdict } from './verifying/index.ts';

/** What files are looked at with. */
export type Verifying = {
  /** Counts a file of an address. Throws 429 where it is one too many. */
  spend(address: string): void;
  /** What is known of a file's signatures. Errors: 422 `file_too_hard`, 503 where too many wait. */
  verify(open: () => Promise<Readable>): Promise<Verdict>;
};

const perMinute = 10;
const windowMs = 60_000;
/** Files that are looked at at once, each in a process, and that wait for their turn. */
const atOnce = 2;
const mostWaiting = 20;

const busyNow = () =>
  problems.unavailable('Many files are being looked at. Send yours again in 10 seconds.', { headers: { 'retry-after': '10' } });

/** What signatures are judged by: certificates (PEM) whose signatures are valid, and those that were taken back. */
export type Trust = { trusted: string; revoked: readonly Revoked[] };

export function openVerifying({ trust, now }: { trust: () => Promise<Trust>; now: () => Date }): Verifying {
  const counts = boundedCache<{ used: number; resetAt: number }>(50_000);
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function turn(): Promise<void> {
    if (busy < atOnce) {
      busy += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw busyNow();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  return {
    spend(address) {
      const at = Date.now();
      const kept = counts.get(address);
      const count = kept && kept.resetAt > at ? kept : { used: 0, resetAt: at + windowMs };
      count.used += 1;
      counts.set(address, count);
      if (count.used <= perMinute) return;
      const wait = Math.ceil((count.resetAt - at) / 1_000);
      throw problems.rate_limited(`From your address ${perMinute} files a minute are looked at. Send yours again in ${wait} seconds.`, {
        headers: { 'retry-after': String(wait) },
      });
    },

    async verify(open) {
      await turn();
      try {
        return await lookAtFile(await open(), { ...(await trust()), now: now().getTime() });
      } catch (error) {
        if (error instanceof TooBusy) throw busyNow();
        if (!(error instanceof TooHard)) throw error;
        throw signatureProblems.file_too_hard('The file took too much time or memory, or cannot be read. Look at it in a reader of PDF.');
      } finally {
        leave();
      }
    },
  };
}
