import type { Servers, ShareEnds } from '#agents';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import type { RunConfig } from './config.ts';
import { consentRoutes } from './consent/index.ts';
import { approvalExpiry } from './approvals/index.ts';
import { deliveryJob } from './delivery/index.ts';
import { performer } from './execution.ts';
import { openInHand } from './in-flight-jobs.ts';
import { createLoop } from './loop/index.ts';
import { openModel } from './model/index.ts';
import { jobRoutes } from './routes.ts';
import { placesJob, runJob } from './run-job.ts';
import { runRoutes } from './run-routes.ts';
import { openFollowers, openTexts } from './stream/index.ts';
import { stepOverJob } from './workflow-steps/index.ts';
import { streamRoutes } from './stream-routes.ts';
import { endWithoutRights } from './revoked-runs.ts';
import { createScheduler, dropOldRuns, unreadableJob } from './scheduler-jobs.ts';

export async function open(
  platform: Platform,
  { agents: { servers, onShareEnd } }: { agents: { servers: Servers; onShareEnd: (end: ShareEnds) => void } },
  config: RunConfig,
): Promise<OpenedDomain<undefined>> {
  const { database, listener, listeners, log, clock, tools, masterKey } = platform;
  const { atOnce, model } = config;
  const runs = { atOnce, model };
  onShareEnd((scope, agent) => endWithoutRights(scope, { agent }));
  const followers = await openFollowers(listener, database);
  const texts = await openTexts({ database, listener });
  const inHand = await openInHand({ database, listener });
  const asked = model === undefined ? undefined : openModel(model);
  if (model?.protocol === 'simulated') log.warn('AGENT_MODEL_PROTOCOL is simulated: agents get canned answers, and no model is asked');
  const work = createLoop({
    database,
    listeners,
    clock,
    places: masterKey.box('agent-list-cursors'),
    tools,
    servers,
    config,
    ask: asked?.ask,
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
      openJob(runJob, performer({ database, listeners, clock, runs, work, inHand })),
      openJob(placesJob, { database, atOnce }),
      openJob(deliveryJob, { database, listeners, clock, baseUrl: platform.config.BASE_URL }),
      openJob(stepOverJob, { database, listeners, clock }),
      openJob(approvalExpiry, { database, listeners, clock }),
      openJob(unreadableJob, { database, listeners, clock }),
    ],
    workers: [{ name: 'agent-scheduler', start: () => createScheduler({ database, listener, log, clock, runs }).start() }],
    periodic: [{ name: 'agent-runs-over', cron: '41 3 * * *', run: () => dropOldRuns(database) }],
    async close() {
      texts.close();
      inHand.close();
      await asked?.close();
    },
  };
}
