import type { Database } from '../../platform/database/database.ts';
import { builtFile } from '../../platform/entry-points.ts';
import { openLimitedThread, ThreadLimitError } from '../../platform/limited-thread.ts';
import type { BounceAddresses } from '../../platform/mail/bounce-addresses.ts';
import type { Rejection } from '../../platform/mail/undeliverable-queries.ts';
import { problems } from '../../platform/problems.ts';
import { recordReport } from './jobs.ts';
import { bounceProblems } from './problems.ts';

/** `cpuMs`: CPU time of one report. `waitMs`: time until its result, including the wait for others. Both are limits in milliseconds. */
const bounds = { cpuMs: 1_000, waitMs: 10_000 } as const;

export type Bounces = {
  /**
   * Records the failure that a report tells of. Returns whether it is new. Throws 422 `bounce_address_invalid` for an address that Chancery did
   * not create, or 503.
   */
  receive(recipient: string, bytes: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
};

export function openBounces(database: Database, addresses: BounceAddresses): Bounces {
  const thread = openLimitedThread<Uint8Array, Rejection | undefined>(builtFile(new URL('./thread.ts', import.meta.url)));

  /** Returns the failure in a report. A message that costs too much CPU time is not a report of a mail server. */
  async function failureIn(mail: string, bytes: Uint8Array): Promise<Rejection | undefined> {
    try {
      return await thread.ask(mail, bytes, bounds);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      if (error.usedMs > bounds.cpuMs) return undefined;
      throw problems.unavailable('Too many reports wait. Send this one again in a minute.', { headers: { 'retry-after': '60' } });
    }
  }

  return {
    async receive(recipient, bytes) {
      const id = addresses.mailOf(recipient);
      if (id === undefined)
        throw bounceProblems.bounce_address_invalid('`recipient` is not an address from which this service sent a mail. Do not retry.');
      const failure = await failureIn(id, bytes);
      if (!failure) return false;
      return recordReport(database, { id, ...failure });
    },
    close: () => thread.close(),
  };
}
