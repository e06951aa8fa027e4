import { defineDomain } from '../platform/domain.ts';
import { auditTables } from './tables.ts';

/**
 * The audit journal: every security-relevant act and every change of a domain object, one entry each, written by the
 * platform in the transaction of the act. Here teams read it, and here it is made tamper-evident: a Merkle tree over all
 * entries, signed checkpoints, proofs, exports, verification (docs/audit.md).
 */
export const domain = defineDomain({ name: 'audit', uses: [], tables: auditTables, description: () => import('./description.ts') });

export { auditRoutes, readJournalPage } from './routes.ts';
export { journal, journalQuery } from './schemas.ts';
export { logVerifierKeys, logVerifiers } from './checkpoint.ts';
export { exportJournal, journalExported } from './export.ts';
export { eraseOldAddresses, thinCheckpoints } from './jobs.ts';
export { parseVerifierKey } from './note.ts';
export { createSequencer } from './sequencer.ts';
export { readLogKeys, verifyExport } from './verify-export.ts';
export { verifyJournal } from './verify-jobs.ts';
export { parseWitnesses } from './witness.ts';
