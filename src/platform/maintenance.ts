import { replacesMasterKey } from './database/service-state.ts';
import { reencrypt, type SealedColumn } from './database/reencrypt.ts';
import type { Periodic, Platform } from './domain.ts';
import { deleteExpiredResponses } from './http/jobs.ts';
import { dropFailedJobs } from './jobs/job-admin.ts';
import { dropOldMail } from './mail/jobs.ts';
import { maintainFiles } from './storage/reconcile-jobs.ts';

/** Returns the periodic maintenance jobs of the platform. */
export function platformMaintenance(
  { database, masterKey, storage, tables, log }: Platform,
  sealed: readonly SealedColumn[],
): readonly Periodic[] {
  const reseal: Periodic = {
    name: 'master-key-reseal',
    cron: '* * * * *',
    async run() {
      if (!(await replacesMasterKey(database, masterKey))) return;
      await reencrypt(database, masterKey, sealed, {
        onProgress: (progress) => log.info(progress, 're-encrypting data with the new master key'),
      });
      log.info('all data is encrypted with MASTER_KEY; remove MASTER_KEYS_ACCEPTED');
    },
  };
  return [
    ...(masterKey.fingerprints.length > 1 ? [reseal] : []),
    { name: 'answer-drop', cron: '7 * * * *', run: () => deleteExpiredResponses(database) },
    { name: 'mail-drop', cron: '37 3 * * *', run: ({ now }) => dropOldMail(database, now) },
    { name: 'job-drop', cron: '47 4 * * *', run: ({ now }) => dropFailedJobs(database, now) },
    { name: 'upload-sweep', cron: '7 * * * *', run: () => storage.removeAbandoned() },
    { name: 'file-reconcile', cron: '37 4 * * *', run: () => maintainFiles({ database, storage, tables, log }) },
  ];
}
