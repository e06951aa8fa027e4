import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import {
  exportJournal,
  journalExported,
  keyText,
  logVerifierKeys,
  logVerifiers,
  readLogKeys,
  verifyAgainstNote,
  verifyFile,
} from '#journal';
import { openKeyRing, rotationSettings } from '#keys';
import type { Config } from '../../config.ts';
import { withDatabase } from '../../open-database.ts';
import { openStorage } from '../../open-storage.ts';
import { recordAudit } from '../../platform/journal/record.ts';

/** Tools that verify an export without a database. */
export const auditTools = { keyText, readLogKeys, verifyFile };

/** The journal for the command line. The service may run at the same time. */
export type Journal = {
  /** Keys that verify checkpoints, in the C2SP signed-note format. */
  verifierKeys: string[];
  /**
   * Recomputes the tree from the rows, and compares it with the note of the last verification in the file storage. `trusted` replaces
   * the keys in the database.
   */
  verify(trusted?: Parameters<typeof verifyAgainstNote>[1]): ReturnType<typeof verifyAgainstNote>;
  /** Generates the lines of an export: the entries of a team with their proofs. */
  export(team: string, after: number): Promise<AsyncGenerator<string>>;
};

/** Opens the journal in the configured database, runs `work`, and closes the connections. */
export function withJournal<T>(config: Config, log: Logger, work: (journal: Journal) => Promise<T>): Promise<T> {
  return withDatabase(config, log, async (database, masterKey) => {
    const keys = await openKeyRing(database, masterKey, rotationSettings(config));
    const published = () => keys.publicKeys('witness');
    return work({
      verifierKeys: logVerifierKeys(published(), config.AUDIT_ORIGIN),
      async verify(trusted = (origin) => logVerifiers(published(), origin)) {
        const storage = await openStorage(config);
        return verifyAgainstNote(database, trusted, storage).finally(() => storage.close());
      },
      async export(team, after) {
        const now = new Date(database.clock.now());
        const lines = await exportJournal({ db: database.reader(team), team, actor: { type: 'system' } }, { keys, after, now });
        await database.inTeam(team, (db) =>
          recordAudit({ db, team, actor: { type: 'system' }, now, requestId: randomUUIDv7(), listeners: [] }, journalExported, undefined, {
            after,
          }),
        );
        return lines;
      },
    });
  });
}
