/** Mails about submissions: to members of the team, to visitors, and to the owner after a failure. */
export { addressIn, askForReceipt, mailJobs, notifyOfFailures, notifyOfSubmission, notifyOfTemplate } from './jobs.ts';
export { confirmMail } from './confirm-words.ts';
