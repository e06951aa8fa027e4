/** What one document may take of its worker. */
export type Limits = {
  /** Of the processor, so that a busy machine fails nobody. */
  cpuSeconds: number;
  /** By the clock, whatever the worker waits for. */
  wallSeconds: number;
  /** Beyond what its worker holds already: fonts, and what is kept for the next document. */
  memoryMb: number;
  pages: number;
};

export const usualLimits: Limits = { cpuSeconds: 10, wallSeconds: 40, memoryMb: 256, pages: 200 };

/** How a worker that took too much is ended: by signals that nothing else sends. */
export const endedBy = { memory: 'SIGUSR2', time: 'SIGALRM' } as const;
