/**
 * Errors as values with a code from one catalogue (RFC 9457). Each part of the service declares its own codes with
 * {@link defineProblems}; the HTTP layer turns a thrown {@link Problem} into a problem document, and `/problems/{code}`
 * is written from the same catalogue, so that no code exists without a page.
 */

/** What is true of every problem of one code. `help` is the text of its page: when it happens and what to do. */
export type ProblemKind = { status: number; title: string; help: string };

/** One member that failed validation: `pointer` is an RFC 6901 JSON pointer into the request part it names. */
export type FieldError = { name: string; pointer: string; reason: string; rule: string };

/** Returns the error of the member at `pointer`. */
export const fieldError = (pointer: string, reason: string, rule: string): FieldError => ({
  name: pointer.slice(pointer.lastIndexOf('/') + 1),
  pointer,
  reason,
  rule,
});

type Extra = {
  /** What failed, member by member. */
  errors?: FieldError[];
  /** Headers the answer carries, such as `retry-after` (seconds) or `www-authenticate`. */
  headers?: Record<string, string>;
  /** Further members of the document (RFC 9457 §3.2). */
  members?: Record<string, unknown>;
  /** Instead of the kind's status, where one fault means another thing to the protocol of an operation. */
  status?: number;
};

/** A refused request. `detail` is written for the person who sent it and says what to do. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly members: Record<string, unknown>;

  constructor(code: string, kind: ProblemKind, detail: string, extra: Extra = {}) {
    super(`${code}: ${detail}`);
    this.name = 'Problem';
    this.code = code;
    this.status = extra.status ?? kind.status;
    this.title = kind.title;
    this.detail = detail;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

const catalogue = new Map<string, ProblemKind>();

/** Every code declared so far, in the order of declaration. */
export const problemCatalogue: ReadonlyMap<string, ProblemKind> = catalogue;

/**
 * Declares problem codes and returns one constructor a code: `throw folderProblems.folder_cycle('…')`.
 * Throws when a code is declared twice: a code means one thing.
 */
export function defineProblems<const Kinds extends Record<string, ProblemKind>>(
  kinds: Kinds,
): { readonly [Code in keyof Kinds]: (detail: string, extra?: Extra) => Problem } {
  const constructors: Partial<Record<keyof Kinds, (detail: string, extra?: Extra) => Problem>> = {};
  for (const [code, kind] of Object.entries(kinds)) {
    if (catalogue.has(code)) throw new Error(`the problem code ${code} is declared twice`);
    catalogue.set(code, kind);
    constructors[code as keyof Kinds] = (detail, extra) => new Problem(code, kind, detail, extra);
  }
  return constructors as { readonly [Code in keyof Kinds]: (detail: string, extra?: Extra) => Problem };
}

/** The codes any part of the service may answer with (decisions, section 1). */
export const problems = defineProblems({
  bad_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    help: 'What was sent is not HTTP/1.1, or its address cannot be decoded. Check the client or proxy that wrote it; percent-encode paths as UTF-8.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    help: 'The request body could not be read as JSON. Send one JSON object, UTF-8, without a byte order mark or trailing text.',
  },
  validation_failed: {
    status: 400,
    title: 'The request does not fit the schema',
    help: 'One or more members are missing, of the wrong type or out of range. `errors` names each with a JSON pointer; correct them and send the request again.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign in first',
    help: 'The operation needs `Authorization: Bearer <access token>`. Get a token by signing in or by refreshing.',
  },
  invalid_token: {
    status: 401,
    title: 'The access token is not accepted',
    help: 'The token is expired, revoked, forged or meant for another part of the service. Refresh it, or sign in again.',
  },
  reauthentication_required: {
    status: 401,
    title: 'Confirm that it is you',
    help: 'The operation is sensitive and the last sign-in is too long ago or too weak. Sign in again, with the second factor if one is set up, and repeat the request (RFC 9470).',
  },
  member_not_found: {
    status: 404,
    title: 'No such member',
    help: 'The identifier names no active member of your team. List the members with `GET /api/v1/team/members` and check it.',
  },
  cross_origin_refused: {
    status: 403,
    title: 'The request comes from a foreign page',
    help: 'A request that is authenticated by a cookie must come from a page of this service or of a listed origin, and what a page of the public sends from that page itself. Programs use the API with a token.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    help: 'You are signed in, but your role does not allow this. Ask an owner or administrator of the team.',
  },
  person_required: {
    status: 403,
    title: 'Only a person may do this',
    help: 'The operation concerns the person who signed in: their profile, password, sessions, or what is assigned to them (`assignedTo=me`). An API client is no person: call it with a person’s token, or name the person by identifier.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The token lacks a scope',
    help: 'The operation needs a scope that the token does not carry; `detail` names it. Use a token of a role or client that has it.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'There is nothing under this address that your team can see. Check the path and the identifier.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    help: 'The path exists, but not with this method. The `Allow` header lists the methods it takes.',
  },
  not_acceptable: {
    status: 406,
    title: 'No acceptable representation',
    help: 'The `Accept` header excludes every format this operation answers with. Add `application/json` or `*/*`.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    help: 'The connection was closed because the request was not complete in time. Send it again over a better line.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with the present state',
    help: 'Something changed or exists already that excludes this request. Read the resource again and decide.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The same request is still being carried out',
    help: 'A request with this Idempotency-Key is in flight. Wait a moment and send it again to get its answer.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    help: 'The `If-Match` header names a version that is no longer current. Read the resource again and repeat the change on it.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    help: 'The body is larger than the operation takes; `detail` names the limit.',
  },
  uri_too_long: {
    status: 414,
    title: 'The address is too long',
    help: 'A part of the path is longer than any identifier or name. Check the identifier.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    help: 'Send `Content-Type: application/json`, or `multipart/form-data` where the operation takes a file.',
  },
  name_has_link: {
    status: 422,
    title: 'The name looks like an address',
    help: 'Names of people and teams stand in mails, where `https://…`, `www.…` or `name.example` would become a link. Write the name without it, or with a space behind the dot.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    help: 'A key belongs to one request. Make a new key for a request with another body.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait as many seconds as `Retry-After` says, then send the request again.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    help: 'The headers of the request are larger than 16 KiB together. Send fewer cookies and shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    help: 'A fault in the service that nobody foresaw. It may have come after the request was carried out: look before you send a change again, or send it with an `Idempotency-Key`. If it keeps failing, report the `request_id`.',
  },
  statement_timeout: {
    status: 503,
    title: 'The database took too long',
    help: 'A request has a few seconds of the database, so that one does not hold up others. Ask for less at once, for example with `limit` and `cursor`, or wait as many seconds as `Retry-After` says and send the request again.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Whether it was done is not known',
    help: 'The connection to the database was lost at the moment of the change, and could not be asked about it: the change was made wholly or not at all. Read again what it concerns. A request that was sent with an `Idempotency-Key` may be repeated with the same key: it is then done once, and its answer is given again.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    help: 'The service cannot reach its database or is overloaded or stopping. Wait as many seconds as `Retry-After` says and send the request again.',
  },
});
