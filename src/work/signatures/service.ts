import type { Readable } from 'node:stream';
import { countByMinute } from '../../platform/fixed-window-counter.ts';
import { problems } from '../../platform/problems.ts';
import { signatureProblems } from './problems.ts';
import type { SealedRequest } from './requests/index.ts';
import { lookAtFile, TooBusy, TooHard, type Revoked, type Verdict } from './verifying/index.ts';

/** What files are looked at with. */
export type Verifying = {
  /** Counts a file of an address. Throws 429 where it is one too many. */
  spend(address: string): void;
  /**
   * What is known of a file's signatures, and where it is a file that was sealed here, byte for byte, of the request. Errors: 422
   * `file_too_complex`, 503 where too many wait.
   */
  verify(file: { sha256: string; open: () => Promise<Readable> }): Promise<VerificationResult>;
};

/** `request`: what was signed by it, of a file of this service. */
export type VerificationResult = Verdict & { request?: SealedRequest };

const perMinute = 10;
/** Files that are looked at at once, each in a process, and that wait for their turn. */
const atOnce = 2;
const maxWaiting = 20;

const busyNow = () =>
  problems.unavailable('Many files are being looked at. Send yours again in 10 seconds.', { headers: { 'retry-after': '10' } });

/** What signatures are judged by: certificates (PEM) whose signatures are valid, and those that were taken back. */
export type Trust = { trusted: string; revoked: readonly Revoked[] };

type Parts = {
  trust: () => Promise<Trust>;
  now: () => Date;
  /** The request whose sealed file has this SHA-256. */
  requestBySeal: (sha256: string) => Promise<SealedRequest | undefined>;
};

export function openVerifying({ trust, now, requestBySeal }: Parts): Verifying {
  const counter = countByMinute();
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function turn(): Promise<void> {
    if (busy < atOnce) {
      busy += 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw busyNow();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  return {
    spend(address) {
      const count = counter.add(address);
      if (count.used <= perMinute) return;
      const wait = counter.wait(count);
      throw problems.rate_limited(`From your address ${perMinute} files a minute are looked at. Send yours again in ${wait} seconds.`, {
        headers: { 'retry-after': String(wait) },
      });
    },

    async verify({ sha256, open }) {
      await turn();
      try {
        const settings = { ...(await trust()), now: now().getTime() };
        // Opened last: where it is not known whom to trust, nobody would close it.
        const verdict = await lookAtFile(await open(), settings);
        const request = verdict.signatures.length === 0 ? undefined : await requestBySeal(sha256);
        return request === undefined ? verdict : { ...verdict, request };
      } catch (error) {
        if (error instanceof TooBusy) throw busyNow();
        if (!(error instanceof TooHard)) throw error;
        throw signatureProblems.file_too_complex(
          'The file took too much time or memory, or cannot be read. Look at it in a reader of PDF.',
        );
      } finally {
        leave();
      }
    },
  };
}
