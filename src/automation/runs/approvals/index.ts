/** Tool calls that need the approval of a person. A task asks for it; without a clear approval before it expires, the call is denied. */
export { approvalListener, roundListeners } from './answer.ts';
export { mayApproveCall, memberWithScopes, readsTarget } from './approvers.ts';
export { askPerson, maxShown } from './ask.ts';
export { beginCallRound } from './call-rounds.ts';
export { askRound, withdrawApproval } from './ask-round.ts';
export { isOwnRequest, findApprover } from './four-eyes.ts';
export { approvalExpiry, approvalsOver, lockOpenTasks } from './end.ts';
export { readTarget, shownCall, shownOutcome, type Target, requestHash } from './shown.ts';
export { unknownOutcome, findOutcomeReporter } from './outcome.ts';
export { awaitingOf } from './queries.ts';
