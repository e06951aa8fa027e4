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

/** Lets at most so many deliveries go to one endpoint at a time, and knows which endpoints answer, and which do quickly. */
export type EndpointGate = {
  /**
   * Runs the work when the endpoint has room, in the order of the calls. False when the endpoint failed or fell silent
   * while the work waited: it was not run, and is to be given back.
   */
  enter(endpointId: string, work: () => Promise<void>): Promise<boolean>;
  /** Remembers how an endpoint answered. */
  note(address: Address, answer: { ok: boolean; unfinished?: boolean; latencyMs: number }): void;
  /** Whether its latest answer was a failure, or did not end. */
  inTrouble(endpointId: string): boolean;
  /**
   * How much to claim for some teams, or for all: a window of the quick endpoints, so that the next is at hand when one is
   * done. What may hang gets one, which says whether it answers. What waits for an endpoint that fell silent is given back.
   */
  rooms(teams?: readonly string[]): Rooms;
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

type InHand = { active: number; waiting: ((goOn: boolean) => void)[]; since: number; endedAt: number };

/** A window of quick answers is over in about a second: far less than any lease. */
export function createEndpointGate(cap: number): EndpointGate {
  const inHand = new Map<string, InHand>();
  const answering = boundedCache<{ teamId: string; room: number }>(remembered, { ttl: answeringMs });
  const troubled = boundedCache<{ teamId: string; unfinished: boolean }>(remembered, { ttl: troubledMs });

  function giveBack(endpoint: InHand | undefined): void {
    for (const goOn of endpoint?.waiting.splice(0) ?? []) goOn(false);
  }

  return {
    async enter(endpointId, work) {
      const now = performance.now();
      const endpoint = inHand.get(endpointId) ?? { active: 0, waiting: [], since: now, endedAt: now };
      inHand.set(endpointId, endpoint);
      if (endpoint.active >= cap) {
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
        if (endpoint.active === 0) inHand.delete(endpointId);
      }
      return true;
    },
    note({ teamId, endpointId }, { ok, unfinished = false, latencyMs }) {
      if (ok && !unfinished) {
        answering.set(endpointId, { teamId, room: latencyMs < quickMs ? cap * windowFactor : cap });
        troubled.delete(endpointId);
      } else {
        answering.delete(endpointId);
        troubled.set(endpointId, { teamId, unfinished });
        giveBack(inHand.get(endpointId));
      }
    },
    inTrouble: (endpointId) => troubled.has(endpointId),
    rooms(teams) {
      const now = performance.now();
      let untriedInHand = 0;
      let silent = 0;
      for (const [endpointId, endpoint] of inHand) {
        if (now - endpoint.endedAt > answeringMs) giveBack(endpoint);
        if (answering.has(endpointId)) continue;
        untriedInHand += endpoint.active + endpoint.waiting.length;
        if (now - endpoint.since > silentMs && !troubled.has(endpointId)) silent += 1;
      }
      const rooms: Record<string, number> = {};
      const named = teams && new Set(teams);
      const asked = (teamId: string) => named?.has(teamId) ?? true;
      let troubles = silent;
      const troubledOf = new Map<string, number>();
      for (const [endpointId, { teamId, unfinished }] of troubled.entries()) {
        troubles += 1;
        troubledOf.set(teamId, (troubledOf.get(teamId) ?? 0) + 1);
        if (unfinished && asked(teamId)) rooms[endpointId] = 0;
      }
      for (const [endpointId, { teamId, room }] of answering.entries()) if (asked(teamId)) rooms[endpointId] = room;
      const crowded = new Set([...troubledOf].flatMap(([teamId, count]) => (count >= crowd ? [teamId] : [])));
      return { rooms, untriedInHand, troubles, crowded };
    },
  };
}
