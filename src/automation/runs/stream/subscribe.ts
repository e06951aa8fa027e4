import type { Follower, Followers } from './subscribers.ts';
import type { EventRow } from './queries.ts';

/** A connection says that it is there so often; rights are looked at again then. */
const beatMs = 15_000;
/** Whoever follows comes back after so long, and goes on where they were. */
const maxMs = 10 * 60_000;

type Following = {
  run: string;
  /** The number of the last event that is known. */
  after: number;
  /** False to end with what there is. */
  goOn: boolean;
  /** Whether whoever follows may still; whether the run is over. */
  look: () => Promise<'over' | 'open' | 'ended'>;
  /** What has happened after an event, the first of that; `more` where that is not all. */
  events: (after: number) => Promise<{ rows: EventRow[]; more: boolean }>;
  followers: Followers;
  /** Aborted when nobody reads any more. */
  gone: AbortSignal;
};

/**
 * What happens in a run after an event, as a stream of events (text/event-stream): to the end of the run, or what there is. In between is
 * what its model says while it says it, in parts without a number: what was said is told once more with the event of its step.
 */
export async function* followRun({ run, after, goOn, look, events, followers, gone }: Following): AsyncGenerator<string> {
  const until = Date.now() + maxMs;
  const follower = followers.follow(run);
  let last = after;
  let steps = 0;
  let isNew = true;
  try {
    yield 'retry: 1000\n\n';
    let state = await look();
    for (;;) {
      if (state === 'ended') return;
      const { rows, more } = await events(last);
      // Access can end during the read.
      const now = await look();
      if (now === 'ended') return;
      last = rows.at(-1)?.seq ?? last;
      if (rows.length > 0) yield rows.map(shown).join('');
      steps = Math.max(steps, ...rows.map(({ type, data }) => (type === 'step.finished' ? Number(data.step) : 0)));
      // The run ended before the read, and all its events are sent.
      const complete = state === 'over' && !more;
      if (complete || (!more && (!goOn || Date.now() > until))) return;
      state = now;
      if (more || state === 'over') continue;
      followers.announce(run, isNew);
      isNew = false;
      yield* partsUntilTold(follower, steps, gone);
      if (gone.aborted || followers.isClosed) return;
      yield ': \n\n';
    }
  } finally {
    follower.leave();
  }
}

/** What is said after a step, until something has happened in the run or it is time to look again. */
async function* partsUntilTold(follower: Follower, after: number, gone: AbortSignal): AsyncGenerator<string> {
  const until = Date.now() + beatMs;
  for (let isTold = false; !isTold && !gone.aborted && Date.now() < until;) {
    isTold = await follower.wait(until - Date.now(), gone);
    for (const part of follower.parts()) if (part.step > after) yield `event: step.text\ndata: ${JSON.stringify(part)}\n\n`;
  }
}

function shown({ seq, type, data, at, text }: EventRow): string {
  const said = { ...data, ...(text === null ? {} : { text }), at };
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(said)}\n\n`;
}
