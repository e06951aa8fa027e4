/** Calls that a person is to approve: a task asks them, and nothing but a clear yes in time is one. */
export { approvalListener } from './answer.ts';
export { askPerson, maxShown } from './ask.ts';
export { isOwnRequest, whoIsAsked } from './four-eyes.ts';
export { approvalExpiry, approvalsOver, lockAsked } from './end.ts';
export { readTarget, shownCall, shownOutcome, type Target, whatIsAsked } from './shown.ts';
export { unknownOutcome, whoLooks } from './outcome.ts';
export { awaitingOf } from './queries.ts';
