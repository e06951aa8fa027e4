import type { Servers, ShareEnds } from '#agents';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import type { RunConfig } from './config.ts';
import { consentRoutes } from './consent/index.ts';
import { approvalExpiry } from './approvals/index.ts';
import { deliveryJob } from './delivery/index.ts';
import { performer } from './execution.ts';
import { InFlightRuns } from './in-flight-jobs.ts';
import { createLoop } from './loop/index.ts';
import { openModel } from './model/index.ts';
import { jobRoutes } from './routes.ts';
import { placesJob, runJob } from './run-job.ts';
import { runRoutes } from './run-routes.ts';
import { Followers, openTexts } from './stream/index.ts';
import { stepOverJob } from './workflow-steps/index.ts';
import { streamRoutes } from './stream-routes.ts';
import { endWithoutRights } from './revoked-runs.ts';
import { beginDueJobs, dropOldRuns, dueJob, unreadableJob } from './scheduler-jobs.ts';

export async function open(
  platform: Platform,
  { agents: { servers, onShareEnd } }: { agents: { servers: Servers; onShareEnd: (end: ShareEnds) => void } },
  config: RunConfig,
): Promise<OpenedDomain<undefined>> {
  const { database, listener, listeners, log, clock, tools, masterKey } = platform;
  const { atOnce, model } = config;
  const runs = { atOnce, model };
  const deps = { database, listeners, clock };
  onShareEnd((scope, agent) => endWithoutRights(scope, { agent }));
  const followers = new Followers(listener, database);
  await followers.start();
  const texts = await openTexts({ database, listener });
  const inFlight = new InFlightRuns({ database, listener });
  await inFlight.start();
  const opened = model === undefined ? undefined : openModel(model);
  if (model?.protocol === 'simulated')
    log.warn('AGENT_MODEL_PROTOCOL is simulated: agents get canned responses, and no data goes to a model');
  const work = createLoop({
    ...deps,
    places: masterKey.box('agent-list-cursors'),
    tools,
    servers,
    config,
    ask: opened?.ask,
    texts,
  });
  return {
    exports: undefined,
    routes(app) {
      jobRoutes(app);
      runRoutes(app, runs);
      streamRoutes(app, followers);
      consentRoutes(app, model);
    },
    jobs: [
      openJob(runJob, performer({ ...deps, runs, work, inFlight })),
      openJob(dueJob, { ...deps, runs }),
      openJob(placesJob, { ...deps, atOnce }),
      openJob(deliveryJob, { ...deps, baseUrl: platform.config.BASE_URL }),
      openJob(stepOverJob, deps),
      openJob(approvalExpiry, deps),
      openJob(unreadableJob, deps),
    ],
    periodic: [
      { name: 'agent-jobs-look', cron: '* * * * *', run: () => beginDueJobs({ ...deps, runs }) },
      { name: 'agent-runs-over', cron: '41 3 * * *', run: () => dropOldRuns(database) },
    ],
    async close() {
      texts.close();
      inFlight.close();
      await opened?.close();
    },
  };
}
