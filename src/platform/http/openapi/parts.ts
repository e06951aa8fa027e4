import { problemCatalogue } from '../../problems.ts';
import type { Json } from './schemas.ts';

/** What the description refers to from many places: errors, headers, credentials. */

const problem: Json = {
  title: 'Problem',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'trace_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page about the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What to do' },
    instance: { type: 'string' },
    code: { title: 'ProblemCode', type: 'string' },
    request_id: { type: 'string', description: 'Finds the request in the logs, and in the journal what it changed' },
    trace_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        title: 'FieldError',
        type: 'object',
        properties: {
          name: { type: 'string' },
          pointer: { type: 'string', description: 'JSON pointer (RFC 6901)' },
          reason: { type: 'string' },
          rule: { type: 'string' },
        },
      },
    },
  },
  additionalProperties: true,
};

const refreshError: Json = {
  title: 'RefreshError',
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    error_description: { type: 'string' },
    code: { title: 'ProblemCode', type: 'string' },
    status: { type: 'integer' },
    request_id: { type: 'string' },
  },
  additionalProperties: true,
};

const tokenError: Json = {
  title: 'TokenError',
  type: 'object',
  required: ['error', 'error_description'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  additionalProperties: false,
};

const errors = {
  problem: { description: 'A problem document (RFC 9457)', type: 'application/problem+json', schema: problem },
  oauth: { description: 'Refused', type: 'application/json', schema: refreshError },
  rfc6749: { description: 'Refused (RFC 6749 §5.2)', type: 'application/json', schema: tokenError },
} as const;

export type ErrorShape = keyof typeof errors;

/** Statuses whose meaning is the same everywhere, by the names of their responses. */
const shared: Record<string, { name: string; description: string; headers?: Record<string, Json> }> = {
  '400': { name: 'BadRequest', description: 'The request does not fit; `errors` names each member by a JSON pointer' },
  '401': { name: 'Unauthorized', description: 'No token, or one that has ended: refresh, or sign in again' },
  '403': { name: 'Forbidden', description: 'Another role, scope or kind of caller is needed' },
  '404': { name: 'NotFound', description: 'Nothing there that the caller may see' },
  '409': { name: 'Conflict', description: 'The state is another than assumed: read it again' },
  '412': { name: 'PreconditionFailed', description: 'The thing was changed since it was read: read it again' },
  '413': { name: 'ContentTooLarge', description: 'Larger than the service takes' },
  '422': { name: 'UnprocessableContent', description: 'What was asked for makes no sense as things stand' },
  '429': {
    name: 'TooManyRequests',
    description: 'Wait for `Retry-After` seconds',
    headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
  },
};

const contentOf = (shape: ErrorShape): Record<string, Json> => ({ [errors[shape].type]: { schema: errors[shape].schema } });

/** The answer of a status that refuses, in the shape that the operation has for errors. */
export function refusal(status: string, shape: ErrorShape): Json {
  const { name = '', description = '', headers } = shared[status] ?? {};
  if (shape === 'problem') return { $ref: `#/components/responses/${name}` };
  return { description, ...(headers ? { headers } : {}), content: contentOf(shape) };
}

/** The answer to anything else that went wrong. */
export const anyRefusal = (shape: ErrorShape): Json =>
  shape === 'problem' ? { $ref: '#/components/responses/Problem' } : { description: errors[shape].description, content: contentOf(shape) };

const text = { type: 'string' };

/** Headers of requests that many operations take. */
const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Chosen by the caller: the same key and body within 24 hours get the same answer again, and nothing happens twice; another body is 422 `idempotency_key_reused`',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of what was read: 412 when the thing was changed meanwhile (RFC 9110 §13.1.1)',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'An `ETag` that the caller has: 304 without a body when nothing has changed (RFC 9110 §13.1.2)',
    schema: text,
  },
  Range: {
    name: 'Range',
    in: 'header',
    required: false,
    description: 'One range of bytes, such as `bytes=0-1023`: 206 with that part (RFC 9110 §14.2)',
    schema: text,
  },
};

const headers = {
  ETag: { description: 'The version, for `If-Match` and `If-None-Match`', schema: text },
  Link: {
    description:
      'The next page of a list, `<…>; rel="next"`, what was changed, `<…>; rel="self"`, or what goes with it, `<…>; rel="related"` (RFC 8288)',
    schema: text,
  },
  Location: { description: 'Where the new thing is, or where the browser is sent', schema: text },
  Warning: { description: 'Members that the operation does not know and has left out: `299 - "Ignored, …"`', schema: text },
  IdempotencyReplayed: { description: '`true` when the answer is that of an earlier request with the same key', schema: text },
};

export type ParameterName = keyof typeof parameters;
export type HeaderName = keyof typeof headers;
export const parameter = (name: ParameterName): Json => ({ $ref: `#/components/parameters/${name}` });
export const header = (name: HeaderName): Json => ({ $ref: `#/components/headers/${name}` });

/** `components`, all but the schemas that are found on the way. */
export function sharedComponents(): Record<'parameters' | 'headers' | 'responses', Record<string, Json>> {
  const refusals = Object.values(shared).map(({ name, description, headers: own }) => [
    name,
    { description, ...(own ? { headers: own } : {}), content: contentOf('problem') },
  ]);
  return {
    parameters,
    headers,
    responses: { ...Object.fromEntries(refusals), Problem: { description: errors.problem.description, content: contentOf('problem') } },
  };
}

/** Every code that an answer may carry. */
export const problemCodes = (): string[] => [...problemCatalogue.keys()].toSorted();

export const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a person or API client' },
  clientSecret: { type: 'http', scheme: 'basic', description: 'Identifier and secret of an API client (RFC 6749 §2.3.1)' },
  staffToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of platform staff' },
} as const;
