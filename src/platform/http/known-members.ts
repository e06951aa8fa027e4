import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type FieldError, problems } from '../problems.ts';
import { isObject } from '../json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The handling of unknown body members: a 400, or, in bodies of the published contract, ignoring them with a
     * `Warning`. A schema that allows further members keeps them.
     */
    unknownMembers?: 'refused' | 'ignored';
  }
}

/** Maximum number of unknown members that an error or warning names. */
const maxNamed = 10;

type Schema = {
  properties?: Record<string, Schema>;
  /** Free member names. The domain checks such an object with {@link unknownMembers}. */
  patternProperties?: Record<string, unknown>;
  additionalProperties?: unknown;
  anyOf?: Schema[];
  items?: Schema;
};

/** Returns the members of an object schema; undefined if it allows any. */
function knownTo(schema: unknown): ReadonlySet<string> | undefined {
  const { properties, additionalProperties, anyOf } = schema as Schema;
  if (anyOf) {
    const known = anyOf.flatMap((one) => (one.properties || one.anyOf ? [knownTo(one)] : []));
    return known.length === 0 || known.includes(undefined) ? undefined : new Set(known.flatMap((one) => [...(one ?? [])]));
  }
  if (!properties || (additionalProperties !== undefined && additionalProperties !== false)) return undefined;
  return new Set(Object.keys(properties));
}

const freeNames = ({ patternProperties, anyOf = [] }: Schema): RegExp[] => [
  ...Object.keys(patternProperties ?? {}).map((pattern) => new RegExp(pattern, 'u')),
  ...anyOf.flatMap(freeNames),
];

/** Returns the number of letters to change, remove or insert to get from one text to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns the most similar known name, if at most `most` letters differ. */
export function nearestName(name: string, known: Iterable<string>, most?: number): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  let nearest: { name: string; far: number } | undefined;
  for (const candidate of known) {
    if (most !== undefined && Math.abs(candidate.length - wanted.length) > most) continue;
    const far = distance(wanted, candidate.toLowerCase());
    if (!nearest || far < nearest.far) nearest = { name: candidate, far };
  }
  return nearest && nearest.far <= (most ?? Math.max(2, Math.floor(nearest.name.length / 2))) ? nearest.name : undefined;
}

/** Returns the most similar known name as the end of a reason; an empty text without one. `within`: the path of the names. */
export function didYouMean(name: string, known: Iterable<string>, within = ''): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean \`${within === '' ? nearest : `${within}.${nearest}`}\`?`;
}

/** An unknown member: the path of its object, and the known members of that object. */
type Unknown = { name: string; within: readonly (string | number)[]; known: ReadonlySet<string> };

const pointerOf = (path: readonly (string | number)[]) =>
  path.map((part) => `/${String(part).slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function errorOf({ name: given, within, known }: Unknown): FieldError {
  const name = given.slice(0, 64);
  return { name, pointer: pointerOf([...within, name]), reason: `is unknown${didYouMean(given, known)}`, rule: 'unknown' };
}

/** Returns an error for each unknown member of a value. `within` is the path of the value in the request. */
export const unknownMembers = (schema: object, value: unknown, within: readonly string[]): FieldError[] =>
  unknownTo(schema, value, within, 'all').slice(0, maxNamed).map(errorOf);

/** Returns an error for each member of an object that has none of the known names. `within` is the path of the object in the request. */
export function unknownNames(value: object, names: Iterable<string>, within: readonly string[]): FieldError[] {
  const known = new Set(names);
  const unknown = Object.keys(value).filter((name) => !known.has(name));
  return unknown.slice(0, maxNamed).map((name) => errorOf({ name, within, known }));
}

function refusal(part: 'query' | 'body', unknown: readonly Unknown[]) {
  const errors = unknown.slice(0, maxNamed).map(errorOf);
  const what = part === 'query' ? 'query parameters' : 'body members';
  const { known, within } = unknown[0] ?? { known: new Set<string>(), within: [] };
  const where = within.length === 0 ? 'It' : `\`${pointerOf(within)}\``;
  const taken = known.size === 0 ? `${where} accepts none.` : `${where} accepts ${[...known].map((name) => `\`${name}\``).join(', ')}.`;
  const named = errors.map(({ name, reason }) => `\`${name}\` ${reason}`).join(' ');
  return problems.validation_failed(`This operation does not accept some ${what}: ${named.endsWith('?') ? named : `${named}.`} ${taken}`, {
    errors,
  });
}

