import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Problem } from '../problems.ts';

/** The service's HTTP application: routes are typed by their TypeBox schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

declare module 'fastify' {
  interface FastifyInstance {
    /** The public address, without a slash at the end. */
    baseUrl: string;
    /** Answers a browser with a problem as a page. A domain with pages sets it. */
    problemPage: ((request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply) | null;
  }
}
