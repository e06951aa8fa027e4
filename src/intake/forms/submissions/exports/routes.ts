import type { Static } from 'typebox';
import { created } from '../../../../platform/http/responses.ts';
import { sendContent } from '../../../../platform/http/downloads.ts';
import { recordPrivilegedAccess } from '../../../../platform/http/privileged-access.ts';
import { reading, writing } from '../../../../platform/http/scope.ts';
import type { App } from '../../../../platform/http/server.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { submissionsRead } from '../events.ts';
import type { ExportRow } from './queries.ts';
import * as schemas from './schemas.ts';
import { exportFile, getExport, requestExport } from './service.ts';
import { idParams } from '../../../../platform/schema-parts.ts';

const prefix = '/api/v1/interfaces/:id/submissions/exports';
const tags = ['Interfaces'];
const read = { access: { kind: 'user', scope: 'interfaces:read' } } as const;

/** The routes for exports. */
export function exportRoutes(app: App, storage: Storage): void {
  app.post(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'exportSubmissions',
        summary: 'Export submissions as CSV or JSON',
        tags,
        params: idParams,
        body: schemas.exportBody,
        response: { 201: schemas.submissionExport },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const made = await writing(request, (scope) => requestExport(scope, id, request.body));
      return created(reply, `/api/v1/interfaces/${made.interface_id}/submissions/exports/${made.id}`, present(made));
    },
  );

  app.get(
    `${prefix}/:exportId`,
    {
      config: read,
      schema: {
        operationId: 'getSubmissionExport',
        summary: 'Read the status of an export',
        tags,
        params: schemas.exportParams,
        response: { 200: schemas.submissionExport },
      },
    },
    async (request) => present(await getExport(reading(request), request.params.id, request.params.exportId)),
  );

  app.get(
    `${prefix}/:exportId/file`,
    {
      config: { ...read, sendsFile: true },
      schema: {
        operationId: 'downloadSubmissionExport',
        summary: 'Download the file of an export',
        tags,
        produces: ['text/csv', 'application/json'],
        params: schemas.exportParams,
      },
    },
    async (request, reply) => {
      const { via, ...file } = await exportFile(reading(request), request.params.id, request.params.exportId);
      // A HEAD request reads no content, so no access is recorded.
      if (request.method === 'HEAD') return sendContent(request, reply, undefined, file);
      await recordPrivilegedAccess(request, submissionsRead, { id: file.interfaceId, via });
      return sendContent(request, reply, storage, file);
    },
  );
}

const present = (row: ExportRow): Static<typeof schemas.submissionExport> => ({
  id: row.id,
  interfaceId: row.interface_id,
  format: row.format,
  ...row.dialect,
  filters: row.filters,
  status: row.status,
  ...(row.submissions === null ? {} : { submissions: row.submissions }),
  ...(row.size === null ? {} : { size: row.size }),
  ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
  ...(row.code === null ? {} : { code: row.code }),
  ...(row.detail === null ? {} : { detail: row.detail }),
  createdBy: row.created_by,
  createdByType: row.created_by_type,
  createdAt: row.created_at,
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
});