/** Adds a `Warning` header to the response (RFC 9111 §5.5, code 299). */
export function warn(reply: FastifyReply, sentence: string): void {
  const text = `299 - "${sentence.replaceAll(/[^ !#-[\]-~]/g, '?')}"`;
  const kept = reply.getHeader('warning');
  reply.header('warning', kept === undefined ? text : `${String(kept)}, ${text}`);
}

/** Returns the schemas of a member of an object. */
function schemasOf(schema: Schema, name: string): Schema[] {
  const { properties, anyOf } = schema;
  const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return [...(own ? [own] : []), ...(anyOf ?? []).flatMap((one) => schemasOf(one, name))];
}

const itemsOf = (schema: Schema): Schema[] => [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? []).flatMap(itemsOf)];

/** Returns a schema that accepts any of several schemas. */
const either = (schemas: Schema[]): Schema | undefined => (schemas.length > 1 ? { anyOf: schemas } : schemas[0]);

/** Returns the unknown members of a value at any depth. Objects that accept any member are skipped. */
function unknownTo(
  schema: Schema | undefined,
  value: unknown,
  within: readonly (string | number)[] = [],
  objects: 'all' | 'without free names' = 'without free names',
): Unknown[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    const items = either(itemsOf(schema));
    return items === undefined ? [] : value.flatMap((one, at) => unknownTo(items, one, [...within, at], objects));
  }
  const known = isObject(value) ? knownTo(schema) : undefined;
  if (!isObject(value) || known === undefined) return [];
  const free = freeNames(schema);
  if (free.length > 0 && objects !== 'all') return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (known.has(name)) return unknownTo(either(schemasOf(schema, name)), member, [...within, name], objects);
    return free.some((pattern) => pattern.test(name)) ? [] : [{ name, within, known }];
  });
}

/** Returns a value without its unknown members. */
function without(value: unknown, unknown: readonly Unknown[]): unknown {
  const kept = structuredClone(value);
  for (const { name, within } of unknown) {
    const parent = within.reduce<unknown>((one, part) => (one as Record<string | number, unknown>)[part], kept);
    delete (parent as Record<string, unknown>)[name];
  }
  return kept;
}

/** Rejects unknown query parameters. Otherwise a misspelled filter would have no effect. */
function queryHook(known: ReadonlySet<string>) {
  return async (request: FastifyRequest): Promise<void> => {
    const unknown = Object.keys(request.query as object).filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw refusal(
        'query',
        unknown.map((name) => ({ name, within: [], known })),
      );
  };
}

function bodyHook(schema: Schema, what: 'refused' | 'ignored', changes: boolean) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { body } = request;
    if (!isObject(body)) return;
    const unknown = unknownTo(schema, body);
    if (unknown.length === 0) return;
    const atTop = unknown.filter(({ within }) => within.length === 0);
    // A change without any known member would look successful.
    if (what === 'refused' || (changes && atTop.length === Object.keys(body).length)) throw refusal('body', unknown);
    request.body = without(body, unknown);
    const named = unknown
      .slice(0, maxNamed)
      .map(({ name, within }) => [...within, name].map((part) => String(part).slice(0, 64)).join('/'));
    warn(reply, `Ignored unknown members: ${named.join(', ')}${unknown.length > maxNamed ? ', …' : ''}`);
  };
}

/**
 * Makes a route reject or ignore unknown members according to its schemas. Excludes pages, which are no API operations, and
 * form posts, whose protocol ignores unknown parameters (RFC 6749 §3.2).
 */
export function refuseUnknown(route: RouteOptions): void {
  const { schema, config } = route;
  if (!schema || schema.hide || config?.errorShape === 'rfc6749' || [route.method].flat().includes('OPTIONS')) return;
  const query = schema.querystring === undefined ? new Set<string>() : knownTo(schema.querystring);
  if (query) route.preParsing = [queryHook(query), ...[route.preParsing ?? []].flat()];
  const body = schema.body as Schema | undefined;
  if (body === undefined) return;
  const changes = [route.method].flat().some((method) => method === 'PUT' || method === 'PATCH');
  const hook = bodyHook(body, config?.unknownMembers ?? 'refused', changes);
  // After the hooks of the route, which may read the body from elsewhere.
  route.preValidation = [...[route.preValidation ?? []].flat(), hook];
}
