/** While somebody is away another does their tasks: dated, by one hop, and never what the other may not do. */
export { standInFor, whoStandsIn } from './resolve-delegate.ts';
export { delegationJobs } from './jobs.ts';
export { delegationListeners } from './listeners.ts';
export { delegationRoutes } from './routes.ts';
