import type { Static } from 'typebox';
import { created } from '../../platform/http/responses.ts';
import { sendContent } from '../../platform/http/downloads.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { PackRow } from './queries.ts';
import * as schemas from './schemas.ts';
import { getPack, openPack, packFile, requestPack } from './service.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/evidence';
const tags = ['Evidence'];
const read = { access: { kind: 'user', scope: 'evidence:read' } } as const;

export function evidenceRoutes(app: App, storage: Storage): void {
  app.post(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'requestEvidence',
        summary: 'Request an evidence pack',
        tags,
        body: schemas.packBody,
        response: { 201: schemas.pack },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => requestPack(scope, request.body));
      return created(reply, `${prefix}/${made.id}`, present(made));
    },
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: {
        operationId: 'getEvidence',
        summary: 'Read the status of an evidence pack',
        tags,
        params: idParams,
        response: { 200: schemas.pack },
      },
    },
    async (request) => present(await getPack(reading(request), request.params.id)),
  );

  app.get(
    `${prefix}/:id/file`,
    {
      config: { ...read, sendsFile: true },
      schema: {
        operationId: 'downloadEvidence',
        summary: 'Download an evidence pack',
        tags,
        produces: ['application/zip'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      // HEAD sends no bytes and records no download.
      if (request.method === 'HEAD') return sendContent(request, reply, undefined, (await packFile(reading(request), id)).file);
      return sendContent(request, reply, storage, await writing(request, (scope) => openPack(scope, id)));
    },
  );
}

const members = { document: 'documentId', workflow: 'workflowId', signature: 'signatureRequestId' } as const;

const present = (row: PackRow): Static<typeof schemas.pack> => ({
  id: row.id,
  [members[row.subject_type]]: row.subject_id,
  include: row.network ? ['network'] : [],
  status: row.status,
  ...(row.manifest_sha256 === null ? {} : { manifestSha256: row.manifest_sha256 }),
  ...(row.size === null ? {} : { size: row.size }),
  ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
  ...(row.code === null ? {} : { code: row.code }),
  ...(row.detail === null ? {} : { detail: row.detail }),
  createdAt: row.created_at,
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
});
