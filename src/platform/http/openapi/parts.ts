import { problemCatalogue } from '../../problems.ts';
import type { Json } from './schemas.ts';

/** What the description refers to from many places: errors, headers, credentials. */

const problem: Json = {
  title: 'Problem',
  description: 'A problem document (RFC 9457)',
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
  description: 'An error of RFC 6749 §5.2',
  type: 'object',
  required: ['error', 'error_description'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  additionalProperties: false,
};

/** The shapes of errors: their media type, and the member that holds the code. */
const errors = {
  problem: { type: 'application/problem+json', schema: problem, member: 'code' },
  oauth: { type: 'application/json', schema: refreshError, member: 'code' },
  rfc6749: { type: 'application/json', schema: tokenError, member: 'error' },
} as const;

export type ErrorShape = keyof typeof errors;

/** What the statuses mean by which operations refuse, whatever the code. */
const meanings: Record<number, string> = {
  400: 'The request does not fit. `errors`, where it is there, names each member by a JSON pointer',
  401: 'Nobody has proven who they are, or not well enough: refresh, sign in again, or confirm that it is you',
  403: 'Another role, scope or kind of caller is needed',
  404: 'Nothing there that the caller may see',
  409: 'The state is another than assumed: read it again',
  412: 'The thing was changed since it was read: read it again',
  413: 'Larger than the service takes',
  415: 'Another media type is needed',
  416: 'The file has no such range',
  422: 'What was asked for makes no sense as things stand',
  429: 'Wait for as many seconds as `Retry-After` says',
  502: 'Another service, which this one asks, does not answer',
  507: 'There is no room',
};

export const meaningOf = (status: number): string => meanings[status] ?? 'The service cannot serve at the moment';

/** The answer of a refusal in the shape that its operation has for errors, narrowed to the codes that it has there. */
export function contentOf(shape: ErrorShape, codes: readonly string[], examples: Record<string, Json>): Record<string, Json> {
  const { type, schema, member } = errors[shape];
  const narrowed = { type: 'object', required: [member], properties: { [member]: { type: 'string', enum: [...codes] } } };
  const shown = Object.keys(examples).length > 0 ? { examples } : {};
  return { [type]: { schema: { allOf: [schema, narrowed] }, ...shown } };
}

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
      'The next page of a list, `<…>; rel="next"`, what was changed, `<…>; rel="self"`, what goes with it, `<…>; rel="related"`, or what takes its place, `<…>; rel="successor-version"` (RFC 8288)',
    schema: text,
  },
  Location: { description: 'Where the new thing is, or where the browser is sent', schema: text },
  Warning: { description: 'Members that the operation does not know and has left out: `299 - "Ignored, …"`', schema: text },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer' } },
  IdempotencyReplayed: { description: '`true` when the answer is that of an earlier request with the same key', schema: text },
};

/** Headers that few operations have, if any: written where they are. */
const rareHeaders = {
  Deprecation: { description: 'Since when it is deprecated, in seconds since 1970 behind an `@` (RFC 9745)', schema: text },
  Sunset: { description: 'When it goes at the earliest (RFC 8594)', schema: text },
};

export type ParameterName = keyof typeof parameters;
export type HeaderName = keyof typeof headers | keyof typeof rareHeaders;
export const parameter = (name: ParameterName): Json => ({ $ref: `#/components/parameters/${name}` });
export const header = (name: HeaderName): Json =>
  name in rareHeaders ? rareHeaders[name as keyof typeof rareHeaders] : { $ref: `#/components/headers/${name}` };

/** `components`, all but the schemas and the problems. */
export const sharedComponents = (): Record<'parameters' | 'headers', Record<string, Json>> => ({ parameters, headers });

/** Every code that an answer may carry. */
export const problemCodes = (): string[] => [...problemCatalogue.keys()].toSorted();

export const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a person or API client' },
  clientSecret: { type: 'http', scheme: 'basic', description: 'Identifier and secret of an API client (RFC 6749 §2.3.1)' },
  staffToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of platform staff' },
} as const;
