/** Verifies the signatures of a PDF: finds them, checks messages and certificates, and reports later changes. */
export { inspectSignedFile, TooBusy, TooHard } from './inspect-file.ts';
export { readCertificates, serves } from './trust.ts';
export type { Revoked, Verdict } from './messages.ts';
