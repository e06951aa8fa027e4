import type { Follower, Followers } from './subscribers.ts';
import type { EventRow } from './queries.ts';

/** The interval of keep-alive comments and of access checks. */
const beatMs = 15_000;
/** The maximum duration of a stream. The client then reconnects and continues. */
const maxMs = 10 * 60_000;

type Following = {
  run: string;
  /** The number of the last event that the client has. */
  after: number;
  /** Whether to continue after the existing events. */
  goOn: boolean;
  /** Returns whether the run has ended, or `ended` if the follower has lost access. */
  look: () => Promise<'over' | 'open' | 'ended'>;
  /** Returns the events after an event, in order, and whether there are more. */
  events: (after: number) => Promise<{ rows: EventRow[]; more: boolean }>;
  followers: Followers;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
};

/**
 * Streams the events of a run after an event (text/event-stream), to the end of the run or to the last existing event. Between the events it streams
 * parts of the text of the model, which have no number. The event of the step repeats the whole text.
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
      yield* partsUntilEvent(follower, steps, gone);
      if (gone.aborted || followers.isClosed) return;
      yield ': \n\n';
    }
  } finally {
    follower.leave();
  }
}

/** Yields parts of the text of later steps until an event occurs or the interval ends. */
async function* partsUntilEvent(follower: Follower, after: number, gone: AbortSignal): AsyncGenerator<string> {
  const until = Date.now() + beatMs;
  for (let hasEvent = false; !hasEvent && !gone.aborted && Date.now() < until;) {
    hasEvent = await follower.wait(until - Date.now(), gone);
    for (const part of follower.parts()) if (part.step > after) yield `event: step.text\ndata: ${JSON.stringify(part)}\n\n`;
  }
}

function shown({ seq, type, data, at, text }: EventRow): string {
  const said = { ...data, ...(text === null ? {} : { text }), at };
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(said)}\n\n`;
}
