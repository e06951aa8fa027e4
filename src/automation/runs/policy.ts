/** Whether somebody in this role answers for jobs: a job runs with the rights of a person who may change it. */
export const answersForJobs = (role: string | undefined): boolean => role === 'owner' || role === 'admin';

/** After so many failures in a row a job switches itself off. */
export const maxFailures = 5;

/** What ends a run and says nothing against its job. */
const notOfTheJob = new Set(['model_unavailable', 'model_rate_limited', 'no_model_configured', 'model_not_enabled', 'budget_exhausted']);
export const isOfTheJob = (reason: string | null): boolean => reason === null || !notOfTheJob.has(reason);

/** Whether what runs of an agent cost is limited, by the agent or by its team: each model that they ask has a price then. */
export const limitsCost = (
  agent: { max_cost_per_run: number | null; max_cost_per_day: number | null },
  team: { maxCostPerDay: number | null },
): boolean => agent.max_cost_per_run !== null || agent.max_cost_per_day !== null || team.maxCostPerDay !== null;

/** So many runs of a job wait behind one another at most. */
export const mostWaiting = 10;

/** Runs that begin runs, by way of workflows that they start, at most: one within the other. */
export const maxDepth = 3;

/** A run that was begun so often and has ended with its node each time is not begun again. */
export const maxAttempts = 5;

/** Why a run ends that was told answers that are erased since, or of a document that is gone for good. */
export const contentErased = 'content_erased';
