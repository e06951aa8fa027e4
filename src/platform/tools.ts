import { type Static, type TObject, Type } from 'typebox';
import type { ListPage } from './database/json-page.ts';
import { encodeCursor } from './http/page.ts';
import { type Check, checkOf } from './http/validators.ts';
import { problems } from './problems.ts';
import type { ReadScope, Scope } from './scope.ts';
import type { Storage } from './storage/storage.ts';

/** What tools work with besides the scope of a call. */
export type ToolDependencies = { storage: Storage };

type About<Input extends TObject> = {
  /** Lower case with underscores; unique over all domains. */
  name: string;
  title: string;
  /** What it does, for a model that chooses among tools. */
  description: string;
  /** The `operationId` of the operation whose use case it calls. A test compares their scopes. */
  operation: string;
  /** The scope that opens it, as it opens the operation. */
  scope: string;
  /** The scope that what it answers with is read by, where it changes what is there already. */
  reads?: string;
  /** No members but those that it names. */
  input: Input;
  /** Which member of the input names what it changes, and the tool that reads that: who approves a call is shown it. */
  target?: { by: string; read: string; as?: string };
};

type RunTool<S> = (scope: S, input: Record<string, unknown>) => Promise<unknown>;

/**
 * An operation as programs that work with a model call it: the same use case as the route's, under the same scopes, so that no rule
 * stands twice. One that only reads runs outside of any transaction, unless the journal says what was read: then inside one, as one
 * that changes something.
 */
export type Tool = About<TObject> &
  ({ mutating: false; inTransaction: false; run: RunTool<ReadScope> } | { mutating: boolean; inTransaction: true; run: RunTool<Scope> });

type Declared<Input extends TObject, S> = About<Input> & { run(this: void, scope: S, input: Static<Input>): Promise<unknown> };

/** The schema of an input: a caller may omit members with a default, and an unknown member is rejected. */
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

/** Declares a tool that only reads. */
export function readingTool<const Input extends TObject>(tool: Declared<Input, ReadScope>): Tool {
  return { ...called(tool), mutating: false, inTransaction: false };
}

/** Declares a tool that only reads, and whose use case has the journal say so. */
export function notedReadingTool<const Input extends TObject>(tool: Declared<Input, Scope>): Tool {
  return { ...called(tool), mutating: false, inTransaction: true };
}

/** Declares a tool that changes something. */
export function changingTool<const Input extends TObject>(tool: Declared<Input, Scope>): Tool {
  return { ...called(tool), mutating: true, inTransaction: true };
}

/** The scopes that a caller of a tool holds, all of them. */
export const scopesOf = ({ scope, reads }: Pick<Tool, 'scope' | 'reads'>): string[] => (reads === undefined ? [scope] : [scope, reads]);

/** What a tool says of itself as the Model Context Protocol has it. */
export const annotationsOf = ({ mutating }: Pick<Tool, 'mutating'>) => ({
  readOnlyHint: !mutating,
  destructiveHint: false,
  idempotentHint: !mutating,
  openWorldHint: false,
});

/** What a tool that lists takes to go on where a page ended. */
export const cursor = Type.Optional(
  Type.String({ maxLength: 640, description: 'The start of the page: `nextCursor` of the previous page' }),
);

/** How many things a tool that lists answers with. */
export const limitTo = (most: number, usual: number) =>
  Type.Integer({ minimum: 1, maximum: most, default: usual, description: 'The maximum number' });

/** A page of a list as a tool answers it. */
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

/** Removes optional members that are null: many models send null for members that they do not set. */
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
 * The input of a call, once it was looked at: the caller must hold the scopes of the tool, and the input must fit its schema. What comes
 * of the call is then decided by the use case alone. Errors: 400 `validation_failed`, 403 `insufficient_scope`.
 */
export function callOf(tool: Tool, grantedScopes: ReadonlySet<string>, given: unknown): Record<string, unknown> {
  const lacking = scopesOf(tool).filter((scope) => !grantedScopes.has(scope));
  if (lacking.length > 0)
    throw problems.insufficient_scope(`The tool ${tool.name} needs ${lacking.join(' and ')}, which the caller does not hold.`);
  const input: unknown = structuredClone(given);
  withoutNulls(input, tool.input);
  const check = checks.get(tool) ?? checkOf(tool.input);
  checks.set(tool, check);
  const inputErrors = check(input);
  if (!inputErrors) return input as Record<string, unknown>;
  const errors = inputErrors.map(({ instancePath, message, keyword }) => ({
    name: instancePath.slice(1).replaceAll('/', '.'),
    pointer: instancePath,
    reason: message ?? 'does not fit',
    rule: keyword,
  }));
  throw problems.validation_failed(`The input does not fit the schema of the tool ${tool.name}.`, { errors });
}
