import type { Listener } from '../../platform/database/listen.ts';
import { eventChannel } from './tell.ts';

/** Those who follow runs on this node. */
export type Followers = {
  /** Resolves when something has happened in a run, `wake` is aborted, or this long has passed. */
  wait(run: string, ms: number, wake: AbortSignal): Promise<void>;
  /** Counts one more who follows; how to count them no more, or nothing where they follow as many as they may. */
  enter(person: string): (() => void) | undefined;
  /** The node stops: nobody waits any more. */
  close(): void;
  closed(): boolean;
};

const mostOfPerson = 10;

/** Hears of events once, however many follow. */
export async function openFollowers(listener: Pick<Listener, 'on' | 'onReconnect'>): Promise<Followers> {
  const waiting = new Map<string, Set<() => void>>();
  const counts = new Map<string, number>();
  let closed = false;
  const wakeAll = () => [...waiting.values()].forEach((all) => [...all].forEach((wake) => wake()));
  await listener.on(eventChannel, (run) => [...(waiting.get(run) ?? [])].forEach((wake) => wake()));
  listener.onReconnect(wakeAll);

  return {
    wait: (run, ms, signal) =>
      new Promise((resolve) => {
        const all = waiting.get(run) ?? new Set();
        waiting.set(run, all);
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          all.delete(wake);
          if (all.size === 0) waiting.delete(run);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        all.add(wake);
        signal.addEventListener('abort', wake);
        if (closed || signal.aborted) wake();
      }),
    enter(person) {
      const count = counts.get(person) ?? 0;
      if (count >= mostOfPerson) return undefined;
      counts.set(person, count + 1);
      return () => {
        const left = (counts.get(person) ?? 1) - 1;
        if (left === 0) counts.delete(person);
        else counts.set(person, left);
      };
    },
    close() {
      closed = true;
      wakeAll();
    },
    closed: () => closed,
  };
}
