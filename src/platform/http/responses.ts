import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../scope.ts';
import type { Versioned } from '../versioned.ts';
import { withEtag } from './etag.ts';
import { writing } from './scope.ts';

/** Runs a change and returns the changed resource with its ETag. See {@link writing}. */
export function changing<T>(request: FastifyRequest, reply: FastifyReply, work: (scope: Scope) => Promise<Versioned<T>>): Promise<T> {
  return withEtag(reply, writing(request, work));
}

/**
 * Like {@link changing}, for a new resource: responds 201 with its `Location`. `path` is the path pattern of the resource, such as
 * `/api/v1/tasks/:id`, whose parameters are members of the resource.
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

/** Runs a change without a result and responds 204. */
export async function noContent(request: FastifyRequest, reply: FastifyReply, work: (scope: Scope) => Promise<unknown>): Promise<null> {
  await writing(request, work);
  reply.code(204);
  return null;
}

/**
 * Sends a value with JSON.stringify. For thousands of items this is several times faster than the schema serializer.
 * The value must not have members outside the schema.
 */
export function sendWhole(reply: FastifyReply, value: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').serializer(String).send(JSON.stringify(value));
}

/** Responds 201 with the `Location` of the new resource. */
export function created<T>(reply: FastifyReply, location: string, value: T): T {
  reply.code(201).header('location', location);
  return value;
}

/** Links to the changed resource in a response that shows something else (RFC 8288). */
export function linkSelf(reply: FastifyReply, request: FastifyRequest, path: string): void {
  reply.header('link', `<${request.server.baseUrl}${path}>; rel="self"`);
}

/** A `preValidation` hook for operations with an optional body: a missing body becomes an empty object. */
export async function noBodyIsEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
