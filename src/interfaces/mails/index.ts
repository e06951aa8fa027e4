/** Mails about submissions: to those of the team who are to hear of them, to who has submitted, and to the owner where something failed. */
export { askForReceipt, mailJobs, tellOfFailures, tellOfSubmission } from './jobs.ts';
