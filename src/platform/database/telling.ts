import type { DatabaseLimits } from './limits.ts';
import type { Lines } from './shared-readers.ts';
import { statementName } from './statement.ts';
import { TeamExchange } from './team-exchange.ts';

/**
 * A NOTIFY inside a transaction makes commits wait for one another, each for the disk by itself: of 16 at once a seventh is left.
 * So it is sent once the transaction is committed. What is told needs no disk at all.
 */
const text =
  "SELECT set_config('synchronous_commit', 'off', true), pg_notify(t.channel, t.payload) FROM unnest($1::text[], $2::text[]) AS t (channel, payload)";
const name = statementName(text);

/** Tells all nodes of what was committed. It is a hint: one that is lost is not sent again. */
export type Telling = { tell(channel: string, payload: string): void };

/** What is to be told while one NOTIFY is under way goes into the next, each thing once. */
export function openTelling(lines: Lines, { notifyMs: limitMs }: DatabaseLimits): Telling {
  const waiting = new Map<string, [channel: string, payload: string]>();
  let sending = false;

  async function send(): Promise<void> {
    sending = true;
    while (waiting.size > 0) {
      const told = [...waiting.values()];
      waiting.clear();
      const values = [told.map(([channel]) => channel), told.map(([, payload]) => payload)];
      await lines
        .exchange((answered) => new TeamExchange({ name, text, values }, { role: 'none', team: '', limitMs }, answered))
        .catch(() => undefined);
    }
    sending = false;
  }

  return {
    tell(channel, payload) {
      waiting.set(`${channel} ${payload}`, [channel, payload]);
      if (!sending) void send();
    },
  };
}
