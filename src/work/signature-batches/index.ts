import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as documentTemplates } from '#document-templates';
import { domain as documents } from '#documents';
import { domain as fields } from '#fields';
import { domain as signatures } from '#signatures';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { batchJob, discardedJob } from './jobs.ts';
import { leaverListener } from './listeners.ts';
import { batchRoutes } from './routes.ts';
import { batchTables } from './tables.ts';

/** Bulk signature requests. Each row of a file becomes a request on a separate document, created from a template or copied from a document. */
export const domain = defineDomain({
  name: 'signature-batches',
  uses: { access, accounts, teams, documents, signatures, 'document-templates': documentTemplates, fields },
  tables: batchTables,
  subscribes: { usual: [leaverListener] },
  description: () => import('./description.ts'),
  open({ database, listeners, clock, storage }, { 'document-templates': templates }) {
    const deps = { database, listeners, clock, storage, templates };
    return {
      exports: undefined,
      routes: (app) => void app.register(batchRoutes(templates)),
      jobs: [openJob(batchJob, deps), openJob(discardedJob, deps)],
    };
  },
});
