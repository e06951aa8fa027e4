import { domain as clients } from '#clients';
import { domain as fields } from '#fields';
import { domain as access } from '#access';
import { domain as folders } from '#folders';
import { domain as documents } from '#documents';
import { domain as teams } from '#teams';
import { domain as workflows } from '#workflows';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { openBindings } from './bindings.ts';
import { purgeRegistries } from './jobs.ts';
import { recordRoutes } from './records/index.ts';
import { registryRoutes } from './routes.ts';
import { registrySharing } from './shares.ts';
import { registryTables } from './tables.ts';
import { recordStepListeners, writeStepJob } from './workflow-steps.ts';
import { dropOldImports, importJob, transferRoutes } from './transfer/index.ts';

/**
 * Registries: typed records of a team, such as contract parties, with their history. A registry is visible to its owner and by shares.
 * Forms can create records and look up public values.
 */
export const domain = defineDomain({
  name: 'registries',
  uses: { teams, clients, access, folders, documents, workflows, fields },
  tables: registryTables,
  description: () => import('./description.ts'),
  tools: async () => (await import('./tools.ts')).tools,
  subscribes: { ...recordStepListeners, usual: [registrySharing.listener, ...recordStepListeners.usual] },
  open({ database, listeners, clock }) {
    const bindings = openBindings();
    return {
      exports: { askBindings: bindings.answeredBy },
      routes: (app) => {
        registryRoutes(app, bindings.ask);
        transferRoutes(app);
        recordRoutes(app);
      },
      jobs: [openJob(importJob, { database, listeners, clock }), openJob(writeStepJob, { database, listeners, clock })],
      periodic: [
        // After the other bins are emptied.
        { name: 'registry-purge', cron: '32 3 * * *', run: ({ now, isolation }) => purgeRegistries({ database, isolation }, now) },
        { name: 'registry-import-drop', cron: '42 3 * * *', run: ({ now }) => dropOldImports(database, now) },
      ],
    };
  },
});

export {
  bindableRegistry,
  type BoundRegistry,
  boundRegistry,
  createSubmittedRecord,
  eraseSubmittedRecords,
  keepApprovedRecords,
  type PublicRecord,
  publicRecords,
  recordsNamed,
  requireBindable,
  requireSubmittable,
  type Showing,
} from './binding/index.ts';
export type { AskBindings, Binding } from './bindings.ts';
export { findRecord as recordFor, recordRecordRead, readableRecord, recordsToReview } from './records/index.ts';
export { type CsvWriter, csvWriter, exportType } from './transfer/index.ts';
export { manageableRegistry, readableRegistry, registryNames, setMatterOfRegistry } from './access.ts';
export { registryProblems } from './problems.ts';
