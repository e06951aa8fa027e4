import { isToken, readTeamToken } from '../crypto/tokens.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type FieldError, Problem, problems } from '../problems.ts';

type ValidationIssue = { instancePath: string; keyword: string; message?: string; params: Record<string, unknown> };

const maxReported = 20;

/** Escapes `~` and `/` in a member name for a JSON pointer (RFC 6901). */
function escaped(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}

function fieldError(issue: ValidationIssue): FieldError {
  const { missingProperty } = issue.params;
  const pointer = typeof missingProperty === 'string' ? `${issue.instancePath}/${escaped(missingProperty)}` : issue.instancePath;
  const name = pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  const reason = typeof missingProperty === 'string' ? 'is required' : (issue.message ?? 'is invalid');
  return { name, pointer, reason, rule: issue.keyword };
}

function isValidationIssue(value: unknown): value is ValidationIssue {
  return typeof value === 'object' && value !== null && 'instancePath' in value && 'keyword' in value;
}

function validationProblem(error: FastifyError): Problem {
  const issues = (error.validation ?? []).filter(isValidationIssue);
  const errors = issues.slice(0, maxReported).map(fieldError);
  const part = error.validationContext ?? 'body';
  const detail = errors.map(({ pointer, reason }) => `${pointer || `the ${part}`} ${reason}`).join('; ');
  return problems.validation_failed(`The ${part === 'querystring' ? 'query string' : part} does not match the schema: ${detail}.`, {
    errors,
  });
}

/** Converts errors of Fastify to problems. */
function fastifyProblem(error: FastifyError, request: FastifyRequest): Problem | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': {
      const limit = request.routeOptions.bodyLimit ?? 0;
      return problems.payload_too_large(`The body exceeds the limit of ${limit} bytes for this operation.`);
    }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problems.unsupported_media_type(
        'This operation does not accept the Content-Type of the body. Send `application/json`, or `multipart/form-data` for a file.',
      );
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return problems.malformed_json('The body is not valid JSON. Send one JSON object in UTF-8.');
    default:
      break;
  }
  if (error.validation) return validationProblem(error);
  if (error.statusCode === 400 || error instanceof SyntaxError)
    return problems.malformed_json('The body is invalid. Send one JSON object in UTF-8.');
  if (error.statusCode === 413) return problems.payload_too_large('The body is too large for this operation. Send a smaller body.');
  if (error.statusCode === 415)
    return problems.unsupported_media_type(
      'This operation does not accept the media type. See the API description for the accepted types.',
    );
  return undefined;
}

export type ErrorMapping = (error: unknown) => Problem | undefined;

/** Returns the problem for any error; an unknown error becomes an internal error without details. */
export function problemFor(error: unknown, request: FastifyRequest, mappings: readonly ErrorMapping[]): Problem {
  if (error instanceof Problem) return error;
  for (const mapping of mappings) {
    const mapped = mapping(error);
    if (mapped) return mapped;
  }
  const known = error instanceof Error ? fastifyProblem(error as FastifyError, request) : undefined;
  return (
    known ??
    problems.internal_error(
      'An internal error occurred while the service handled the request. Send it again. If it fails again, report the request_id.',
    )
  );
}

/** Returns the body of a problem document (RFC 9457 §3). */
export function problemDocument(
  problem: Problem,
  context: { baseUrl: string; instance: string; requestId: string; traceId: string },
): object {
  return {
    type: `${context.baseUrl}/problems/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: context.instance,
    code: problem.code,
    request_id: context.requestId,
    trace_id: context.traceId,
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...problem.members,
  };
}

/** The error codes of RFC 6749 §5.2, of its revision, and of RFC 7009. */
const oauthCodes = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
  // From RFC 7591 §3.2.2.
  'invalid_redirect_uri',
  'invalid_client_metadata',
]);

/** Returns the error of a token request (RFC 6749 §5.2): a code of the RFC, and a description in the allowed characters. */
export function oauthError({ code, status, detail }: Pick<Problem, 'code' | 'status' | 'detail'>): {
  status: number;
  body: { error: string; error_description: string };
} {
  const passing = status === 429 || status === 503;
  const error = oauthCodes.has(code) ? code : passing ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
  const description = detail.replaceAll(/[\u2018\u2019`"]/g, "'").replaceAll(/[^ !#-[\]-~]/g, '?');
  return { status: error === 'invalid_request' && status !== 413 ? 400 : status, body: { error, error_description: description } };
}

/** Returns the error of a SCIM request (RFC 7644 §3.12). The status is a text. */
function scimError({ code, status, detail, members }: Problem): object {
  const { scimType = code === 'malformed_json' ? 'invalidSyntax' : undefined } = members;
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  };
}

/** Returns the path of a request with tokens replaced by `{token}`, so that it can be shown and logged. */
export function pathWithoutTokens({ url, params, routeOptions: { config } }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1);
  const { token } = (config?.access?.kind === 'link' ? params : {}) as { token?: string };
  const opens = (part: string) =>
    isToken(part) || readTeamToken(part) !== undefined || (token !== undefined && (part === token || part === encodeURIComponent(token)));
  return path
    .split('/')
    .map((part) => (opens(part) ? '{token}' : part))
    .join('/');
}

/** Headers that describe the intended response. They are removed from an error response. */
const ofTheAnswer = ['etag', 'link', 'last-modified', 'content-length', 'content-range', 'content-disposition', 'accept-ranges'];

/** Sends a problem: as a problem document, or in an OAuth format on the routes that declare it. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem, baseUrl: string): FastifyReply {
  for (const header of ofTheAnswer) reply.removeHeader(header);
  reply.code(problem.status).headers({ 'cache-control': 'no-store', ...problem.headers });
  const { errorShape } = request.routeOptions.config ?? {};
  if (errorShape === 'rfc6749') {
    const { status, body } = oauthError(problem);
    return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
  }
  if (errorShape === 'scim') return reply.type('application/scim+json; charset=utf-8').serializer(JSON.stringify).send(scimError(problem));
  if (errorShape === 'oauth') {
    return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send({
      error: problem.code,
      error_description: problem.detail,
      code: problem.code,
      status: problem.status,
      request_id: request.id,
    });
  }
  const document = problemDocument(problem, {
    baseUrl,
    instance: pathWithoutTokens(request),
    requestId: request.id,
    traceId: request.traceId,
  });
  return reply.type('application/problem+json; charset=utf-8').serializer(JSON.stringify).send(document);
}
