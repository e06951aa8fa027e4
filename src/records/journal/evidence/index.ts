/** Proofs and exports of the journal, and their verification without the service. */
export { type JournalAbout, journalAbout } from './about.ts';
export { exportJournal } from './export.ts';
export { checkpointAnswer, consistencyAnswer, consistencyQuery, exportQuery, proofAnswer } from './schemas.ts';
export { describeCheckpoint, proveConsistency, proveEntry } from './service.ts';
export { verifyAgainstNote } from './verify-against-note.ts';
export { readLogKeys } from './verify-export.ts';
export { keyText, verifyFile } from './verify-file.ts';
export { compareRowsWithCheckpoint } from './verify-rows.ts';
