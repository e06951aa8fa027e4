import type { ModelConfig } from './config.ts';

/** What the use cases of runs work with besides the scope. */
export type Runs = {
  /** Runs of one team under way at once. */
  atOnce: number;
  /** The model that agents ask, where there is one. */
  model?: ModelConfig | undefined;
};

/** Where nodes hear that a job is due soon. */
export const scheduleChannel = 'agent_job_due';
/** Nodes look for what is due at least so often. */
export const lookEveryMs = 5_000;
