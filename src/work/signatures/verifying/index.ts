/** Looks at the signatures of a PDF: finds them, checks their messages and certificates, and says what became of the file since. */
export { lookAtFile, TooBusy, TooHard } from './inspect-file.ts';
export { readCertificates, serves } from './trust.ts';
export type { Revoked, Verdict } from './messages.ts';
