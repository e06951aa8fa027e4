import { boundedCache } from '../../../platform/bounded-cache.ts';

type Address = { teamId: string; endpointId: string };

/** The limits of the next claim. */
export type Rooms = {
  /**
   * Maximum deliveries in progress for each endpoint that responded recently, by identifier. All other endpoints get one delivery. 0 means that the
   * last response never ended: the endpoint gets one delivery and counts as failing.
   */
  rooms: Record<string, number>;
  /** The number of deliveries in progress to endpoints that have not responded recently. */
  untriedInFlight: number;
  /** The number of endpoints that are failing, or silent on their first delivery. */
  troubles: number;
  /** Teams with several failing endpoints. */
  throttledTeams: ReadonlySet<string>;
};

const quickMs = 250;
const windowFactor = 5;
/** How long a response counts as recent. Under load responses are frequent, so an endpoint that stops responding soon loses its window. */
const answeringMs = 1_000;
const failingMs = 600_000;
const silentMs = 100;
/** The number of failing endpoints of a team from which its claims would mostly be for them. */
const crowd = 5;
const remembered = 1_024;

type InFlight = { active: number; waiting: ((goOn: boolean) => void)[]; since: number; endedAt: number };

/**
 * Limits the deliveries in progress to each endpoint. Records which endpoints respond, and which respond quickly. The window of an endpoint is the
 * number of deliveries that it can take in about a second, far less than a lease.
 */
export class EndpointGate {
  readonly #cap: number;
  readonly #inFlight = new Map<string, InFlight>();
  readonly #answering = boundedCache<{ teamId: string; room: number }>(remembered, { ttl: answeringMs });
  readonly #troubled = boundedCache<{ teamId: string; unfinished: boolean }>(remembered, { ttl: failingMs });

  constructor(cap: number) {
    this.#cap = cap;
  }

  /**
   * Runs the work when the endpoint has capacity, in the order of the calls. Returns false without running the work if the endpoint failed or stopped
   * responding in the meantime. The caller must then release the work.
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

  /** Records the response of an endpoint. */
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

  /** Whether the last response was a failure or never ended. */
  isFailing(endpointId: string): boolean {
    return this.#troubled.has(endpointId);
  }

  /**
   * Returns the limits of a claim for some teams, or for all. A quick endpoint gets a window, so that its next delivery is ready when one ends. An
   * endpoint that may hang gets one delivery, to test whether it responds. Releases deliveries that wait for a silent endpoint.
   */
  rooms(teams?: readonly string[]): Rooms {
    const { untriedInFlight, silent } = this.#lookAtSilent();
    const rooms: Record<string, number> = {};
    const named = teams && new Set(teams);
    const isSelected = (teamId: string) => named?.has(teamId) ?? true;
    let troubles = silent;
    const failingByTeam = new Map<string, number>();
    for (const [endpointId, { teamId, unfinished }] of this.#troubled.entries()) {
      troubles += 1;
      failingByTeam.set(teamId, (failingByTeam.get(teamId) ?? 0) + 1);
      if (unfinished && isSelected(teamId)) rooms[endpointId] = 0;
    }
    for (const [endpointId, { teamId, room }] of this.#answering.entries()) if (isSelected(teamId)) rooms[endpointId] = room;
    const throttledTeams = new Set([...failingByTeam].flatMap(([teamId, count]) => (count >= crowd ? [teamId] : [])));
    return { rooms, untriedInFlight, troubles, throttledTeams };
  }

  /** Counts the deliveries in progress to endpoints that have not responded recently, and the silent ones among these endpoints. */
  #lookAtSilent(): { untriedInFlight: number; silent: number } {
    const now = performance.now();
    let untriedInFlight = 0;
    let silent = 0;
    for (const [endpointId, endpoint] of this.#inFlight) {
      if (now - endpoint.endedAt > answeringMs) giveBack(endpoint);
      if (this.#answering.has(endpointId)) continue;
      untriedInFlight += endpoint.active + endpoint.waiting.length;
      if (now - endpoint.since > silentMs && !this.#troubled.has(endpointId)) silent += 1;
    }
    return { untriedInFlight, silent };
  }
}

function giveBack(endpoint: InFlight | undefined): void {
  for (const goOn of endpoint?.waiting.splice(0) ?? []) goOn(false);
}
