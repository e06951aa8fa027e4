import { isPersonal, requiredScopes } from '../access.ts';
import { oauthError } from '../problem-responses.ts';
import { problemCatalogue, type ProblemKind } from '../../problems.ts';
import type { Facts } from './operation-metadata.ts';
import { contentOf, type ErrorShape, header, meaningOf } from './parts.ts';
import type { Json } from './schemas.ts';
import type { OperationText } from './texts.ts';

/** Error codes that any request can get: errors of transport and of the service. */
const anywhere = [
  'not_acceptable',
  'request_timeout',
  'uri_too_long',
  'unsupported_media_type',
  'headers_too_large',
  'internal_error',
  'statement_timeout',
  'outcome_unknown',
  'unavailable',
];

type Described = { method: string; path: string; operation: Json };

/** Returns the error codes that follow from the declaration of a route. */
function declaredCodes({ method, path, operation }: Described, facts: Facts): string[] {
  const { access, shape } = facts;
  const personOrClient = access?.kind === 'user';
  const token = personOrClient || access?.kind === 'staff';
  const proves = token || (access?.kind === 'public' && access.credential !== undefined);
  const changes = method !== 'get';
  const takesBody = operation.requestBody !== undefined || facts.consumes.length > 0;
  const follows: [boolean, ...string[]][] = [
    // Every operation rejects unknown parameters.
    [shape !== 'rfc6749', 'validation_failed'],
    [changes, 'malformed_json', 'payload_too_large'],
    [takesBody && !facts.lenientBody, 'unsupported_media_type'],
    [path.includes('{'), 'bad_request', 'not_found'],
    [token, 'unauthenticated'],
    [proves, 'invalid_token'],
    [personOrClient && requiredScopes(access).length > 0, 'insufficient_scope'],
    [personOrClient && requiredScopes(access).some((scope) => !scope.startsWith('profile:')), 'second_factor_required'],
    [access !== undefined && isPersonal(access), 'person_required'],
    // The rights of the caller can change during the request.
    [(changes && personOrClient) || (personOrClient && access.roles !== undefined), 'forbidden'],
    [facts.sendsFile, 'range_not_satisfiable'],
    [facts.storesResponse, 'idempotency_in_progress', 'idempotency_key_reused'],
    [facts.requiresIfMatch, 'precondition_failed'],
    [!facts.unlimited, 'rate_limited'],
  ];
  return follows.filter(([is]) => is).flatMap(([, ...codes]) => codes);
}

const kindOf = (code: string): ProblemKind => {
  const kind = problemCatalogue.get(code);
  if (!kind) throw new Error(`the description contains the undeclared error code ${code}`);
  return kind;
};

/** An error code with its status in this operation. A text such as `401 invalid_code` overrides the status of the code. */
type Refused = { code: string; status: number };

function named(problem: string, { shape }: Facts): Refused {
  const [, status, code = ''] = /^(?:(\d{3}) )?(\w+)$/.exec(problem) ?? [];
  const kind = kindOf(code);
  if (status !== undefined) return { code, status: Number(status) };
  return { code, status: shape === 'rfc6749' ? inOauth(code).status : kind.status };
}

/** Returns all error codes of an operation, except those that any request can get, in the order of the catalogue. */
function codesOf(described: Described, facts: Facts, text: OperationText | undefined): Refused[] {
  const declared = declaredCodes(described, facts);
  const { problems: added = [], never = [] } = text ?? {};
  const id = String(described.operation.operationId);
  const twice = added.find((code) => declared.includes(code));
  if (twice !== undefined) throw new Error(`${twice} follows from the route of ${id}; remove it from the member \`problems\``);
  const idle = never.find((code) => !declared.includes(code));
  if (idle !== undefined) throw new Error(`${idle} does not follow from the route of ${id}; remove it from \`never\``);
  const own = [...declared, ...added].filter((code) => !never.includes(code)).map((code) => named(code, facts));
  return [...problemCatalogue.keys()].flatMap((code) => own.filter((one) => one.code === code));
}

