import type { SystemDependencies } from '../../platform/system-scope.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Actor } from '../../platform/scope.ts';
import { toolCalled } from './events.ts';

/** The data of a call for the journal. */
export type CallRecord = { tool: string; thing?: string; argsHash: string; result: string };
/** The actor of a call, and its client: an API client, or an app that a person has connected. */
export type Caller = { team: string; actor: Extract<Actor, { id: string }>; requestId: string; ip: string | undefined; callerId: string };
/** Records a tool call in the journal. Resolves after the commit. */
export type RecordCall = (caller: Caller, note: CallRecord) => Promise<void>;

type Waiting = { caller: Caller; note: CallRecord; written: () => void; failed: (error: unknown) => void };

const batchSize = 200;

/**
 * Records calls that changed nothing. A commit takes longer than most of these calls, so the calls of a team that arrive during a commit share the
 * next commit. Each waits for at most two commits.
 */
export function recordCalls({ database, listeners, clock }: SystemDependencies): RecordCall {
  const waiting = new Map<string, Waiting[]>();

  function write(team: string, batch: readonly Waiting[]): Promise<unknown> {
    return database.inTeam(team, async (db) => {
      const base = { db, team, now: clock(), listeners };
      for (const { caller, note } of batch) {
        const { actor, requestId, ip, callerId } = caller;
        // The statements of a batch are sent together at the end of the transaction.
        await recordAudit({ ...base, actor, requestId, ...(ip === undefined ? {} : { ip }) }, toolCalled, callerId, note);
      }
    });
  }

  async function work(team: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize);
      await write(team, batch).then(
        () => batch.forEach(({ written }) => written()),
        (error: unknown) => batch.forEach(({ failed }) => failed(error)),
      );
    }
    waiting.delete(team);
  }

  return (caller, note) =>
    new Promise((written, failed) => {
      const one = { caller, note, written, failed };
      const queue = waiting.get(caller.team);
      if (queue) return void queue.push(one);
      const own = [one];
      waiting.set(caller.team, own);
      return void work(caller.team, own);
    });
}
