/** Delegations: while a member is absent, their new tasks go to a delegate who may do them. A delegated task is not delegated further. */
export { delegateFor, findDelegates, type MayHave } from './resolve-delegate.ts';
export { delegationJobs } from './jobs.ts';
export { delegationListeners } from './listeners.ts';
export { delegationRoutes } from './routes.ts';
