/** Approval policies: named rules of a team about who approves, with versions. */
export { policyRoutes } from './routes.ts';
export { lockPolicies, policyNames, rulesOfPolicies, type StoredPolicy } from './service.ts';
export { refuseTooMany, tooManyCandidates } from './try.ts';
export { policyTables } from './tables.ts';
