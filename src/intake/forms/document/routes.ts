import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IssuedDocuments } from '#issued-documents';
import type { App } from '../../../platform/http/server.ts';
import { tokenParams } from '../public-schemas.ts';
import { findSession, sessionToken } from '../submit/index.ts';
import { visit } from '../visitor.ts';
import { submissionStatus as status } from './schemas.ts';
import { type Asking, submissionPdf, submissionStatus } from './service.ts';

const prefix = '/api/v1/interfaces/public/:token/submission';
const tags = ['Public interfaces'];
const link = { access: { kind: 'link' } } as const;
const params = tokenParams;

/** The routes for the document of a session. */
export function documentRoutes(app: App, { send }: Pick<IssuedDocuments, 'send'>): void {
  app.get(
    `${prefix}/status`,
    {
      config: link,
      schema: {
        operationId: 'getSubmissionStatus',
        summary: 'Read the document status of a submission',
        tags,
        params,
        response: { 200: status },
      },
    },
    async (request, reply) => submissionStatus(await asking(request, reply, request.params.token)),
  );

  app.get(
    `${prefix}/pdf`,
    {
      config: { ...link, sendsFile: true },
      schema: {
        operationId: 'downloadSubmissionPdf',
        summary: 'Download the PDF of a submission',
        tags,
        params,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      const { file, name } = await submissionPdf(await asking(request, reply, request.params.token));
      return send(request, reply, file, name);
    },
  );
}

/** Resolves the request. It also accepts a replaced link and a closed form, because visitors keep access to their own answers. */
async function asking(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Asking> {
  reply.header('cache-control', 'no-store');
  const { database } = request.server;
  const visited = await visit(database, { channel: 'public', token });
  const db = database.reader(visited.team);
  return { db, team: visited.team, session: await findSession({ db }, visited, sessionToken(request)) };
}
