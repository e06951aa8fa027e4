import { Type } from 'typebox';
import { answerPage, idOfCursor } from '../../platform/http/page.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import { recordPrivilegedAccess } from '../../platform/http/privileged-access.ts';
import type { App } from '../../platform/http/server.ts';
import { runRead } from './events.ts';
import { jobManagers, jobReaders, prefix, runReaders, runStarters, runUsers, tags } from './request-context.ts';
import type { Runs } from './run-job.ts';
import { cancelRun, getRun, getRunOf, getTranscript, historyOf, listRuns, requestAgentRun, requestRun } from './runs.ts';
import * as schemas from './schemas.ts';
import { idParams } from '../../platform/schema-parts.ts';

const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'The maximum number; 20 by default' })),
  cursor: Type.Optional(Type.String({ maxLength: 400, description: 'The start of the page, from the `Link` header of the previous page' })),
};
type Query = { limit?: number; cursor?: string };
const uuid = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }));

const pageOf = ({ limit = 20, cursor }: Query) => ({ limit, before: idOfCursor(cursor) });
const keyOf = ({ id }: { id: string }) => [id];

/** The routes of runs: read, start and cancel them. */
export function runRoutes(app: App, runs: Runs): void {
  app.get(
    `${prefix}/cron/:id/runs`,
    {
      config: jobReaders,
      schema: {
        operationId: 'listAgentJobRuns',
        summary: 'List the runs of a job',
        tags,
        params: idParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.run) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = pageOf(query);
        return { found: await historyOf(reading(request), request.params.id, page), limit: page.limit, keyOf };
      }),
  );

  app.get(
    `${prefix}/runs`,
    {
      config: jobReaders,
      schema: {
        operationId: 'listAgentRuns',
        summary: 'List the runs of agents',
        tags,
        querystring: Type.Object({
          ...pageQuery,
          jobId: uuid('Only runs of this job, even if it was deleted'),
          agentId: uuid('Only runs of this agent; ignored with `jobId`'),
        }),
        response: { 200: Type.Array(schemas.run) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async ({ jobId, agentId, ...query }) => {
        const page = pageOf(query);
        return { found: await listRuns(reading(request), { jobId, agentId }, page), limit: page.limit, keyOf };
      }),
  );

  app.get(
    `${prefix}/runs/:id`,
    {
      config: runReaders,
      schema: { operationId: 'getAgentRun', summary: 'Read a run', tags, params: idParams, response: { 200: schemas.run } },
    },
    (request) => getRun(reading(request), request.params.id),
  );

  app.get(
    `${prefix}/cron/:id/runs/:runId`,
    {
      config: jobReaders,
      schema: {
        operationId: 'getAgentJobRun',
        summary: 'Read a run of a job',
        tags,
        params: Type.Object({ id: Type.String(), runId: Type.String() }),
        response: { 200: schemas.run },
      },
    },
    (request) => getRunOf(reading(request), request.params.id, request.params.runId),
  );

  app.get(
    `${prefix}/runs/:id/transcript`,
    {
      config: runUsers,
      schema: {
        operationId: 'getAgentTranscript',
        summary: 'Read the transcript of a run',
        tags,
        params: idParams,
        response: { 200: schemas.transcript },
      },
    },
    async (request) => {
      const { transcript, via } = await getTranscript(reading(request), request.params.id);
      await recordPrivilegedAccess(request, runRead, { id: request.params.id, via });
      return transcript;
    },
  );

  app.post(
    `${prefix}/runs/:id/cancel`,
    {
      config: runUsers,
      schema: {
        operationId: 'cancelAgentRun',
        summary: 'Cancel a run',
        tags,
        params: idParams,
        response: { 202: schemas.requested },
      },
    },
    async (request, reply) => {
      const cancelled = await writing(request, (scope) => cancelRun(scope, request.params.id));
      reply.code(202);
      return cancelled;
    },
  );

  app.post(
    `${prefix}/:agentId/runs`,
    {
      config: runStarters,
      bodyLimit: 128 * 1024,
      schema: {
        operationId: 'runAgent',
        summary: 'Start a run of an agent',
        tags,
        params: Type.Object({ agentId: Type.String({ description: 'The identifier of an agent, or `main`' }) }),
        body: schemas.requestBody,
        response: { 202: schemas.requested },
      },
    },
    async (request, reply) => {
      const requested = await writing(request, (scope) => requestAgentRun(runs, scope, request.params.agentId, request.body));
      reply.code(202);
      return requested;
    },
  );

  app.post(
    `${prefix}/cron/:id/run`,
    {
      config: jobManagers,
      schema: {
        operationId: 'runAgentJob',
        summary: 'Start a run of a job',
        tags,
        params: idParams,
        response: { 202: schemas.requested },
      },
    },
    async (request, reply) => {
      const requested = await writing(request, (scope) => requestRun(runs, scope, request.params.id));
      reply.code(202);
      return requested;
    },
  );
}
