/** A validation error of one member. `pointer` is a JSON pointer into the request. */
export type FieldProblem = { name: string; pointer: string; reason: string; rule: string };

type ProblemDocument = Partial<{ code: string; error: string; title: string; detail: string; errors: FieldProblem[]; request_id: string }>;

/** An error response of the API (RFC 9457). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldProblem[];
  /** The extension members of the problem, such as `openWork`. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  /** Seconds until the request can be repeated. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: unknown) {
    const document = (typeof body === 'object' && body !== null ? body : {}) as ProblemDocument;
    super(`${response.status} ${document.code ?? ''}`);
    this.name = 'ApiProblem';
    this.status = response.status;
    this.code = document.code ?? document.error ?? '';
    this.detail = document.detail ?? document.title ?? '';
    this.errors = document.errors ?? [];
    this.members = document;
    this.requestId = document.request_id ?? response.headers.get('x-request-id') ?? undefined;
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isNaN(after) ? undefined : after;
  }
}
