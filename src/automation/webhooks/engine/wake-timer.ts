/** One timer serves all who ask before it rings; it keeps no process alive. */
export function createAlarm(ring: () => void): { ringIn(ms: number): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    ringIn(ms) {
      timer ??= setTimeout(() => {
        timer = undefined;
        ring();
      }, ms).unref();
    },
  };
}
