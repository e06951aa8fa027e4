import { boundedCache } from '../../../platform/bounded-cache.ts';

type Address = { teamId: string; endpointId: string };

/** What the next claim may take. */
export type Rooms = {
  /**
   * Deliveries in hand at a time, of each endpoint that answered a moment ago, by its id; of every other it is one. Zero
   * says that its last answer never ended: it gets one as well, and counts as in trouble.
   */
  rooms: Record<string, number>;
  /** Deliveries in hand of endpoints that have not answered of late. */
  untriedInHand: number;
  /** How many endpoints are in trouble, or let a first delivery wait. */
  troubles: number;
  /** Teams with several endpoints in trouble. */
  crowded: ReadonlySet<string>;
};

const quickMs = 250;
const windowFactor = 5;
/** Under load answers come all the time: who falls silent is not given many for long. */
const answeringMs = 1_000;
const troubledMs = 600_000;
const silentMs = 100;
/** Endpoints in trouble from which on a look at their team is mostly one at them. */
const crowd = 5;
const remembered = 1_024;

type InFlight = { active: number; waiting: ((goOn: boolean) => void)[]; since: number; endedAt: number };

/**
 * Lets at most so many deliveries go to one endpoint at a time, and knows which endpoints answer, and which do quickly. A window of quick
 * answers is over in about a second: far less than any lease.
 */
export class EndpointGate {
  readonly #cap: number;
  readonly #inFlight = new Map<string, InFlight>();
  readonly #answering = boundedCache<{ teamId: string; room: number }>(remembered, { ttl: answeringMs });
  readonly #troubled = boundedCache<{ teamId: string; unfinished: boolean }>(remembered, { ttl: troubledMs });

  constructor(cap: number) {
    this.#cap = cap;
  }

  /**
   * Runs the work when the endpoint has room, in the order of the calls. False when the endpoint failed or fell silent
   * while the work waited: it was not run, and is to be given back.
   */
  async enter(endpointId: string, work: () => Promise<void>): Promise<boolean> {
    const now = performance.now();
    const endpoint = this.#inFlight.get(endpointId) ?? { active: 0, waiting: [], since: now, endedAt: now };
    this.#inFlight.set(endpointId, endpoint);
    if (endpoint.active >= this.#cap) {
      if (!(await new Promise<boolean>((resolve) => endpoint.waiting.push(resolve)))) return false;
    } else {
      endpoint.active += 1;
    }
    try {
      await work();
    } finally {
      endpoint.endedAt = performance.now();
      const next = endpoint.waiting.shift();
      if (next) next(true);
      else endpoint.active -= 1;
      if (endpoint.active === 0) this.#inFlight.delete(endpointId);
    }
    return true;
  }

  /** Remembers how an endpoint answered. */
  note(
    { teamId, endpointId }: Address,
    { ok, unfinished = false, latencyMs }: { ok: boolean; unfinished?: boolean; latencyMs: number },
  ): void {
    if (ok && !unfinished) {
      this.#answering.set(endpointId, { teamId, room: latencyMs < quickMs ? this.#cap * windowFactor : this.#cap });
      this.#troubled.delete(endpointId);
    } else {
      this.#answering.delete(endpointId);
      this.#troubled.set(endpointId, { teamId, unfinished });
      giveBack(this.#inFlight.get(endpointId));
    }
  }

  /** Whether its latest answer was a failure, or did not end. */
  inTrouble(endpointId: string): boolean {
    return this.#troubled.has(endpointId);
  }

  /**
   * How much to claim for some teams, or for all: a window of the quick endpoints, so that the next is at hand when one is
   * done. What may hang gets one, which says whether it answers. What waits for an endpoint that fell silent is given back.
   */
  rooms(teams?: readonly string[]): Rooms {
    const { untriedInHand, silent } = this.#lookAtSilent();
    const rooms: Record<string, number> = {};
    const named = teams && new Set(teams);
    const asked = (teamId: string) => named?.has(teamId) ?? true;
    let troubles = silent;
    const troubledOf = new Map<string, number>();
    for (const [endpointId, { teamId, unfinished }] of this.#troubled.entries()) {
      troubles += 1;
      troubledOf.set(teamId, (troubledOf.get(teamId) ?? 0) + 1);
      if (unfinished && asked(teamId)) rooms[endpointId] = 0;
    }
    for (const [endpointId, { teamId, room }] of this.#answering.entries()) if (asked(teamId)) rooms[endpointId] = room;
    const crowded = new Set([...troubledOf].flatMap(([teamId, count]) => (count >= crowd ? [teamId] : [])));
    return { rooms, untriedInHand, troubles, crowded };
  }

  /** Counts the deliveries in hand of endpoints that have not answered of late, and the endpoints of those that are silent. */
  #lookAtSilent(): { untriedInHand: number; silent: number } {
    const now = performance.now();
    let untriedInHand = 0;
    let silent = 0;
    for (const [endpointId, endpoint] of this.#inFlight) {
      if (now - endpoint.endedAt > answeringMs) giveBack(endpoint);
      if (this.#answering.has(endpointId)) continue;
      untriedInHand += endpoint.active + endpoint.waiting.length;
      if (now - endpoint.since > silentMs && !this.#troubled.has(endpointId)) silent += 1;
    }
    return { untriedInHand, silent };
  }
}

function giveBack(endpoint: InFlight | undefined): void {
  for (const goOn of endpoint?.waiting.splice(0) ?? []) goOn(false);
}
