import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../scope.ts';
import type { Versioned } from '../versioned.ts';
import { withEtag } from './etag.ts';
import { writing } from './scope.ts';

/** Runs a change and answers with the thing as it is then, under its ETag. See {@link writing}. */
export function changing<T>(request: FastifyRequest, reply: FastifyReply, work: (scope: Scope) => Promise<Versioned<T>>): Promise<T> {
  return withEtag(reply, writing(request, work));
}

/**
 * The same for a thing that is made: answers 201, and says where the thing is. `path` is the path of its kind, such as
 * `/api/v1/tasks/:id`, whose names are members of the thing.
 */
export async function creating<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  work: (scope: Scope) => Promise<Versioned<T>>,
): Promise<T> {
  const made = await changing(request, reply, work);
  const members = new Map(Object.entries(made));
  const location = path.replaceAll(/:(\w+)/g, (_, name: string) => String(members.get(name)));
  return created(reply, location, made);
}

/** Runs a change that leaves nothing to show, and answers 204. */
export async function noContent(request: FastifyRequest, reply: FastifyReply, work: (scope: Scope) => Promise<unknown>): Promise<null> {
  await writing(request, work);
  reply.code(204);
  return null;
}

/**
 * Answers with a value as it is, written at once: what holds thousands of things takes several times as long by a serializer that is
 * made of the schema. The value has to have no members beside those of the schema.
 */
export function sendWhole(reply: FastifyReply, value: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').serializer(String).send(JSON.stringify(value));
}

/** Answers 201 with where the new thing is. */
export function created<T>(reply: FastifyReply, location: string, value: T): T {
  reply.code(201).header('location', location);
  return value;
}

/** Says where the thing is that was changed, in an answer that shows another (RFC 8288). */
export function linkSelf(reply: FastifyReply, request: FastifyRequest, path: string): void {
  reply.header('link', `<${request.server.baseUrl}${path}>; rel="self"`);
}

/** A `preValidation` hook of operations whose body may be left out: none is an empty object. */
export async function noBodyIsEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
