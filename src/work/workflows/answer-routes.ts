import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OpenWebhooks } from '#webhooks';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { problems } from '../../platform/problems.ts';
import { answerStep } from './step-callbacks.ts';

const bodyLimit = 16 * 1024;

/** Registers the callback route of waiting steps. The signature covers the bytes of the body, so the route has a separate parser. */
export function answerRoute(app: App, webhooks: OpenWebhooks): void {
  const bytesOf = new WeakMap<FastifyRequest, Buffer>();
  app.register(async (scoped) => {
    const answers = scoped as unknown as App;
    answers.removeAllContentTypeParsers();
    answers.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
      try {
        bytesOf.set(request, bytes as Buffer);
        done(null, parseJsonBody(bytes as Buffer));
      } catch (error) {
        done(error as Error);
      }
    });
    answers.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => {
      done(problems.unsupported_media_type('Send the body as `Content-Type: application/json`.'));
    });
    answers.post(
      '/api/v1/workflows/:id/steps/:stepId/answer',
      {
        config: { access: { kind: 'public' } },
        bodyLimit,
        schema: {
          operationId: 'completeWorkflowStep',
          summary: 'Complete a waiting step as webhook endpoint',
          tags: ['Workflows'],
          params: Type.Object({ id: Type.String(), stepId: Type.String() }),
          headers: Type.Object({
            'webhook-id': Type.String({ maxLength: 200, description: 'The nonce of the event' }),
            'webhook-timestamp': Type.String({ maxLength: 20, description: 'Unix time of sending' }),
            'webhook-signature': Type.String({ maxLength: 2_000, description: '`v1,` and the signature, as in Standard Webhooks' }),
          }),
          body: Type.Object({ outcome: Type.String({ maxLength: 100 }) }),
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = request.headers;
        const answer = { id, timestamp, signatures, body: bytesOf.get(request) ?? Buffer.alloc(0) };
        await writingPublic(request, (scope) => answerStep(scope, webhooks, request.params, { answer, outcome: request.body.outcome }));
        return reply.code(204).send(null);
      },
    );
  });
}
