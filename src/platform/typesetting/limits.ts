/** The limits of one document. */
export type Limits = {
  /** CPU seconds, so that a busy machine does not fail documents. */
  cpuSeconds: number;
  /** Seconds of elapsed time, including waiting. */
  wallSeconds: number;
  /** Memory in addition to that of an idle worker, which has fonts and a cache. */
  memoryMb: number;
  pages: number;
};

export const usualLimits: Limits = { cpuSeconds: 10, wallSeconds: 40, memoryMb: 256, pages: 200 };

/** Signals that end a worker above a limit. No other code sends them. */
export const endedBy = { memory: 'SIGUSR2', time: 'SIGALRM' } as const;
