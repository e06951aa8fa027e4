import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Problem } from '../problems.ts';

/** The HTTP application. The TypeBox schemas of the routes define their types. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

declare module 'fastify' {
  interface FastifyInstance {
    /** The public URL without a trailing slash. */
    baseUrl: string;
    /** Returns whether an operation with this method and path sends a file to a caller with a token. */
    sendsFile(method: string, path: string): boolean;
    /** Returns an error as a page to a browser. A domain with pages sets it. */
    problemPage: ((request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply) | null;
  }
}
