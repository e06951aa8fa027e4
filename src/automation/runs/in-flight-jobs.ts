import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/listen.ts';
import { runsToLeave } from './run-queries.ts';

/** Where nodes hear that a run which one of them may have in hand is to end, or is somebody else's. */
export const leaveChannel = 'agent_run_leave';

/** How often is looked at all runs in hand, whatever was heard; and how often while nothing can be heard. */
const lookEveryMs = 5_000;
const deafEveryMs = 500;
const mostRecent = 1_000;

/** An attempt at a run that a node has in hand. */
type Held = { team: string; id: string; attempt: number };

/** The runs that a node has in hand. */
export type InHand = {
  /** Calls `leave` once when an attempt is to stop: `lost` where the run is not this attempt's any more. Ends with what it answers. */
  watch(held: Held, leave: (lost: boolean) => void): () => void;
  close(): void;
};

type Options = { database: Database; listener: Pick<Listener, 'on' | 'onReconnect' | 'connected'>; everyMs?: number };

/**
 * Looks for all runs in hand together: at those that a notification names as soon as it comes, and at all of them now and then, since a
 * notification is a hint. What it costs does not grow with how many runs there are.
 */
export async function openInHand({ database, listener, everyMs = lookEveryMs }: Options): Promise<InHand> {
  const watched = new Map<string, { held: Held; leave: (lost: boolean) => void }>();
  const named = new Set<string>();
  /** Heard of lately while not in hand here: perhaps just begun. */
  const recent = new Set<string>();
  let looking = false;
  let lookedAt = performance.now();

  const keysOf = (id: string) => [...watched].filter(([, { held }]) => held.id === id).map(([key]) => key);

  async function lookAtNamed(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      while (named.size > 0) {
        const these = [...named].flatMap((key) => watched.get(key) ?? []);
        named.clear();
        const given = these.map(({ held }) => held);
        const toLeave =
          given.length === 0
            ? []
            : await database.asSystem('runs in hand that are to end', (tx) =>
                tx.all(runsToLeave, {
                  teams: given.map(({ team }) => team),
                  ids: given.map(({ id }) => id),
                  attempts: given.map(({ attempt }) => attempt),
                }),
              );
        for (const { id, attempt, lost } of toLeave) {
          const key = keyOf({ id, attempt });
          const one = watched.get(key);
          watched.delete(key);
          one?.leave(lost);
        }
      }
    } catch {
      // Looked at again in a moment.
    } finally {
      looking = false;
    }
  }

  function lookAtAll(): void {
    lookedAt = performance.now();
    for (const key of watched.keys()) named.add(key);
    void lookAtNamed();
  }

  await listener.on(leaveChannel, (id) => {
    const keys = keysOf(id);
    for (const key of keys) named.add(key);
    if (keys.length > 0) void lookAtNamed();
    else recent.add(id);
    if (recent.size > mostRecent) recent.delete(String(recent.values().next().value));
  });
  listener.onReconnect(lookAtAll);
  const timer = setInterval(
    () => {
      if (watched.size > 0 && (!listener.connected() || performance.now() - lookedAt >= everyMs)) lookAtAll();
    },
    Math.min(deafEveryMs, everyMs),
  );
  timer.unref();

  return {
    watch(held, leave) {
      const key = keyOf(held);
      watched.set(key, { held, leave });
      // It may have been said between its beginning and this.
      if (recent.delete(held.id)) {
        named.add(key);
        void lookAtNamed();
      }
      return () => void watched.delete(key);
    },
    close: () => clearInterval(timer),
  };
}

const keyOf = ({ id, attempt }: Pick<Held, 'id' | 'attempt'>): string => `${id} ${attempt}`;
