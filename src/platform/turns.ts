import { setTimeout } from 'node:timers';

/** Long work on the event loop, done in turns. */
export type Turns = {
  /** Whether the work has had the event loop for long enough. */
  readonly over: boolean;
  /** Lets others be served, and begins another turn once it is due. */
  next(): Promise<void>;
};

/** Who waits for a turn, by whose work it is: each of these has one after the other, however much of its work waits. */
const waiting = new Map<string, (() => void)[]>();
let underWay = false;

/**
 * Gives one turn on the whole node at a time, and rests for as long as it took: what is done in turns, however much of it there is at
 * once, has the event loop for half of the time at most, and a short request waits for one piece of it.
 */
function give(): void {
  const [whose, queue] = waiting.entries().next().value ?? [];
  const begin = queue?.shift();
  if (whose === undefined || queue === undefined || begin === undefined) {
    underWay = false;
    return;
  }
  // Whose turn it was is the last to have another.
  waiting.delete(whose);
  if (queue.length > 0) waiting.set(whose, queue);
  underWay = true;
  const begun = performance.now();
  begin();
  setImmediate(() => setTimeout(give, performance.now() - begun));
}

/**
 * Work that asks between two small pieces whether its turn is `over`, so that nobody waits for more than `mostMs` and one piece.
 * `whose`: the team that it is for; the turns go round among teams.
 */
export function workInTurns(whose = '', mostMs = 5): Turns {
  let begun = performance.now();
  return {
    get over() {
      return performance.now() - begun > mostMs;
    },
    async next() {
      await new Promise<void>((begin) => {
        const queue = waiting.get(whose);
        if (queue) queue.push(begin);
        else waiting.set(whose, [begin]);
        // Never at once: what came in meanwhile is served before.
        if (!underWay) {
          underWay = true;
          setImmediate(give);
        }
      });
      begun = performance.now();
    },
  };
}
