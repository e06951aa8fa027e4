import { LRUCache } from 'lru-cache';

type Address = { teamId: string; endpointId: string };

/** What the next claim may take. */
export type Rooms = {
  /** Deliveries in hand at a time, of each endpoint that answered a moment ago, by its id; of every other it is one. */
  rooms: Record<string, number>;
  /** Deliveries in hand of endpoints that have not answered of late. */
  untriedInHand: number;
  /** How many endpoints failed last, or let a first delivery wait. */
  troubles: number;
};

/** Lets at most so many deliveries go to one endpoint at a time, and knows which endpoints answer, and which do quickly. */
export type EndpointGate = {
  /** Runs the work when the endpoint has room, in the order of the calls. */
  enter(endpointId: string, work: () => Promise<void>): Promise<void>;
  /** Remembers how an endpoint answered. */
  note(address: Address, answer: { ok: boolean; latencyMs: number }): void;
  /** Whether its latest answer was a failure. */
  fails(endpointId: string): boolean;
  /**
   * How much to claim for some teams, or for all: a window of the quick endpoints, so that the next is at hand when one is
   * done. What may hang gets one, which says whether it answers.
   */
  rooms(teams?: readonly string[]): Rooms;
};

const quickMs = 250;
const windowFactor = 5;
/** Under load answers come all the time: who falls silent is not given many for long. */
const answeringMs = 1_000;
const failingMs = 600_000;
const silentMs = 100;
const remembered = 1_024;

/** A window of quick answers is over in about a second: far less than any lease. */
export function createEndpointGate(cap: number): EndpointGate {
  const inHand = new Map<string, { active: number; waiting: (() => void)[]; since: number }>();
  const answering = new LRUCache<string, { teamId: string; room: number }>({ max: remembered, ttl: answeringMs });
  const failing = new LRUCache<string, true>({ max: remembered, ttl: failingMs });

  return {
    async enter(endpointId, work) {
      const endpoint = inHand.get(endpointId) ?? { active: 0, waiting: [], since: performance.now() };
      inHand.set(endpointId, endpoint);
      if (endpoint.active >= cap) await new Promise<void>((resolve) => endpoint.waiting.push(resolve));
      else endpoint.active += 1;
      try {
        await work();
      } finally {
        const next = endpoint.waiting.shift();
        if (next) next();
        else endpoint.active -= 1;
        if (endpoint.active === 0) inHand.delete(endpointId);
      }
    },
    note({ teamId, endpointId }, { ok, latencyMs }) {
      if (ok) {
        answering.set(endpointId, { teamId, room: latencyMs < quickMs ? cap * windowFactor : cap });
        failing.delete(endpointId);
      } else {
        answering.delete(endpointId);
        failing.set(endpointId, true);
      }
    },
    fails: (endpointId) => failing.has(endpointId),
    rooms(teams) {
      const silentSince = performance.now() - silentMs;
      let untriedInHand = 0;
      // Its size counts those whose time is over.
      let troubles = [...failing.keys()].length;
      for (const [endpointId, { active, waiting, since }] of inHand) {
        if (answering.has(endpointId)) continue;
        untriedInHand += active + waiting.length;
        if (since < silentSince && !failing.has(endpointId)) troubles += 1;
      }
      const rooms: Record<string, number> = {};
      for (const [endpointId, { teamId, room }] of answering.entries()) if (!teams || teams.includes(teamId)) rooms[endpointId] = room;
      return { rooms, untriedInHand, troubles };
    },
  };
}
