import { sharedBy, sharedWork } from '../platform/shared-work.ts';
import type { ReadScope } from '../platform/scope.ts';
import { workInTurns } from '../platform/turns.ts';
import { callsSince, shownCharacters } from './loop/index.ts';
import { runProblems } from './problems.ts';
import { followedRun } from './runs.ts';
import { type EventRow, eventsAfter } from './stream/index.ts';
import { type Telling, tellingOf, withheldAmong } from './withheld.ts';

const callsAtATime = 20;
const eventsAtATime = 50;

type State = 'over' | 'open';

/** A run as those on this node see it who follow it. */
export type Sight = {
  /** How it stands, for somebody who may follow it now. Errors: 403 `run_withheld`, 404. */
  look(scope: ReadScope): Promise<State>;
  /** What has happened in it after an event, the first of that, in order; `more` where that is not all. */
  events(scope: ReadScope, after: number): Promise<{ rows: EventRow[]; more: boolean }>;
  leave(): void;
};

/** One person who follows, by the latest of their requests. */
type Following = { scope: ReadScope; look: () => Promise<State> };
type Seen = Pick<Sight, 'events' | 'look'> & { followers: number };

/**
 * The runs that are followed on this node. What a run was told is read once, as it comes, however many follow it; who follows is
 * looked at once for each person that does; and what happens is read once for all who have heard of the same before.
 */
export function openSights(): (scope: ReadScope, run: string) => Sight {
  const seen = new Map<string, Seen>();
  return ({ team }, run) => {
    const key = `${team} ${run}`;
    const one = seen.get(key) ?? sightOf(team, run);
    one.followers += 1;
    seen.set(key, one);
    return {
      look: one.look,
      events: one.events,
      leave() {
        one.followers -= 1;
        if (one.followers === 0) seen.delete(key);
      },
    };
  };
}

function sightOf(team: string, run: string): Seen {
  const told: Telling[] = [];
  /** The last step of which a call was read, and the calls of it that were. */
  const last = { step: 0, calls: new Set<string>() };
  const people = new Map<string, Following>();
  const read = sharedBy<{ rows: EventRow[]; more: boolean }>();
  let learned: (() => Promise<void>) | undefined;

  /** Reads what calls have told since this was done before. */
  async function learn({ db }: ReadScope): Promise<void> {
    const turns = workInTurns(team);
    for (;;) {
      const since = { team, run, from: last.step, known: [...last.calls], most: shownCharacters, limit: callsAtATime };
      const calls = await db.all(callsSince, since);
      for (const call of calls) {
        if (call.step > last.step) last.calls.clear();
        last.step = call.step;
        last.calls.add(call.id);
        told.push(...tellingOf(call));
        if (turns.over) await turns.next();
      }
      if (calls.length < callsAtATime) return;
    }
  }

  async function stateOf(scope: ReadScope): Promise<State> {
    const { over } = await followedRun(scope, run);
    learned ??= sharedWork(() => learn(scope));
    await learned();
    if ((await withheldAmong(scope, told)).size > 0)
      throw runProblems.run_withheld('This run has read something that you may not read now. Its transcript shows what is left of it.');
    return over ? 'over' : 'open';
  }

  return {
    followers: 0,
    look(scope) {
      const { actor } = scope;
      // As somebody in another role a person sees otherwise.
      const who = JSON.stringify(actor.type === 'user' ? [actor.id, actor.role] : [actor.type]);
      const person: Following = people.get(who) ?? { scope, look: sharedWork(() => stateOf(person.scope)) };
      people.set(who, person);
      person.scope = scope;
      return person.look();
    },
    events: ({ db }, after) =>
      read(`${after}`, async () => {
        const rows = await db.all(eventsAfter, { team, run, after, limit: eventsAtATime });
        return { rows, more: rows.length === eventsAtATime };
      }),
  };
}
