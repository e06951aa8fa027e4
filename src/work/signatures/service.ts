import type { Readable } from 'node:stream';
import { countByMinute } from '../../platform/fixed-window-counter.ts';
import { problems } from '../../platform/problems.ts';
import { signatureProblems } from './problems.ts';
import type { SealedRequest } from './requests/index.ts';
import { inspectSignedFile, TooBusy, TooHard, type Revoked, type Verdict } from './verifying/index.ts';

/** Verifies the signatures of files. */
export type Verifying = {
  /** Counts a file to verify for a network address. Throws 429 if the address exceeds the limit. */
  spend(address: string): void;
  /**
   * Returns the verdict on the signatures of a file, with the request if this service sealed the file. Throws 422 `file_too_complex`, or 503 if too
   * many files wait.
   */
  verify(file: { sha256: string; open: () => Promise<Readable> }): Promise<VerificationResult>;
};

/** The result of a verification. `request` is the signature request of a file that this service sealed. */
export type VerificationResult = Verdict & { request?: SealedRequest };

const perMinute = 10;
/** Files verified at the same time, each in its own process. The queue has at most `maxWaiting` files. */
const atOnce = 2;
const maxWaiting = 20;

const busyNow = () =>
  problems.unavailable('Too many files are being verified. Try again in 10 seconds.', { headers: { 'retry-after': '10' } });

/** The trusted certificates (PEM) and the revoked certificates for a verification. */
export type Trust = { trusted: string; revoked: readonly Revoked[] };

type Parts = {
  trust: () => Promise<Trust>;
  now: () => Date;
  /** Returns the request whose sealed file has this SHA-256. */
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
      throw problems.rate_limited(`You can verify ${perMinute} files a minute from your IP address. Try again in ${wait} seconds.`, {
        headers: { 'retry-after': String(wait) },
      });
    },

    async verify({ sha256, open }) {
      await turn();
      try {
        const settings = { ...(await trust()), now: now().getTime() };
        // Opened last: if the trust fails to load, nothing would close the stream.
        const verdict = await inspectSignedFile(await open(), settings);
        const request = verdict.signatures.length === 0 ? undefined : await requestBySeal(sha256);
        return request === undefined ? verdict : { ...verdict, request };
      } catch (error) {
        if (error instanceof TooBusy) throw busyNow();
        if (!(error instanceof TooHard)) throw error;
        throw signatureProblems.file_too_complex(
          'The file exceeded the time or memory limit, or cannot be read. Open it in a PDF viewer that checks signatures.',
        );
      } finally {
        leave();
      }
    },
  };
}
