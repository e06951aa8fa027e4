/** Mails about submissions: to those of the team who are to hear of them, to who has submitted, and to the owner where something failed. */
export { addressIn, askForReceipt, mailJobs, notifyOfFailures, notifyOfSubmission } from './jobs.ts';
export { confirmMail } from './confirm-words.ts';
