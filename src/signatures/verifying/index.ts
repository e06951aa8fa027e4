export { lookAtFile, TooBusy, TooHard } from './look-at-file.ts';
export { readCertificates } from './verdict.ts';
export type { Verdict } from './messages.ts';
