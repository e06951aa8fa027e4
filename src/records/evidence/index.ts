import { domain as access } from '#access';
import { domain as journal } from '#journal';
import { domain as documents } from '#documents';
import { domain as keys } from '#keys';
import { domain as signatures } from '#signatures';
import { domain as tasks } from '#tasks';
import { domain as teams, memberRemoved } from '#teams';
import { domain as workflows } from '#workflows';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { on } from '../../platform/journal/listeners.ts';
import { dropOldPacks, packJob } from './jobs.ts';
import { handOver } from './queries.ts';
import { evidenceRoutes } from './routes.ts';
import { evidenceTables } from './tables.ts';

const leaverListener = on(memberRemoved, async ({ db, team }, { targetId: from, data: { successorId: to } }) => {
  db.send(handOver, { team, from, to });
});

/**
 * Evidence packs: the files of a document, a workflow or a signature request, its journal entries with proofs, and the identity proofs of signers.
 * Anyone can verify the archive without the service.
 */
export const domain = defineDomain({
  name: 'evidence',
  uses: { keys, access, journal, teams, documents, signatures, tasks, workflows },
  tables: evidenceTables,
  subscribes: { usual: [leaverListener] },
  description: () => import('./description.ts'),
  open({ database, listeners, clock, storage }, { keys: ring }) {
    return {
      exports: undefined,
      routes: (app) => evidenceRoutes(app, storage),
      jobs: [openJob(packJob, { database, listeners, clock, storage, keys: ring })],
      periodic: [{ name: 'evidence-packs', cron: '29 * * * *', run: ({ now }) => dropOldPacks({ database, storage }, now) }],
    };
  },
});
