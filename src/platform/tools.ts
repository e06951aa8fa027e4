import { type Static, type TObject, Type } from 'typebox';
import type { ListPage } from './database/json-page.ts';
import { encodeCursor } from './http/page.ts';
import { type Check, checkOf } from './http/validators.ts';
import { problems } from './problems.ts';
import type { ReadScope, Scope } from './scope.ts';
import type { Storage } from './storage/storage.ts';

/** The dependencies of tools besides the scope of a call. */
export type ToolDependencies = { storage: Storage };

type About<Input extends TObject> = {
  /** Lower case with underscores; unique across all domains. */
  name: string;
  title: string;
  /** The effect of the tool, for a model that selects tools. */
  description: string;
  /** The `operationId` of the operation with the same use case. A test compares their scopes. */
  operation: string;
  /** The scope that the tool and its operation require. */
  scope: string;
  /** The additional scope to read the result, if the tool changes an existing resource. */
  reads?: string;
  /** Rejects unknown members. */
  input: Input;
  /** The input member with the identifier of the changed resource, and the tool that reads it. Approvers of a call see that resource. */
  target?: { by: string; read: string; as?: string };
};

type RunTool<S> = (scope: S, input: Record<string, unknown>) => Promise<unknown>;

/**
 * An operation as a tool for programs with a language model. It runs the same use case as the route and requires the same scopes, so no rule exists
 * twice. A read-only tool runs outside a transaction. If the journal records the read, it runs in a transaction like a tool that changes data.
 */
export type Tool = About<TObject> &
  ({ mutating: false; inTransaction: false; run: RunTool<ReadScope> } | { mutating: boolean; inTransaction: true; run: RunTool<Scope> });

type Declared<Input extends TObject, S> = About<Input> & { run(this: void, scope: S, input: Static<Input>): Promise<unknown> };

/** Closes the schema of an input: a caller may omit members with a default, and an unknown member is rejected. */
function closedInput({ required = [], ...members }: InputSchema): TObject {
  const needed = required.filter((name) => !('default' in (members.properties?.[name] ?? {})));
  return { ...members, ...(needed.length === 0 ? {} : { required: needed }), additionalProperties: false } as unknown as TObject;
}

function called<Input extends TObject, S>({ run, input, ...about }: Declared<Input, S>) {
  return {
    ...about,
    input: closedInput(input),
    run: (scope: S, given: Record<string, unknown>) => run(scope, given as Static<Input>),
  };
}

/** Declares a read-only tool. */
export function readingTool<const Input extends TObject>(tool: Declared<Input, ReadScope>): Tool {
  return { ...called(tool), mutating: false, inTransaction: false };
}

/** Declares a read-only tool whose reads the journal records. */
export function recordedReadTool<const Input extends TObject>(tool: Declared<Input, Scope>): Tool {
  return { ...called(tool), mutating: false, inTransaction: true };
}

/** Declares a tool that changes data. */
export function changingTool<const Input extends TObject>(tool: Declared<Input, Scope>): Tool {
  return { ...called(tool), mutating: true, inTransaction: true };
}

/** Returns all scopes that a caller of the tool needs. */
export const scopesOf = ({ scope, reads }: Pick<Tool, 'scope' | 'reads'>): string[] => (reads === undefined ? [scope] : [scope, reads]);

/** Returns the annotations of a tool in the Model Context Protocol. */
export const annotationsOf = ({ mutating }: Pick<Tool, 'mutating'>) => ({
  readOnlyHint: !mutating,
  destructiveHint: false,
  idempotentHint: !mutating,
  openWorldHint: false,
});

/** The input member for the next page of a list. */
export const cursor = Type.Optional(
  Type.String({ maxLength: 640, description: 'The start of the page: `nextCursor` of the previous page' }),
);

/** The input member for the maximum number of items in a list. */
export const limitTo = (most: number, usual: number) =>
  Type.Integer({ minimum: 1, maximum: most, default: usual, description: 'The maximum number' });

/** Returns a page of a list as the result of a tool. */
export function pageOf(page: ListPage | undefined): { items: unknown[]; more: boolean; nextCursor?: string } {
  if (page === undefined) return { items: [], more: false };
  const next = page.more && page.last ? { nextCursor: encodeCursor(page.last) } : {};
  return { items: JSON.parse(page.body) as unknown[], more: page.more, ...next };
}

type InputSchema = {
  type?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly InputSchema[];
  const?: unknown;
  required?: readonly string[];
  properties?: Record<string, InputSchema>;
};

const takesNull = (schema: InputSchema): boolean =>
  schema.type === 'null' ||
  schema.const === null ||
  (schema.enum?.includes(null) ?? false) ||
  (schema.anyOf?.some(takesNull) ?? false) ||
  !('type' in schema || 'const' in schema || 'enum' in schema || 'anyOf' in schema);

/** Removes optional members that are null, because many models send null for unset members. */
function withoutNulls(input: unknown, { properties = {}, required = [] }: InputSchema): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
  const members = input as Record<string, unknown>;
  for (const [name, schema] of Object.entries(properties)) {
    if (members[name] === null && !required.includes(name) && !takesNull(schema)) delete members[name];
    else withoutNulls(members[name], schema);
  }
}

const checks = new Map<Tool, Check>();

/**
 * Checks and returns the input of a call: the caller needs the scopes of the tool, and the input must match its schema.
 * The use case does all other checks. Throws 400 `validation_failed`, 403 `insufficient_scope`.
 */
export function callOf(tool: Tool, grantedScopes: ReadonlySet<string>, given: unknown): Record<string, unknown> {
  const lacking = scopesOf(tool).filter((scope) => !grantedScopes.has(scope));
  if (lacking.length > 0)
    throw problems.insufficient_scope(
      `The tool ${tool.name} needs ${lacking.join(' and ')}, which the caller does not have. Grant it, or use another tool.`,
    );
  const input: unknown = structuredClone(given);
  withoutNulls(input, tool.input);
  const check = checks.get(tool) ?? checkOf(tool.input);
  checks.set(tool, check);
  const inputErrors = check(input);
  if (!inputErrors) return input as Record<string, unknown>;
  const errors = inputErrors.map(({ instancePath, message, keyword }) => ({
    name: instancePath.slice(1).replaceAll('/', '.'),
    pointer: instancePath,
    reason: message ?? 'does not match the schema',
    rule: keyword,
  }));
  throw problems.validation_failed(`The input does not match the schema of the tool ${tool.name}. Correct the members in \`errors\`.`, {
    errors,
  });
}
