import type { Database } from '../../platform/database/database.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import type { App } from '../../platform/http/server.ts';
import type { Credentials } from '#credentials';
import { verified, verifyBody } from './schemas.ts';
import { verifyDocument } from './service.ts';

const prefix = '/api/v1/issued-documents';

export function issuedDocumentRoutes(app: App, deps: { database: Database; throttle: Credentials['throttle'] }): void {
  app.post(
    `${prefix}/verify`,
    {
      config: { access: { kind: 'public' } },
      schema: {
        operationId: 'verifyDocument',
        summary: 'Verify an issued document',
        tags: ['Public interfaces'],
        body: verifyBody,
        response: { 200: verified },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return verifyDocument(deps, { ...request.body, ip: clientIp(request) });
    },
  );
}
