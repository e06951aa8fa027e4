import { Type } from 'typebox';
import { noContent } from '../../../platform/http/responses.ts';
import { distinctOn, pageQuery, sendPage } from '../../../platform/http/page.ts';
import { recordPrivilegedAccess, recordPrivilegedReads } from '../../../platform/http/privileged-access.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { formsWithSubmissions, readByRole } from '../access.ts';
import { withSubmissions } from './access.ts';
import type { Following } from '../submit/index.ts';
import { eraseByRequest, type Erasing } from './erase.ts';
import { submissionsRead } from './events.ts';
import { exportRoutes } from './exports/index.ts';
import { retrySubmission } from './retry.ts';
import * as schemas from './schemas.ts';
import { getSubmission, listSubmissions, pageWanted } from './service.ts';
import { traceSubmission } from './trace.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const prefix = '/api/v1/interfaces/:id/submissions';
const tags = ['Interfaces'];
const read = { access: { kind: 'user', scope: 'interfaces:read' } } as const;
const write = { access: { kind: 'user', scope: 'interfaces:write', roles: ['owner', 'admin', 'member'] } } as const;

/** The routes for submissions. */
export function submissionRoutes(app: App, erasing: Erasing & Following): void {
  exportRoutes(app, erasing.storage);
  app.get(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'listSubmissions',
        summary: 'List the submissions of an interface',
        tags,
        params: idParams,
        querystring: Type.Object({ ...pageQuery, ...schemas.listFilters }),
        response: { 200: Type.Array(schemas.listedSubmission) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, async (scope, { limit, cursor, ...filters }) => {
        const found = await withSubmissions(scope, request.params.id);
        const page = await listSubmissions(scope, [found.row.id], filters, pageWanted({ limit, cursor }));
        await recordPrivilegedAccess(request, submissionsRead, { id: found.row.id, ...found.access.byRole('view_submissions') });
        return page;
      }),
  );

  app.get(
    '/api/v1/submissions',
    {
      config: read,
      schema: {
        operationId: 'listTeamSubmissions',
        summary: 'List the submissions of all interfaces',
        tags,
        querystring: Type.Object({ ...pageQuery, ...schemas.listFilters }),
        response: { 200: Type.Array(schemas.listedSubmission) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, async (scope, { limit, cursor, ...filters }) => {
        const page = await listSubmissions(scope, await formsWithSubmissions(scope), filters, pageWanted({ limit, cursor }));
        await recordPrivilegedReads(request, submissionsRead, await readByRole(scope, distinctOn(page, 'interfaceId')));
        return page;
      }),
  );

  app.get(
    `${prefix}/:submissionId`,
    {
      config: read,
      schema: {
        operationId: 'getSubmission',
        summary: 'Read a submission',
        tags,
        params: schemas.submissionParams,
        response: { 200: schemas.submission },
      },
    },
    async (request) => {
      const scope = reading(request);
      const found = await withSubmissions(scope, request.params.id);
      const submission = await getSubmission(scope, found, request.params.submissionId);
      await recordPrivilegedAccess(request, submissionsRead, { id: found.row.id, ...found.access.byRole('view_submissions') });
      return submission;
    },
  );

  app.get(
    `${prefix}/:submissionId/trace`,
    {
      config: read,
      schema: {
        operationId: 'traceSubmission',
        summary: 'Trace the results of a submission',
        tags,
        params: schemas.submissionParams,
        response: { 200: schemas.trace },
      },
    },
    async (request) => {
      const scope = reading(request);
      const found = await withSubmissions(scope, request.params.id);
      const traced = await traceSubmission(scope, found, request.params.submissionId);
      await recordPrivilegedAccess(request, submissionsRead, { id: found.row.id, ...found.access.byRole('view_submissions') });
      return traced;
    },
  );

  app.delete(
    `${prefix}/:submissionId`,
    {
      config: write,
      schema: {
        operationId: 'eraseSubmission',
        summary: 'Erase a submission',
        tags,
        params: schemas.submissionParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => eraseByRequest(erasing, scope, request.params.id, request.params.submissionId)),
  );

  app.post(
    `${prefix}/:submissionId/retry`,
    {
      config: write,
      schema: {
        operationId: 'retrySubmission',
        summary: 'Retry the failed effects of a submission',
        tags,
        params: schemas.submissionParams,
        response: { 200: schemas.submission },
      },
    },
    (request) => writing(request, (scope) => retrySubmission(erasing, scope, request.params.id, request.params.submissionId)),
  );
}
