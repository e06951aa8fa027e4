import { rows, seeded, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows and actions of agent jobs for the walks. */

const jobs = '/ws/api/agents/cron';
const body = () => ({ name: 'Walked', cron: '0 0 1 1 *', message: 'Look' });

const administrators = 'y y · 403 403 · 403 403 403 403 403 403';
const overseers = 'y y · 403 403 · 403 403 403 y 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const agentJobAccess = rows('/ws/api/agents', {
  'GET /cron': thing('agentJob', 's s · 403 403 · 403 403 403 s 403 403'),
  'POST /cron': thing('agentJob', administrators, body),
  'GET /cron/status': thing('agentJob', overseers),
  'GET /cron/{id}': thing('agentJob', overseers),
  'PATCH /cron/{id}': thing('agentJob', administrators, () => ({ description: 'New' })),
  'DELETE /cron/{id}': thing('agentJob', administrators),
  'POST /cron/{id}/pause': thing('agentJob', administrators),
  'POST /cron/{id}/resume': thing('agentJob', administrators),
  'POST /cron/{id}/take-over': thing('agentJob', administrators),
  'POST /cron/{id}/run': thing('agentJob', administrators),
  'GET /cron/{id}/runs': thing('agentJob', overseers),
  'GET /cron/{id}/next': thing('agentJob', overseers),
  'GET /runs': thing('agentRun', 's s · 403 403 · 403 403 403 s 403 403'),
  'GET /cron/{id}/runs/{runId}': thing('runOfJob', overseers),
  'GET /runs/{id}': thing('pendingAgent', 'y y · 404 y · 404 403 403 y 403 403'),
  'GET /runs/{id}/transcript': thing('pendingAgent', 'y y · 404 y · 404 403 403 403 403 403'),
  'GET /runs/{id}/events': thing('pendingAgent', 'y y · 404 y · 404 403 403 403 403 403'),
  'POST /runs/{id}/cancel': thing('pendingAgent', 'y y · 404 y · 404 403 403 403 403 403'),
  'POST /{agentId}/runs': thing('pendingAgent', 'y y · y y · 404 403 403 403 403 403', () => ({ message: 'Look' })),
  'GET /settings': seeded('y y y · · · y · 403 y 403 403'),
  'PUT /settings': thing('agentJob', administrators, () => ({ enabled: true })),
});

const job = (world: ActWorld) => world.made('POST', jobs, body());
const pathOf = ({ id }: { id: string }) => `${jobs}/${id}`;
const verb = (name: string, ...entries: string[]) => on(job, 'POST', (made) => `${pathOf(made)}/${name}`, undefined, ...entries);

const allowed = async (world: ActWorld) => {
  await world.made('PUT', '/ws/api/agents/settings', { enabled: true });
  await world.send('POST', '/ws/api/agents/start');
  return job(world);
};

/** The journal entries of each operation that changes something, and its call. */
export const agentJobActs: Acts = {
  [`POST ${jobs}`]: alone('POST', jobs, body(), 'agent.job.created'),
  [`PATCH ${jobs}/{id}`]: on(job, 'PATCH', pathOf, { description: 'New' }, 'agent.job.updated'),
  [`DELETE ${jobs}/{id}`]: on(job, 'DELETE', pathOf, undefined, 'agent.job.deleted'),
  [`POST ${jobs}/{id}/pause`]: verb('pause', 'agent.job.paused'),
  [`POST ${jobs}/{id}/resume`]: {
    entries: ['agent.job.resumed'],
    async prepare(world) {
      const made = await job(world);
      await world.made('POST', `${pathOf(made)}/pause`);
      return () => world.send('POST', `${pathOf(made)}/resume`);
    },
  },
  [`POST ${jobs}/{id}/take-over`]: verb('take-over', 'agent.job.taken_over'),
  [`POST ${jobs}/{id}/run`]: verb('run', 'agent.run.requested'),
  'POST /ws/api/agents/{agentId}/runs': on(allowed, 'POST', () => '/ws/api/agents/main/runs', { message: 'Look' }, 'agent.run.requested'),
  'POST /ws/api/agents/runs/{id}/cancel': {
    entries: ['agent.run.cancelled'],
    async prepare(world) {
      await allowed(world);
      // Each tool call waits for an approval, so the run does not end on its own.
      const { id } = await world.made('POST', '/ws/api/agents/', { name: 'Waits', scopes: ['documents:read'], approval: 'always' });
      const { runId } = await world.made('POST', `/ws/api/agents/${id}/runs`, { message: 'Look' });
      const path = `/ws/api/agents/runs/${runId}`;
      while ((await world.made('GET', path)).status !== 'awaiting_approval') await new Promise((resolve) => setTimeout(resolve, 20));
      return () => world.send('POST', `${path}/cancel`);
    },
  },
  'PUT /ws/api/agents/settings': alone('PUT', '/ws/api/agents/settings', { enabled: true }, 'agent.settings.changed'),
};
