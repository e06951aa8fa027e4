import type { FastifyReply, FastifyRequest } from 'fastify';
import { definitionLimits } from '#fields';
import { createChallenge } from '../../../platform/crypto/altcha.ts';
import { warn } from '../../../platform/http/known-members.ts';
import type { App } from '../../../platform/http/server.ts';
import { tokenParams } from '../public-schemas.ts';
import { requireOpen, visit } from '../visitor.ts';
import type { Submitting } from './context.ts';
import { sessionToken, showSession, visiting } from './request-context.ts';
import * as schemas from './schemas.ts';
import { proofAction } from './proofs.ts';
import { bookingOfSession, submit } from './service.ts';
import { findSession } from './sessions.ts';

const prefix = '/api/v1/interfaces';
const tags = ['Public interfaces'];
const link = { access: { kind: 'link' } } as const;
const once = { ...link, storesResponse: true } as const;
/** The maximum size of the answers plus 32 KiB for the proof of work. */
const bodyLimit = definitionLimits.dataBytes + 32 * 1024;

export function submitRoutes(app: App, context: Submitting): void {
  bookingRoute(app, context);
  app.get(
    `${prefix}/public/:token/altcha`,
    {
      config: link,
      schema: {
        operationId: 'getInterfaceChallenge',
        summary: 'Get a proof-of-work challenge of a form',
        tags,
        params: tokenParams,
        querystring: schemas.challengeQuery,
        response: { 200: schemas.challenge },
      },
    },
    async (request) => {
      const visited = await visit(app.database, { channel: 'public', token: request.params.token });
      requireOpen(visited, app.clock());
      return createChallenge({
        key: context.proofKey,
        now: app.clock(),
        version: request.query.v === 2 ? 2 : 1,
        action: proofAction(visited),
      });
    },
  );

  app.post(
    `${prefix}/public/:token/submit`,
    {
      config: once,
      bodyLimit,
      schema: {
        operationId: 'submitPublicInterface',
        summary: 'Submit a form by its public link',
        tags,
        params: tokenParams,
        body: schemas.submitBody,
        response: { 200: schemas.publicResult },
      },
    },
    async (request, reply) => {
      const at = { channel: 'public', token: request.params.token } as const;
      const { token, submissionId, hasSession, message } = await submitted(request, reply, context, at);
      showSession(reply, app.baseUrl, at, token);
      return { success: true, submissionId, hasSession, message };
    },
  );

  app.post(
    `${prefix}/api/:token/submit`,
    {
      config: once,
      bodyLimit,
      schema: {
        operationId: 'submitApiInterface',
        summary: 'Submit a form as a program',
        tags,
        params: tokenParams,
        body: schemas.submitBody,
        response: { 200: schemas.apiResult },
      },
    },
    async (request, reply) => {
      const { submissionId, recordId } = await submitted(request, reply, context, { channel: 'api', token: request.params.token });
      return { success: true, submissionId, ...(recordId === undefined ? {} : { bindingRecordId: recordId }) };
    },
  );
}

function bookingRoute(app: App, context: Submitting): void {
  app.get(
    `${prefix}/public/:token/submission/booking`,
    {
      config: link,
      schema: {
        operationId: 'getSubmissionBooking',
        summary: 'Read the booking of a session',
        tags,
        params: tokenParams,
        response: { 200: schemas.bookingOfSession },
      },
    },
    async (request) => {
      const visited = await visit(app.database, { channel: 'public', token: request.params.token });
      const db = app.database.reader(visited.team);
      return bookingOfSession(
        context,
        { db, team: visited.team, now: app.clock() },
        await findSession({ db }, visited, sessionToken(request)),
      );
    },
  );
}

type Submits = FastifyRequest<{ Params: { token: string }; Body: schemas.SubmitBody }>;

/** Submits answers. The contract accepts any member of `data`, so an unknown one is named in a `Warning` header. */
async function submitted(request: Submits, reply: FastifyReply, context: Submitting, at: Parameters<typeof showSession>[2]) {
  const { altcha, ...sent } = request.body;
  const result = await visiting(request, context, { link: at, fingerprint: sent, counted: true }, (visited) =>
    submit(context, visited, { ...sent, altcha, accepted: request.headers['accept-language'] }),
  );
  const { ignored = [] } = result;
  if (ignored.length > 0) warn(reply, `Ignored answers: ${ignored.map(({ name, reason }) => `${name} ${reason}`).join(', ')}`);
  return result;
}
