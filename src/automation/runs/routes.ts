import { Type } from 'typebox';
import { changing, creating } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, pageQuery, placedPage } from '../../platform/http/page.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { jobManagers, jobReaders, prefix, tags } from './request-context.ts';
import * as schemas from './schemas.ts';
import { createJob, deleteJob, getJob, listJobs, schedulerStatus, switchJob, takeOver, upcomingTimes, updateJob } from './service.ts';
import { idParams } from '../../platform/schema-parts.ts';

const cron = `${prefix}/cron`;
const params = idParams;
const bodyLimit = 128 * 1024;

/** The routes of jobs: the schedules of agents and their instructions. */
export function jobRoutes(app: App): void {
  lists(app);
  changes(app);
  switches(app);
}

function lists(app: App): void {
  app.get(
    cron,
    {
      config: jobReaders,
      schema: {
        operationId: 'listAgentJobs',
        summary: 'List the jobs of agents',
        tags,
        querystring: Type.Object({
          ...pageQuery,
          ...changeQuery,
          agentId: Type.Optional(Type.String({ description: 'Only jobs of this agent' })),
        }),
        response: { 200: Type.Array(schemas.job) },
      },
    },
    (request, reply) =>
      placedPage(reply, request, async ({ agentId, ...query }) => {
        const page = changePage(query, 1_000);
        return { found: await listJobs(reading(request), page, agentId), limit: page.limit };
      }),
  );

  app.get(
    `${cron}/status`,
    {
      config: jobReaders,
      schema: {
        operationId: 'getAgentSchedulerStatus',
        summary: 'Read the status of the scheduler',
        tags,
        response: { 200: schemas.status },
      },
    },
    (request) => schedulerStatus(reading(request)),
  );

  app.get(
    `${cron}/:id`,
    { config: jobReaders, schema: { operationId: 'getAgentJob', summary: 'Read a job', tags, params, response: { 200: schemas.job } } },
    (request, reply) => withEtag(reply, getJob(reading(request), request.params.id)),
  );

  app.get(
    `${cron}/:id/next`,
    {
      config: jobReaders,
      schema: {
        operationId: 'previewAgentJob',
        summary: 'Preview the next times of a job',
        tags,
        params,
        querystring: Type.Object({
          count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'The number of times; 5 by default' })),
        }),
        response: { 200: schemas.upcoming },
      },
    },
    (request) => upcomingTimes(reading(request), request.params.id, request.query.count ?? 5),
  );
}

function changes(app: App): void {
  app.post(
    cron,
    {
      config: jobManagers,
      bodyLimit,
      schema: { operationId: 'createAgentJob', summary: 'Create a job', tags, body: schemas.createBody, response: { 201: schemas.job } },
    },
    (request, reply) => creating(request, reply, `${cron}/:id`, (scope) => createJob(scope, request.body)),
  );

  app.patch(
    `${cron}/:id`,
    {
      config: { ...jobManagers, requiresIfMatch: true },
      bodyLimit,
      schema: {
        operationId: 'updateAgentJob',
        summary: 'Change a job',
        tags,
        params,
        body: schemas.updateBody,
        response: { 200: schemas.job },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updateJob(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.delete(
    `${cron}/:id`,
    {
      config: { ...jobManagers, requiresIfMatch: true },
      schema: { operationId: 'deleteAgentJob', summary: 'Delete a job', tags, params, response: { 200: schemas.deleted } },
    },
    (request) => writing(request, (scope) => deleteJob(scope, request.params.id, ifMatch(request))),
  );
}

function switches(app: App): void {
  app.post(
    `${cron}/:id/pause`,
    {
      config: { ...jobManagers, requiresIfMatch: true },
      schema: { operationId: 'pauseAgentJob', summary: 'Pause a job', tags, params, response: { 200: schemas.job } },
    },
    (request, reply) => changing(request, reply, (scope) => switchJob(scope, request.params.id, false, ifMatch(request))),
  );

  app.post(
    `${cron}/:id/resume`,
    {
      config: { ...jobManagers, requiresIfMatch: true },
      schema: { operationId: 'resumeAgentJob', summary: 'Resume a job', tags, params, response: { 200: schemas.job } },
    },
    (request, reply) => changing(request, reply, (scope) => switchJob(scope, request.params.id, true, ifMatch(request))),
  );

  app.post(
    `${cron}/:id/take-over`,
    {
      config: { ...jobManagers, requiresIfMatch: true },
      schema: { operationId: 'takeOverAgentJob', summary: 'Take over a job', tags, params, response: { 200: schemas.job } },
    },
    (request, reply) => changing(request, reply, (scope) => takeOver(scope, request.params.id, ifMatch(request))),
  );
}
