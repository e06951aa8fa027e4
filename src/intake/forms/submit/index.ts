/** Submissions: receiving answers from visitors and programs, running the effects, and returning the results. */
export { honeypot, refuseUnknownAnswers, takeAnswers } from './answers.ts';
export { timeMembers } from './booking.ts';
export { type Submitting } from './context.ts';
export { confirmSubmission } from './pending-confirmation.ts';
export { followAgain, type Following } from './again.ts';
export { answeredVersion } from './versions.ts';
export { documentOf } from './effects.ts';
export { askForFile, documentFileJob } from './file-document.ts';
export { pdfName } from './pdf-name.ts';
export { recordFailures } from './failures.ts';
export { submissionProblems } from './problems.ts';
export { type NamedRecords } from './records.ts';
export { proofOptions, spendProof } from './proofs.ts';
export { endVisit, sessionToken, showSession, visiting } from './request-context.ts';
export { submitRoutes } from './routes.ts';
export { outcomeOf, type Submission, submit } from './service.ts';
export type { Submitted, Visit } from './visit.ts';
export { findSession, keepSession, newSession } from './sessions.ts';
