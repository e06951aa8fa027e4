import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { equalInConstantTime, tokenHash } from '../../platform/crypto/tokens.ts';
import type { App } from '../../platform/http/server.ts';
import { problems } from '../../platform/problems.ts';
import { closed } from '../../platform/schema-parts.ts';
import type { Bounces } from './service.ts';

/** Maximum size of a report. Chancery asks mail servers to return only the headers of a mail. */
const bodyLimit = 256 * 1024;

/** @param bounces undefined if `BOUNCE_ADDRESS` is not set */
export function bounceRoutes(app: App, bounces: Bounces | undefined, token: string | undefined): void {
  app.register(async (scoped) => reportRoute(mailBodies(scoped, token), bounces));
}

/** Accepts only mails in this scope, and checks the token before the body is read. */
function mailBodies(mails: App, token: string | undefined): App {
  mails.removeAllContentTypeParsers();
  mails.addContentTypeParser('message/rfc822', { parseAs: 'buffer', bodyLimit }, (_request, bytes, done) => done(null, bytes));
  mails.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => {
    done(problems.unsupported_media_type('Send the message as `Content-Type: message/rfc822`.'));
  });
  mails.addHook('onRequest', async (request) => requireToken(request, token));
  return mails;
}

function reportRoute(mails: App, bounces: Bounces | undefined): void {
  mails.post(
    '/api/v1/mail/bounces',
    {
      config: { access: { kind: 'public' } },
      bodyLimit,
      schema: {
        operationId: 'reportBounce',
        summary: 'Report an undelivered mail',
        tags: ['Operation'],
        consumes: ['message/rfc822'],
        querystring: Type.Object({
          recipient: Type.String({
            minLength: 1,
            maxLength: 320,
            description: 'The address to which the report was delivered: the envelope sender of the undelivered mail',
          }),
        }),
        response: {
          200: Type.Object(
            { recorded: Type.Boolean({ description: 'Whether the message reports a failure that was not yet recorded' }) },
            { ...closed, title: 'BounceReport' },
          ),
        },
      },
    },
    async (request) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return { recorded: (await bounces?.receive(request.query.recipient, bytes)) ?? false };
    },
  );
}

/** Requires the token of the mail system. Throws 401, also if no token is configured. */
function requireToken({ headers }: FastifyRequest, token: string | undefined): void {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined && given !== undefined && equalInConstantTime(tokenHash(given), tokenHash(token))) return;
  throw problems.invalid_token('Reports of mail servers require BOUNCE_TOKEN as `Authorization: Bearer <token>`.', {
    headers: { 'www-authenticate': 'Bearer realm="bounces"' },
  });
}
