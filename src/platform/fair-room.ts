/** Room of which many want some: bytes of memory, or of a disk. */
export type FairRoom = {
  /** Takes so much for somebody, and answers what gives it back; nothing where there is too little left for them. */
  take(whose: string, much: number): (() => void) | undefined;
};

/**
 * Room that is shared by whose it is: each may have as much as `part` of what is free, and `mostOfOne` at most. Those who hold much
 * meet the limit first, and however many there are, some is left for whoever holds nothing (the dynamic threshold of switches that
 * share their buffers). What is larger than that is taken where its holder has nothing else and there is room for it at all.
 */
export function fairRoom({ all, part, mostOfOne = all }: { all: number; part: number; mostOfOne?: number }): FairRoom {
  const held = new Map<string, number>();
  let free = all;
  return {
    take(whose, much) {
      const own = held.get(whose) ?? 0;
      if (much > free || (own > 0 && own + much > Math.min(mostOfOne, part * free))) return undefined;
      held.set(whose, own + much);
      free -= much;
      let given = false;
      return () => {
        if (given) return;
        given = true;
        free += much;
        const left = (held.get(whose) ?? much) - much;
        if (left > 0) held.set(whose, left);
        else held.delete(whose);
      };
    },
  };
}
