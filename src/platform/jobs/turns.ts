/**
 * How many more jobs of a kind a team with `own` running jobs may start while `free` places are left. It may start one while it has fewer
 * than twice what would be left. Alone it gets about two thirds of all places. It never takes the last free place, except the only one, so
 * that another team finds a place at once.
 */
export function roomOfTeam(own: number, free: number): number {
  const left = own + free > 1 ? 1 : 0;
  // The largest k for which own + (k - 1) < 2 × (free - (k - 1)).
  return Math.max(0, Math.min(free - left, Math.ceil((2 * free - own) / 3)));
}
