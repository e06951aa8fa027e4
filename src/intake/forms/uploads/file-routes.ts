import { sendContent } from '../../../platform/http/downloads.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { fileHead, openFile } from './files.ts';
import { fileParams } from './schemas.ts';

const tags = ['Interfaces'];
const read = { access: { kind: 'user', scope: 'interfaces:read' } } as const;

/** The route for files of submissions. */
export function fileRoutes(app: App, storage: Storage): void {
  app.get(
    '/api/v1/interfaces/:id/submissions/:submissionId/files/:fileId',
    {
      config: { ...read, sendsFile: true },
      schema: {
        operationId: 'downloadSubmissionFile',
        summary: 'Download a file of a submission',
        tags,
        params: fileParams,
        // Visitors can upload any type.
        produces: ['*/*'],
      },
    },
    async (request, reply) => {
      // A HEAD request reads no content, so nothing is recorded.
      if (request.method === 'HEAD') return sendContent(request, reply, undefined, await fileHead(reading(request), request.params));
      const file = await writing(request, (scope) => openFile(scope, request.params));
      return sendContent(request, reply, storage, file);
    },
  );
}
