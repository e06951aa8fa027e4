/**
 * Runs work at once or after a delay in milliseconds. Delayed work keeps its order, even if the next delay is shorter or 0, because a network
 * connection never reorders the bytes of a stream.
 */
export function delayInOrder(): (delayMs: number, work: () => void) => void {
  const pending: (() => void)[] = [];
  return (delayMs, work) => {
    if (delayMs === 0 && pending.length === 0) return work();
    pending.push(work);
    setTimeout(() => pending.shift()?.(), delayMs);
  };
}
