import { Type } from 'typebox';
import type { App } from '../../platform/http/server.ts';
import { readAuditedAgain } from './request-context.ts';
import { templateVersion, versionSummary } from './schemas.ts';
import { getVersion, listVersions } from './versions.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/document-templates/:id/versions';
const tags = ['Document templates'];
const read = { access: { kind: 'user', scope: 'documents:read' } } as const;

/** Routes of a template’s versions. */
export function versionRoutes(app: App): void {
  app.get(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'listDocumentTemplateVersions',
        summary: 'List the versions of a document template',
        tags,
        params: idParams,
        response: { 200: Type.Array(versionSummary) },
      },
    },
    async (request) => readAuditedAgain(request, request.params.id, listVersions),
  );

  app.get(
    `${prefix}/:version`,
    {
      config: read,
      schema: {
        operationId: 'getDocumentTemplateVersion',
        summary: 'Read a version of a document template',
        tags,
        params: Type.Object({
          id: Type.String(),
          version: Type.String({ description: 'The number of a version' }),
        }),
        response: { 200: templateVersion },
      },
    },
    async (request) => readAuditedAgain(request, request.params.id, (scope, found) => getVersion(scope, found, request.params.version)),
  );
}
