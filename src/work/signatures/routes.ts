import multipart from '@fastify/multipart';
import { addressBlock, clientIp } from '../../platform/http/client-ip.ts';
import type { App } from '../../platform/http/server.ts';
import { receiveUpload, required, withUpload } from '../../platform/http/uploads.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { verdict } from './schemas.ts';
import type { Verifying } from './service.ts';

const maxFileBytes = 25 * 1024 * 1024;

/** The public route that verifies the signatures of an uploaded file. */
export function signatureRoutes({ storage, verifying }: { storage: Storage; verifying: Verifying }) {
  return async (app: App): Promise<void> => {
    await app.register(multipart, { limits: { files: 2, fields: 2, fieldSize: 1_024, fileSize: maxFileBytes + 1, parts: 4 } });
    const admit = (ip: string): number => {
      verifying.spend(addressBlock(ip));
      return maxFileBytes;
    };
    app.addHook('preValidation', receiveUpload({ storage, maxBytesOf: (request) => admit(clientIp(request)) }));
    app.post(
      '/api/v1/signatures/verify',
      {
        config: { access: { kind: 'public' } },
        attachValidation: true,
        schema: {
          operationId: 'verifySignedFile',
          summary: 'Verify the signatures of a PDF',
          tags: ['Public interfaces'],
          consumes: ['multipart/form-data'],
          response: { 200: verdict },
        },
      },
      (request, reply) => {
        reply.header('cache-control', 'no-store');
        return withUpload(
          request,
          storage,
          async (sent) => {
            const { key, sha256 } = required(sent);
            try {
              return await verifying.verify({ sha256, open: () => storage.read(key) });
            } finally {
              // The upload was stored for this request only.
              await storage.remove(key);
            }
          },
          async () => false,
        );
      },
    );
  };
}
