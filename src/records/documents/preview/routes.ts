import { Type } from 'typebox';
import { sendContent } from '../../../platform/http/downloads.ts';
import { principalOf, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { isTeamManager } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { versionNumber } from '../schemas.ts';
import { versionOf } from '../versions.ts';
import { openPreview } from './service.ts';
import { idParams } from '../../../platform/schema-parts.ts';

export function previewRoutes(app: App, prefix: string, storage: Storage): void {
  app.get(
    `${prefix}/:id/preview`,
    {
      config: { access: { kind: 'user', scope: 'documents:read' }, sendsFile: true },
      schema: {
        operationId: 'previewDocument',
        summary: 'Download the preview image of a document',
        tags: ['Documents'],
        params: idParams,
        produces: ['image/webp'],
        querystring: Type.Object({ version: Type.Optional(versionNumber) }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { version } = request.query;
      const head = request.method === 'HEAD';
      // The journal records reads that an administrator makes by role alone.
      const recorded = isTeamManager(principalOf(request).actor) && !head;
      const scope = reading(request);
      const found = await (recorded
        ? writing(request, async (one) => openPreview(one, await versionOf(one, id, version)))
        : openPreview(scope, await versionOf(scope, id, version)));
      return sendContent(request, reply, head ? undefined : storage, found);
    },
  );
}
