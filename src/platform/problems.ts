/**
 * Errors with codes from one catalogue (RFC 9457). Each part of the service declares its codes with {@link defineProblems}.
 * The HTTP layer returns a thrown {@link Problem} as a problem document, and `/problems/{code}` shows the catalogue. So each code has a page.
 */

/** The properties of one error code. `help` is the text of its page: when the error occurs and what to do. */
export type ProblemKind = { status: number; title: string; help: string };

/** A validation error of one member. `pointer` is an RFC 6901 JSON pointer into the body, query or path. */
export type FieldError = { name: string; pointer: string; reason: string; rule: string };

/** Creates the validation error of the member at `pointer`. */
export const fieldError = (pointer: string, reason: string, rule: string): FieldError => ({
  name: pointer.slice(pointer.lastIndexOf('/') + 1),
  pointer,
  reason,
  rule,
});

type Extra = {
  /** The validation errors, one per member. */
  errors?: FieldError[];
  /** Response headers, such as `retry-after` (seconds) or `www-authenticate`. */
  headers?: Record<string, string>;
  /** Additional members of the document (RFC 9457 §3.2). */
  members?: Record<string, unknown>;
  /** Replaces the status of the code, where the protocol of an operation requires another status. */
  status?: number;
};

/** Thrown to reject a request. `detail` tells the sender the cause and the next step. */
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
    // A reason can end with a question.
    this.detail = detail.endsWith('?.') ? detail.slice(0, -1) : detail;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

const maxReason = 2_000;

/** Returns the detail of a problem with the errors that it does not name, for people. */
export function reasonOf({ detail, errors = [] }: Problem): string {
  const isNamed = ({ pointer, reason }: FieldError) => detail.includes(`${pointer} ${reason}`) || detail.includes(`${pointer}: ${reason}`);
  const reasons = errors.slice(0, 10).flatMap((one) => (isNamed(one) ? [] : [`${one.pointer} ${one.reason}`]));
  return Array.from([detail, ...reasons].join(' '))
    .slice(0, maxReason)
    .join('');
}

const catalogue = new Map<string, ProblemKind>();

/** All codes declared so far, in the order of declaration. */
export const problemCatalogue: ReadonlyMap<string, ProblemKind> = catalogue;

/**
 * Declares error codes and returns one constructor per code: `throw folderProblems.folder_cycle('…')`.
 * Throws if a code is declared twice.
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

/** The error codes that any operation can return. */
export const problems = defineProblems({
  bad_request: {
    status: 400,
    title: 'Invalid HTTP request',
    help: 'The request is not HTTP/1.1, or its address cannot be decoded. Check the client or proxy that sent it, and percent-encode paths as UTF-8.',
  },
  malformed_json: {
    status: 400,
    title: 'Invalid JSON body',
    help: 'The request body is not valid JSON. Send one JSON object in UTF-8, without a byte order mark or trailing text.',
  },
  validation_failed: {
    status: 400,
    title: 'Invalid request',
    help: 'Members are missing, of the wrong type or out of range. `errors` lists each with a JSON pointer. Correct them and send the request again.',
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication required',
    help: 'The operation needs `Authorization: Bearer <access token>`. Get a token by signing in or by refreshing.',
  },
  invalid_token: {
    status: 401,
    title: 'Access token not accepted',
    help: 'The token is expired, revoked or forged, or it was issued for another part of the service. Refresh it, or sign in again.',
  },
  reauthentication_required: {
    status: 401,
    title: 'Reauthentication required',
    help: 'The operation is sensitive, and the last sign-in is too old or too weak. Sign in again, with the second factor if you have one, and repeat the request (RFC 9470).',
  },
  member_not_found: {
    status: 404,
    title: 'Member not found',
    help: 'No active member of your team has this identifier. List the members with `GET /api/v1/team/members`, then correct the identifier.',
  },
  cross_origin_refused: {
    status: 403,
    title: 'Cross-origin request denied',
    help: 'A request with a cookie must come from a page of this service or of an origin in CORS_ORIGINS. A request of a public page must come from that page. Other programs must call the API with a token.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    help: 'You are signed in, but your role does not allow this. Ask an owner or administrator of the team.',
  },
  person_required: {
    status: 403,
    title: 'Person required',
    help: 'The operation concerns the signed-in person: their profile, password, sessions, or their tasks (`assignedTo=me`). An API client cannot call it. Use the token of a person, or send the identifier of the person.',
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    help: 'The team requires a second factor. Set up an authenticator app or a passkey, or sign in with it. Until then, the token gives access only to your own profile.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    help: 'The token lacks a scope that the operation needs; `detail` names it. Use a token of a role or client that has it.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'Your team can see no resource at this address. Check the path and the identifier.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    help: 'The path exists, but not with this method. The `Allow` header lists its methods.',
  },
  not_acceptable: {
    status: 406,
    title: 'No acceptable representation',
    help: 'The `Accept` header excludes every format of this operation. Add `application/json` or `*/*`.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    help: 'The connection was closed because the request was not complete in time. Send it again over a faster connection.',
  },
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    help: 'Another change or an existing resource prevents this request. Read the resource again, and then decide what to change.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Same request in progress',
    help: 'A request with this Idempotency-Key is in flight. Wait a moment and send it again to get its response.',
  },
  precondition_failed: {
    status: 412,
    title: 'Resource changed',
    help: 'The version in the `If-Match` header is no longer current. Read the resource again and repeat the change.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    help: 'The body is larger than the operation accepts; `detail` has the limit. Send a smaller one.',
  },
  uri_too_long: {
    status: 414,
    title: 'Address too long',
    help: 'A part of the path is longer than any identifier or name. Check the identifier.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    help: 'Send `Content-Type: application/json`, or `multipart/form-data` if the operation accepts a file.',
  },
  name_has_link: {
    status: 422,
    title: 'Name looks like an address',
    help: 'Emails contain the names of people and teams. Mail programs would turn `https://…`, `www.…` or `name.example` into a link. Remove it from the name, or write a space after the dot.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    help: 'A key belongs to one request. Create a new key for a request with another body.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait as many seconds as `Retry-After` says, then send the request again.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    help: 'The headers of the request exceed 16 KiB in total. Send fewer cookies and shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    help: 'An unexpected error occurred in the service, possibly after it executed the request. Check the result before you send a change again, or send it with an `Idempotency-Key`. If the request fails repeatedly, report the `request_id`.',
  },
  statement_timeout: {
    status: 503,
    title: 'Database timeout',
    help: 'The request reached its time limit in the database. The limit prevents delays for other requests. Request less, for example with `limit` and `cursor`, or wait as many seconds as `Retry-After` says and send the request again.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Commit result unknown',
    help: 'The database connection failed during the commit, and the result could not be checked. The change was made completely or not at all. Read the affected resources again. If you sent an `Idempotency-Key`, retry with the same key: the change is made once, and you get its response.',
  },
  unavailable: {
    status: 503,
    title: 'Service temporarily unavailable',
    help: 'The service is overloaded or stopping, or cannot reach its database. Wait as many seconds as `Retry-After` says and send the request again.',
  },
});
