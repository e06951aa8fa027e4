import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Operation = {
  id: string;
  method: string;
  path: string;
  access: string;
  scope: string | undefined;
  /** All scopes that a token needs, including the scope to read the response of a change. */
  scopes: readonly string[];
  /** Whether API clients may never call the operation, regardless of scopes. */
  personal: boolean;
  /** The only user roles that may call the operation. Undefined if the scope alone decides. */
  roles: string[] | undefined;
  hasBody: boolean;
  /** Whether the body is optional. */
  lenient: boolean;
  /** Whether the body is a form instead of JSON. */
  form: boolean;
  body: any;
  parameters: { name: string; in: string; required: boolean; schema: any }[];
  responses: Record<string, any>;
};

/** The content of /openapi.json, in the form that the tests over all operations use. */
export type Described = {
  document: any;
  operations: Operation[];
  /** Returns the operation of a request. */
  find(method: string, path: string): Operation | undefined;
  /** Throws if a response does not match the schema of its operation. */
  check(method: string, path: string, answer: { status: number; headers: Headers; body: unknown; text: string }): void;
};

/** Returns the error codes of an operation for a status. For an undescribed status, returns the codes of the default response. */
export function codesOf({ responses }: Pick<Operation, 'responses'>, status: number | 'default'): string[] {
  const { content = {} } = responses[String(status)] ?? responses.default;
  const [{ schema } = { schema: {} }] = Object.values<any>(content);
  // The last part restricts the error schema to the codes of this response.
  const { code, error } = schema.allOf?.at(-1)?.properties ?? {};
  return (code ?? error)?.enum ?? [];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

function pattern(path: string): RegExp {
  const source = path
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{[^}]+\}/g, '[^/]+')
    .replace(/\/$/, '');
  return new RegExp(`^${source}/?$`);
}

const opened = new Map<string, Described>();

/** Returns the description with each `$ref` replaced by its target. */
function dereferenced(document: any): any {
  const known = new Map<string, unknown>();
  const visit = (value: any): any => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value;
    if (typeof $ref !== 'string') return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
    if (!known.has($ref)) {
      const found = $ref
        .slice(2)
        .split('/')
        .reduce((at: any, name) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
      if (found === undefined) throw new Error(`${$ref} has no target`);
      const title = /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1];
      known.set($ref, title === undefined ? visit(found) : { title, ...visit(found) });
    }
    return known.get($ref);
  };
  return visit(document);
}

/** Response headers that generators and readers use. */
const describedHeaders = ['etag', 'link', 'location', 'warning', 'idempotency-replayed', 'deprecation', 'sunset'];

/** Reads an OpenAPI document. Test files in one process share the compiled validators. */
export function openDescription(text: string): Described {
  const known = opened.get(text) ?? compileDescription(JSON.parse(text));
  opened.set(text, known);
  return known;
}

function compileDescription(written: any): Described {
  const document = dereferenced(written);
  // suites/description checks the schemas. Unoptimized code compiles faster and runs equally fast.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
  addFormats.default(ajv);
  const operations: Operation[] = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => {
        const operation = item[method];
        const content = operation.requestBody?.content;
        const form = content?.['application/x-www-form-urlencoded']?.schema;
        return {
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          access: operation['x-access'],
          scope: operation['x-required-scope'],
          scopes: operation.security?.flatMap((one: Record<string, string[]>) => Object.values(one).flat()) ?? [],
          personal: operation['x-person-only'] === true,
          roles: operation['x-roles'],
          // An upload has no JSON body.
          hasBody: (content?.['application/json']?.schema ?? form) !== undefined,
          lenient: operation.requestBody?.required === false,
          form: form !== undefined,
          body: content?.['application/json']?.schema ?? form,
          parameters: operation.parameters ?? [],
          responses: operation.responses,
        };
      }),
  );
  const problem = ajv.compile(document.components.schemas.Problem);
  const oauthError = ajv.compile(document.components.schemas.RefreshError);
  const tokenError = ajv.compile(document.components.schemas.TokenError);
  // The most specific path first: `/active` before `/{id}`.
  const routes = operations
    .map((operation) => ({ operation, test: pattern(operation.path) }))
    .toSorted((a, b) => (a.operation.path.match(/\{/g)?.length ?? 0) - (b.operation.path.match(/\{/g)?.length ?? 0));
  const routesOf = Map.groupBy(routes, ({ operation }) => operation.method);
  const compiled = new Map<object, ReturnType<typeof ajv.compile>>();

  function find(method: string, path: string): Operation | undefined {
    const [plain = ''] = path.split('?', 1);
    return routesOf.get(method)?.find(({ test }) => test.test(plain))?.operation;
  }

  return {
    document,
    operations,
    find,
    check(method, path, answer) {
      const fail = (why: string): never => {
        throw new Error(`${method} ${path} answered ${answer.status}, which ${why}\n${answer.text.slice(0, 1_000)}`);
      };
      const type = answer.headers.get('content-type') ?? '';
      if (answer.status >= 400) {
        if (type.startsWith('application/problem+json')) {
          if (!problem(answer.body)) fail(`is not a problem document: ${ajv.errorsText(problem.errors)}`);
        } else if (find(method, path)?.form) {
          if (!type.startsWith('application/json') || !tokenError(answer.body)) fail('is not an error of RFC 6749');
        } else if (type.startsWith('application/json')) {
          if (!oauthError(answer.body)) fail('is not an error of the refresh operations');
        } else {
          fail(`has the content type ${type}`);
        }
        const refusing = find(method, path);
        const code = (answer.body as { code?: string; error?: string }).code ?? (answer.body as { error?: string }).error ?? '';
        if (refusing && !codesOf(refusing, answer.status).includes(code))
          fail(`is rejected with ${code}, which the operation does not describe`);
        return;
      }
      const operation = find(method, path);
      if (!operation) return;
      const declared = operation.responses[String(answer.status)];
      if (!declared) fail('has a status that the operation does not declare');
      const said = Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase());
      const undescribed = describedHeaders.filter((name) => answer.headers.has(name) && !said.includes(name));
      if (undescribed.length > 0) fail(`has headers that the operation does not describe: ${undescribed.join(', ')}`);
      const schema = declared.content?.['application/json']?.schema;
      if (!schema) return;
      const check = compiled.get(schema) ?? ajv.compile(schema);
      compiled.set(schema, check);
      if (!check(answer.body)) fail(`does not match its schema: ${ajv.errorsText(check.errors)}`);
      if (/:null[,}\]]/.test(answer.text) && !/metadata|payload|"data"|"schema"/.test(answer.text)) fail('contains a null');
    },
  };
}
