import { problemCatalogue } from '../../problems.ts';
import type { Json } from './schemas.ts';

/** Shared parts of the API description: errors, headers, credentials. */

const problem: Json = {
  title: 'Problem',
  description: 'A problem document (RFC 9457)',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'trace_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page about the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'The next step' },
    instance: { type: 'string' },
    code: { title: 'ProblemCode', type: 'string' },
    request_id: { type: 'string', description: 'The identifier of the request in the logs and of its changes in the journal' },
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

/** The error formats: the media type, and the member with the code. */
const errors = {
  problem: { type: 'application/problem+json', schema: problem, member: 'code' },
  oauth: { type: 'application/json', schema: refreshError, member: 'code' },
  rfc6749: { type: 'application/json', schema: tokenError, member: 'error' },
} as const;

export type ErrorShape = keyof typeof errors;

/** The meaning of each error status, independent of the code. */
const meanings: Record<number, string> = {
  400: 'Invalid request. `errors`, if present, lists each member with a JSON pointer',
  401: 'Authentication is missing or not sufficient: refresh, sign in again, or reauthenticate',
  403: 'The operation needs another role, scope or kind of caller',
  404: 'The caller can see no such resource',
  409: 'The current state prevents the request: read it again',
  412: 'The resource changed after you read it: read it again',
  413: 'Larger than the service accepts',
  415: 'Unsupported media type',
  416: 'The file has no such range',
  422: 'The request is well-formed but cannot be fulfilled',
  429: 'Wait as many seconds as `Retry-After` says',
  502: 'An external service does not respond',
  507: 'Insufficient storage',
};

export const meaningOf = (status: number): string => meanings[status] ?? 'The service is temporarily unavailable';

/** Returns the content of an error response in the format of its operation, limited to its codes. */
export function contentOf(shape: ErrorShape, codes: readonly string[], examples: Record<string, Json>): Record<string, Json> {
  const { type, schema, member } = errors[shape];
  const narrowed = { type: 'object', required: [member], properties: { [member]: { type: 'string', enum: [...codes] } } };
  const shown = Object.keys(examples).length > 0 ? { examples } : {};
  return { [type]: { schema: { allOf: [schema, narrowed] }, ...shown } };
}

const text = { type: 'string' };

/** Request headers that many operations accept. */
const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Chosen by the caller. The same key and body within 24 hours get the same response, and the request is executed once. Another body gets 422 `idempotency_key_reused`',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the version that you read: 412 if the resource has changed (RFC 9110 §13.1.1)',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'An `ETag` that the caller has: 304 without a body if nothing has changed (RFC 9110 §13.1.2)',
    schema: text,
  },
  Range: {
    name: 'Range',
    in: 'header',
    required: false,
    description: 'One range of bytes, such as `bytes=0-1023`: 206 with that part (RFC 9110 §14.2)',
    schema: text,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`count=exact` or `count=planned`: the response has `X-Total-Count` (RFC 7240). Other preferences are ignored',
    schema: text,
  },
};

const headers = {
  ETag: { description: 'The version, for `If-Match` and `If-None-Match`', schema: text },
  Link: {
    description:
      'The next page of a list, `<…>; rel="next"`, the changed resource, `<…>; rel="self"`, a related one, `<…>; rel="related"`, or its successor, `<…>; rel="successor-version"` (RFC 8288)',
    schema: text,
  },
  Location: { description: 'The URL of the new resource, or the redirect target', schema: text },
  Warning: { description: 'Unknown members that the operation ignored: `299 - "Ignored unknown members: …"`', schema: text },
  XTotalCount: {
    description:
      'The number of items in all pages that the caller can see with these filters. It counts up to 1 000 items: `1000+` means that there are more. Only with `Prefer: count=…`',
    schema: text,
  },
  PreferenceApplied: { description: '`count=exact` if the response has `X-Total-Count` (RFC 7240 §3)', schema: text },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer' } },
  IdempotencyReplayed: { description: '`true` if the response is that of an earlier request with the same key', schema: text },
};

/** Headers of few operations, which are written inline. */
const rareHeaders = {
  Deprecation: { description: 'The time of the deprecation, in seconds since 1970 after an `@` (RFC 9745)', schema: text },
  Sunset: { description: 'The earliest time of removal (RFC 8594)', schema: text },
};

export type ParameterName = keyof typeof parameters;
export type HeaderName = keyof typeof headers | keyof typeof rareHeaders;
export const parameter = (name: ParameterName): Json => ({ $ref: `#/components/parameters/${name}` });
export const header = (name: HeaderName): Json =>
  name in rareHeaders ? rareHeaders[name as keyof typeof rareHeaders] : { $ref: `#/components/headers/${name}` };

/** The components without schemas and problems. */
export const sharedComponents = (): Record<'parameters' | 'headers', Record<string, Json>> => ({ parameters, headers });

/** Returns all error codes. */
export const problemCodes = (): string[] => [...problemCatalogue.keys()].toSorted();

export const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a person or API client' },
  clientSecret: { type: 'http', scheme: 'basic', description: 'Identifier and secret of an API client (RFC 6749 §2.3.1)' },
  staffToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of platform staff' },
} as const;
