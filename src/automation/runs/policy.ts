/** Whether a role may be responsible for jobs: a job runs with the rights of a person who may change it. */
export const answersForJobs = (role: string | undefined): boolean => role === 'owner' || role === 'admin';

/** The number of consecutive failures that disables a job. */
export const maxFailures = 5;

/** Errors that end a run but do not count as failures of its job. */
const notOfTheJob = new Set(['model_unavailable', 'model_rate_limited', 'no_model_configured', 'model_not_enabled', 'budget_exhausted']);
export const isOfTheJob = (reason: string | null): boolean => reason === null || !notOfTheJob.has(reason);

/** Whether the cost of an agent’s runs is limited, by the agent or by its team. Each model that they use then needs a price. */
export const limitsCost = (
  agent: { max_cost_per_run: number | null; max_cost_per_day: number | null },
  team: { maxCostPerDay: number | null },
): boolean => agent.max_cost_per_run !== null || agent.max_cost_per_day !== null || team.maxCostPerDay !== null;

/** The maximum number of queued runs of a job. */
export const maxQueued = 10;

/** The maximum depth of runs that start runs through workflows. */
export const maxDepth = 3;

/** The maximum number of attempts at a run that may end by a failure of their node. */
export const maxAttempts = 5;

/** The reason of a run that read answers before their erasure, or a document before its permanent deletion. */
export const contentErased = 'content_erased';
