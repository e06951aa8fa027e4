/** For how long what lies in a folder is kept, and what comes then: rules by folder, and the pass that does what they say. */
export { keepRules } from './jobs.ts';
export { retentionRoutes } from './routes.ts';
