/**
 * How many more one team may have in hand that has `own`, when `free` places are left: it may go on while it has fewer than
 * twice what would be left. Alone it gets some two thirds of all, so that another that comes finds a place at once.
 */
export function roomOfTeam(own: number, free: number): number {
  // The most k for which own + (k - 1) < 2 × (free - (k - 1)).
  return Math.max(0, Math.min(free, Math.ceil((2 * free - own) / 3)));
}
