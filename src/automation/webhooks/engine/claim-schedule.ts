import { smallestId } from '../../../platform/identifiers.ts';
import type { Look } from './claim-queries.ts';

/**
 * What came of a look: how many endpoints it passed, the last of them, and whether it left something due where it looked.
 * `enough`: the walk goes on when somebody asks for it, and not by itself.
 */
export type Seen = { scanned: number; last: { team: string; endpoint: string } | undefined; left: boolean; enough?: boolean };

const scan = 256;
/** A look at so many takes no longer than one at a team. */
const scanInSteps = 40;
/** A team has 50 endpoints at most: no look takes much longer than a few milliseconds. */
const teamsAtOnce = 16;
const start = { team: smallestId, endpoint: smallestId };

/**
 * Where the next claims look: at teams that something was heard of, and along everything that is queued, in turn. A look at teams costs the
 * same however many endpoints of others hang or fail with a backlog; the walk along everything finds what nobody spoke of.
 */
export class Agenda {
  readonly #teams = new Set<string>();
  #all = false;
  #position = start;
  #leftOnLap = false;
  #walked = true;

  /** Something of this team may be due. */
  add(teamId: string): void {
    this.#teams.add(teamId);
  }

  /** Something may be due, nobody knows of whom. */
  addAll(): void {
    this.#all = true;
  }

  waits(): boolean {
    return this.#all || this.#teams.size > 0;
  }

  /** `inSteps`: a walk is short, and others are looked at soon again. */
  next(inSteps = false): Look | undefined {
    this.#walked = this.#all && (this.#teams.size === 0 || !this.#walked);
    if (this.#walked) {
      this.#all = false;
      return { afterTeam: this.#position.team, afterEndpoint: this.#position.endpoint, scan: inSteps ? scanInSteps : scan };
    }
    const some = [...this.#teams].slice(0, teamsAtOnce);
    for (const team of some) this.#teams.delete(team);
    return some.length > 0 ? { teams: some } : undefined;
  }

  done(look: Look, { scanned, last, left, enough = false }: Seen): void {
    if ('teams' in look) {
      if (left) for (const team of look.teams) this.#teams.add(team);
      return;
    }
    const lapDone = scanned < look.scan;
    this.#position = lapDone ? start : (last ?? start);
    this.#leftOnLap ||= left;
    if (!enough && (!lapDone || this.#leftOnLap)) this.#all = true;
    if (lapDone) this.#leftOnLap = false;
  }
}

/** One timer serves all who ask before it rings; it keeps no process alive. */
export class Alarm {
  readonly #ring: () => void;
  #isSet = false;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  ringIn(ms: number): void {
    if (this.#isSet) return;
    this.#isSet = true;
    setTimeout(() => {
      this.#isSet = false;
      this.#ring();
    }, ms).unref();
  }
}
