/** How many deliveries a claim may take of each team. */
export type Shares = {
  /** Of all teams together. */
  all: number;
  /** Of a team that has nothing in hand. */
  each: number;
  /** Of the teams that have something in hand, by their ids. */
  less: Record<string, number>;
};

export type TeamShares = {
  enter(teamId: string, bytes: number): void;
  leave(teamId: string, bytes: number): void;
  /** What is free, for some teams or for all. */
  free(teams?: readonly string[]): Shares;
};

/** A large payload counts as several: what is in hand is memory. */
const bytesOfOne = 16 * 1_024;
const weight = (bytes: number) => 1 + Math.floor(bytes / bytesOfOne);

/**
 * Shares `most` deliveries in hand among teams. A team may hold a quarter of what nobody holds, so that whoever comes finds
 * room; one that is alone gets a fifth of all (dynamic thresholds, as switches share their buffer: Choudhury and Hahne,
 * 1998).
 */
export function createTeamShares(most: number): TeamShares {
  const held = new Map<string, number>();
  let total = 0;

  function add(teamId: string, change: number): void {
    const now = (held.get(teamId) ?? 0) + change;
    total += change;
    if (now > 0) held.set(teamId, now);
    else held.delete(teamId);
  }

  return {
    enter: (teamId, bytes) => add(teamId, weight(bytes)),
    leave: (teamId, bytes) => add(teamId, -weight(bytes)),
    free(teams) {
      const all = Math.max(0, most - total);
      const each = Math.ceil(all / 4);
      const less: Record<string, number> = {};
      for (const teamId of teams ?? held.keys()) {
        const has = held.get(teamId);
        if (has !== undefined) less[teamId] = Math.max(0, each - has);
      }
      return { all, each, less };
    },
  };
}