/** Returns the error responses of an operation by status, each with its error codes. */
export function refusalsOf(described: Described, facts: Facts, text: OperationText | undefined): Record<string, Json> {
  const codes = codesOf(described, facts, text);
  const byStatus = [...Map.groupBy(codes, ({ status }) => status)].map(
    ([status, refused]) => [status, refused.map(({ code }) => code)] as const,
  );
  const answers = byStatus.toSorted(([one], [other]) => one - other);
  return {
    ...Object.fromEntries(answers.map(([status, own]) => [String(status), placed(refusal(status, own, facts), own, facts)])),
    default: facts.shape === 'problem' ? { $ref: '#/components/responses/Problem' } : otherwise(facts),
  };
}

/** Marks a response with up to three codes as shared. {@link shareRefusals} moves it to the components. */
const placed = (answer: Json, codes: readonly string[], { shape }: Facts): Json =>
  shape === 'problem' && codes.length <= 3 ? { [sharedMember]: codes.map(pascal).join('Or'), ...answer } : answer;

const sharedMember = 'x-shared-as';

const pascal = (code: string): string => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Moves shared responses to the components and replaces them by references. */
function shareRefusals(operations: readonly Json[]): Record<string, Json> {
  const shared: Record<string, Json> = {};
  for (const { responses = {} } of operations)
    for (const [status, { [sharedMember]: name, ...answer }] of Object.entries(responses)) {
      if (typeof name !== 'string') continue;
      shared[name] = answer;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  return Object.fromEntries(Object.entries(shared).toSorted(([one], [other]) => one.localeCompare(other)));
}

function inOauth(code: string): ReturnType<typeof oauthError> {
  const { status, help } = kindOf(code);
  return oauthError({ code, status, detail: help });
}

function refusal(status: number, codes: readonly string[], facts: Facts): Json {
  const meanings = codes.map((code) => `- \`${code}\`: ${kindOf(code).title}`);
  return {
    description: [meaningOf(status), '', ...meanings].join('\n'),
    ...(status === 429 ? { headers: { 'Retry-After': header('RetryAfter') } } : {}),
    content: contentOf(facts.shape, problemLines(codes, facts), examplesOf(codes, facts.shape)),
  };
}

/** Returns the names of the errors: problem codes, or OAuth error codes. */
const problemLines = (codes: readonly string[], { shape }: Facts): string[] =>
  shape === 'rfc6749' ? [...new Set(codes.map((code) => inOauth(code).body.error))] : [...codes];

/** Returns the examples: references to the components for problem documents, inline values for other shapes. */
function examplesOf(codes: readonly string[], shape: ErrorShape): Record<string, Json> {
  const example = (code: string): Json => {
    const { status, title, help } = kindOf(code);
    if (shape === 'problem') return { $ref: `#/components/examples/${code}` };
    const value =
      shape === 'rfc6749' ? inOauth(code).body : { error: code, error_description: help, code, status, request_id: exampleIds.request_id };
    return { summary: title, value };
  };
  return Object.fromEntries(codes.map((code) => [code, example(code)]));
}

const otherwise = (facts: Facts): Json => ({
  description: otherwiseMeans,
  content: contentOf(facts.shape, problemLines(anywhere, facts), {}),
});

const otherwiseMeans = 'Errors of transport or of the service, which any request can get';

const exampleIds = { request_id: '019d2f4e-6a00-7c2b-9a54-3d1f0e8b7c66', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' };

const otherProblems = (): Json => ({
  description: otherwiseMeans,
  content: contentOf('problem', anywhere, examplesOf(anywhere, 'problem')),
});

/** Returns the components of error responses: shared responses, the default response, and an example of each error code. */
export function refusalComponents(operations: readonly Json[], baseUrl: string): Record<'examples' | 'responses', Record<string, Json>> {
  const responses = { ...shareRefusals(operations), Problem: otherProblems() };
  const used = new Set([...JSON.stringify([operations, responses]).matchAll(/"#\/components\/examples\/(\w+)"/g)].map(([, code]) => code));
  const examples = [...problemCatalogue]
    .filter(([code]) => used.has(code))
    .map(([code, { title, status, help }]): [string, Json] => {
      const value = { type: `${baseUrl}/problems/${code}`, title, status, detail: help, code, ...exampleIds };
      return [code, { summary: title, value }];
    });
  return { examples: Object.fromEntries(examples), responses };
}
