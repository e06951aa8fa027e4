/**
 * Does work at once, or after so many milliseconds. What is held up keeps its order, also where the next is held up for a shorter
 * time or not at all: a stream whose parts overtake one another is no fault that a line has.
 */
export function holdInOrder(): (delayMs: number, work: () => void) => void {
  const pending: (() => void)[] = [];
  return (delayMs, work) => {
    if (delayMs === 0 && pending.length === 0) return work();
    pending.push(work);
    setTimeout(() => pending.shift()?.(), delayMs);
  };
}
