/** Things that lie in no folder and are shared as a whole, such as registries and templates for documents: one rule and one way for all. */
export { handedOverMembers, sharedMembers, unsharedMembers } from './events.ts';
export { handsOverShared } from './leaving.ts';
export { accessToShared, mayManage, mayShare, mayWrite, type SharedAccess, type SharedFacts } from './policy.ts';
export { grantsIn } from './queries.ts';
export { grant, shareBody } from './schemas.ts';
export { openSharing } from './shares.ts';
