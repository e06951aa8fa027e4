import { LRUCache } from 'lru-cache';

/** Lets at most so many deliveries go to one endpoint at a time, and knows which endpoints answer quickly. */
export type EndpointGate = {
  /** Runs the work when the endpoint has room, in the order of the calls. */
  enter(endpointId: string, work: () => Promise<void>): Promise<void>;
  /** Remembers how an endpoint answered. */
  note(endpointId: string, answer: { ok: boolean; latencyMs: number }): void;
  /** How much to claim: `cap` of each endpoint, `window` of the quick ones, so that the next is at hand when one is done. */
  claimSizes(): { cap: number; window: number; quick: string[] };
};

const quickMs = 250;
const windowFactor = 5;

/** A window of quick answers is over in about a second: far less than any lease. */
export function createEndpointGate(cap: number): EndpointGate {
  const inFlight = new Map<string, { active: number; waiting: (() => void)[] }>();
  const quick = new LRUCache<string, true>({ max: 256 });

  async function enter(endpointId: string, work: () => Promise<void>): Promise<void> {
    const room = inFlight.get(endpointId) ?? { active: 0, waiting: [] };
    inFlight.set(endpointId, room);
    if (room.active >= cap) await new Promise<void>((resolve) => room.waiting.push(resolve));
    else room.active += 1;
    try {
      await work();
    } finally {
      const next = room.waiting.shift();
      if (next) next();
      else room.active -= 1;
      if (room.active === 0) inFlight.delete(endpointId);
    }
  }

  return {
    enter,
    note(endpointId, { ok, latencyMs }) {
      if (ok && latencyMs < quickMs) quick.set(endpointId, true);
      else quick.delete(endpointId);
    },
    claimSizes: () => ({ cap, window: cap * windowFactor, quick: [...quick.keys()] }),
  };
}
