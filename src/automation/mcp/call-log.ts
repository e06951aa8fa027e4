import type { SystemDependencies } from '../../platform/system-scope.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Actor } from '../../platform/scope.ts';
import { toolCalled } from './events.ts';

/** What the journal keeps of a call. */
export type CallNote = { tool: string; thing?: string; argsHash: string; result: string };
/** Whose call it was, and which program made it: an API client, or one that a person has connected. */
export type Caller = { team: string; actor: Extract<Actor, { id: string }>; requestId: string; ip: string | undefined; callerId: string };
/** Has the journal say that a tool was called; resolves once it is committed. */
export type NoteCall = (caller: Caller, note: CallNote) => Promise<void>;

type Waiting = { caller: Caller; note: CallNote; written: () => void; failed: (error: unknown) => void };

const batchSize = 200;

/**
 * Notes calls that changed nothing. A commit takes longer than most of them: those of a team that come while one is under way go
 * into the next, so that each waits for two commits at most, and a crowd for hardly more of them than a single one.
 */
export function noteCalls({ database, listeners, clock }: SystemDependencies): NoteCall {
  const waiting = new Map<string, Waiting[]>();

  function write(team: string, batch: readonly Waiting[]): Promise<unknown> {
    return database.inTeam(team, async (db) => {
      const base = { db, team, now: clock(), listeners };
      for (const { caller, note } of batch) {
        const { actor, requestId, ip, callerId } = caller;
        // What they write leaves together, at the end.
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
