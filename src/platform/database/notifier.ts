import type { Exchanges } from './exchanges/exchanges.ts';
import { statementName } from './statement.ts';

/**
 * The statement that sends notifications after the commit. NOTIFY inside a transaction serializes commits, which costs a seventh of the throughput at
 * 16 concurrent transactions.
 */
const text =
  "SELECT set_config('synchronous_commit', 'off', true), pg_notify(t.channel, t.payload) FROM unnest($1::text[], $2::text[]) AS t (channel, payload)";
const name = statementName(text);

/** Notifies all nodes after a commit. A lost notification is not sent again. Waiting notifications are sent together and without duplicates. */
export class Notifier {
  readonly #exchanges: Exchanges;
  readonly #limitMs: number;
  readonly #waiting = new Map<string, [channel: string, payload: string]>();
  #isSending = false;

  constructor(exchanges: Exchanges, limitMs: number) {
    this.#exchanges = exchanges;
    this.#limitMs = limitMs;
  }

  notify(channel: string, payload: string): void {
    this.#waiting.set(`${channel} ${payload}`, [channel, payload]);
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting.values()];
      this.#waiting.clear();
      const values = [all.map(([channel]) => channel), all.map(([, payload]) => payload)];
      const as = { role: 'none', team: '', limitMs: this.#limitMs };
      await this.#exchanges.runAfterwards({ name, text, values }, as).catch(() => undefined);
    }
    this.#isSending = false;
  }
}
