import type { Database } from '../../../platform/database/database.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { followedChannel, type Part, textChannel } from './parts.ts';
import { eventChannel } from './publish.ts';

/** One who follows a run. */
export type Follower = {
  /** Resolves when something has happened in the run, a model has said more in it, `wake` is aborted, or this long has passed: whether it was an event. */
  wait(ms: number, wake: AbortSignal): Promise<boolean>;
  /** What models have said since it was last asked, in order. */
  parts(): Part[];
  leave(): void;
};

/** Those who follow runs on this node. */
export type Followers = {
  follow(run: string): Follower;
  /** Has whoever carries a run out pass on what its model says, for half a minute; from the beginning of its answer for one who is new. */
  announce(run: string, isNew: boolean): void;
  /** Counts one more who follows; how to count them no more, or nothing where they follow as many as they may. */
  enter(person: string): (() => void) | undefined;
  /** The node stops: nobody waits any more. */
  close(): void;
  closed(): boolean;
};

const maxOfPerson = 10;
/** Whoever reads that slowly has what was said once the step is written. */
const maxParts = 200;

type Waiting = { parts: Part[]; isTold: boolean; wake: () => void };

/** Hears of events once, however many follow. */
export async function openFollowers(
  listener: Pick<Listener, 'on' | 'onReconnect'>,
  { notify }: Pick<Database, 'notify'>,
): Promise<Followers> {
  const waiting = new Map<string, Set<Waiting>>();
  const counts = new Map<string, number>();
  let closed = false;
  const told = (one: Waiting) => {
    one.isTold = true;
    one.wake();
  };
  const tellAll = () => waiting.forEach((all) => all.forEach(told));
  await listener.on(eventChannel, (run) => waiting.get(run)?.forEach(told));
  await listener.on(textChannel, (payload) => {
    const { run, ...part } = JSON.parse(payload) as Part & { run: string };
    waiting.get(run)?.forEach((one) => {
      if (one.parts.length < maxParts) one.parts.push(part);
      one.wake();
    });
  });
  listener.onReconnect(tellAll);

  return {
    follow(run) {
      const one: Waiting = { parts: [], isTold: false, wake: () => undefined };
      const all = waiting.get(run) ?? new Set();
      waiting.set(run, all.add(one));
      return {
        async wait(ms, signal) {
          if (!one.isTold && one.parts.length === 0 && !closed && !signal.aborted) {
            const woken = Promise.withResolvers<void>();
            one.wake = woken.resolve;
            const timer = setTimeout(woken.resolve, ms);
            signal.addEventListener('abort', one.wake, { once: true });
            await woken.promise;
            clearTimeout(timer);
            signal.removeEventListener('abort', one.wake);
          }
          const was = one.isTold || closed;
          one.isTold = false;
          return was;
        },
        parts: () => one.parts.splice(0),
        leave() {
          all.delete(one);
          if (all.size === 0 && waiting.get(run) === all) waiting.delete(run);
        },
      };
    },
    announce: (run, isNew) => notify(followedChannel, isNew ? `${run} new` : run),
    enter(person) {
      const count = counts.get(person) ?? 0;
      if (count >= maxOfPerson) return undefined;
      counts.set(person, count + 1);
      return () => {
        const left = (counts.get(person) ?? 1) - 1;
        if (left === 0) counts.delete(person);
        else counts.set(person, left);
      };
    },
    close() {
      closed = true;
      tellAll();
    },
    closed: () => closed,
  };
}
