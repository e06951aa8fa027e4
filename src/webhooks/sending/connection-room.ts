/** Who may send over one of a team's connections to an origin, of which there are so many. */
export type ConnectionRoom = {
  /** Waits for one, in the order of the calls: how to let another have it, or nothing where none was free in time. */
  enter(teamId: string, url: string, withinMs: number): Promise<(() => void) | undefined>;
  /** Nobody waits any more. */
  close(): void;
};

type Origin = { active: number; waiting: Set<(goOn: boolean) => void> };

/**
 * Has deliveries wait before they are sent, and not as part of it: one that waited for a connection has not reached its receiver, and can
 * still be given back.
 */
export function createConnectionRoom(connections: number): ConnectionRoom {
  const origins = new Map<string, Origin>();
  let closed = false;

  function leave(key: string, origin: Origin): void {
    const [next] = origin.waiting;
    if (next) return next(true);
    origin.active -= 1;
    if (origin.active === 0) origins.delete(key);
  }

  return {
    async enter(teamId, url, withinMs) {
      const key = `${teamId} ${new URL(url).origin}`;
      const origin = origins.get(key) ?? { active: 0, waiting: new Set() };
      origins.set(key, origin);
      if (origin.active < connections) {
        origin.active += 1;
      } else {
        if (closed || withinMs <= 0) return undefined;
        const turn = Promise.withResolvers<boolean>();
        const end = (goOn: boolean) => {
          origin.waiting.delete(end);
          turn.resolve(goOn);
        };
        origin.waiting.add(end);
        const timer = setTimeout(end, withinMs, false);
        const goOn = await turn.promise;
        clearTimeout(timer);
        if (!goOn) return undefined;
      }
      return () => leave(key, origin);
    },
    close() {
      closed = true;
      for (const { waiting } of origins.values()) for (const end of waiting) end(false);
    },
  };
}
