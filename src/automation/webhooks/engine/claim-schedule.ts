import { smallestId } from '../../../platform/identifiers.ts';
import type { Look } from './claim-queries.ts';

/**
 * The result of a claim: the number of scanned endpoints, the last of them, and whether due deliveries remain in its scope. `enough`: the scan
 * continues only when `addAll` is called again.
 */
export type ClaimResult = { scanned: number; last: { team: string; endpoint: string } | undefined; left: boolean; enough?: boolean };

const scan = 256;
/** A scan of this many endpoints takes no longer than a claim for one team. */
const scanInSteps = 40;
/** A team has at most 50 endpoints, so a claim for this many teams takes a few milliseconds. */
const teamBatchSize = 16;
const start = { team: smallestId, endpoint: smallestId };

/**
 * Decides the scope of the next claims. Claims for notified teams alternate with scans of the whole queue. The cost of a claim for teams does not
 * depend on failing endpoints of other teams. The scan finds deliveries without a notification.
 */
export class ClaimScheduler {
  readonly #teams = new Set<string>();
  #all = false;
  #position = start;
  #leftOnLap = false;
  #walked = true;

  /** Adds a team that may have due deliveries. */
  add(teamId: string): void {
    this.#teams.add(teamId);
  }

  /** Requests a scan of the whole queue, because any team may have due deliveries. */
  addAll(): void {
    this.#all = true;
  }

  waits(): boolean {
    return this.#all || this.#teams.size > 0;
  }

  /** Returns the next claim. `inSteps` shortens the scan, so that notified teams are served soon. */
  next(inSteps = false): Look | undefined {
    this.#walked = this.#all && (this.#teams.size === 0 || !this.#walked);
    if (this.#walked) {
      this.#all = false;
      return { afterTeam: this.#position.team, afterEndpoint: this.#position.endpoint, scan: inSteps ? scanInSteps : scan };
    }
    const some = [...this.#teams].slice(0, teamBatchSize);
    for (const team of some) this.#teams.delete(team);
    return some.length > 0 ? { teams: some } : undefined;
  }

  done(look: Look, { scanned, last, left, enough = false }: ClaimResult): void {
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

/** A timer that all calls before its end share. It does not keep the process alive. */
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
