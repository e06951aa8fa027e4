import { domain as keys } from '#keys';
import { defineDomain } from '../../platform/domain.ts';
import { auditSettings, resolveAuditSettings } from './config.ts';
import { eraseOldAddresses, deleteSurplusCheckpoints, Sequencer, parseWitnesses } from './sequencer/index.ts';
import { auditRoutes } from './routes.ts';
import { auditTables } from './tables.ts';

/**
 * The audit journal: one entry for every security-relevant action and every change of a domain object. The platform writes it in the transaction of
 * the action. This domain lets teams read it and makes it tamper-evident: a Merkle tree over all entries, signed checkpoints, proofs, exports and
 * verification (docs/concepts/audit-journal.md).
 */
export const domain = defineDomain({
  name: 'journal',
  uses: { keys },
  settings: auditSettings,
  settle: resolveAuditSettings,
  tables: auditTables,
  description: () => import('./description.ts'),
  tools: async () => (await import('./tools.ts')).tools,
  open({ database, listener, announce, log, clock }, { keys: ring }, config) {
    const days = config.AUDIT_ADDRESS_DAYS;
    return {
      exports: undefined,
      routes: (app) => auditRoutes(app, { keys: ring }),
      workers: [
        {
          name: 'sequencer',
          async start() {
            const witnesses = parseWitnesses(config.AUDIT_WITNESSES ?? '');
            const sequencer = new Sequencer({
              database,
              listener,
              keys: ring,
              origin: config.AUDIT_ORIGIN,
              witnesses,
              announce,
              log,
              clock,
            });
            await sequencer.start();
            return () => sequencer.stop();
          },
        },
      ],
      periodic: [
        { name: 'checkpoint-thin', cron: '57 3 * * *', run: ({ now }) => deleteSurplusCheckpoints(database, now) },
        ...(days > 0
          ? [{ name: 'address-erase', cron: '7 4 * * *', run: ({ now }: { now: Date }) => eraseOldAddresses(database, now, days) }]
          : []),
      ],
    };
  },
});

export { readJournalPage } from './service.ts';
export { journal, journalQuery } from './schemas.ts';
export { logVerifierKeys, logVerifiers } from './tree/index.ts';
export { journalExported } from './events.ts';
export {
  compareRowsWithCheckpoint,
  exportJournal,
  type JournalAbout,
  journalAbout,
  keyText,
  readLogKeys,
  verifyAgainstNote,
  verifyFile,
} from './evidence/index.ts';
export { readTree } from './tree/index.ts';
export { readingsByRole } from './queries.ts';
export type { ChangeRow } from './change-queries.ts';
export { changesAfter, journalPosition } from './changes.ts';
