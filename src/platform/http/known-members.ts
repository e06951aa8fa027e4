import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type FieldError, problems } from '../problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What becomes of members of the body that the operation does not know: a 400, or, in the bodies of a contract that others
     * have written, they are left out and named in a `Warning`. A schema that takes further members keeps them.
     */
    unknownMembers?: 'refused' | 'ignored';
  }
}

/** Members named at most, in a refusal or warning. */
const mostNamed = 10;

type Schema = { properties?: Record<string, unknown>; additionalProperties?: unknown; anyOf?: Schema[] };

/** The members that an object schema knows; nothing when it takes any. */
function knownTo(schema: unknown): ReadonlySet<string> | undefined {
  const { properties, additionalProperties, anyOf } = schema as Schema;
  if (anyOf) {
    const known = anyOf.flatMap((one) => (one.properties || one.anyOf ? [knownTo(one)] : []));
    return known.length === 0 || known.includes(undefined) ? undefined : new Set(known.flatMap((one) => [...(one ?? [])]));
  }
  if (!properties || (additionalProperties !== undefined && additionalProperties !== false)) return undefined;
  return new Set(Object.keys(properties));
}

/** How many letters must be changed, left out or put in to make one text of another (Levenshtein). */
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

/** The known name that is most like another, when one is like it at all. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const asked = name.slice(0, 64).toLowerCase();
  let nearest: { name: string; far: number } | undefined;
  for (const candidate of known) {
    const far = distance(asked, candidate.toLowerCase());
    if (!nearest || far < nearest.far) nearest = { name: candidate, far };
  }
  return nearest && nearest.far <= Math.max(2, Math.floor(nearest.name.length / 2)) ? nearest.name : undefined;
}

function refusal(part: 'query' | 'body', unknown: readonly string[], known: ReadonlySet<string>) {
  const faults = unknown.slice(0, mostNamed).map((given): FieldError => {
    const name = given.slice(0, 64);
    const nearest = nearestName(given, known);
    const reason = `is not known here${nearest === undefined ? '' : `; did you mean \`${nearest}\`?`}`;
    return { name, pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, reason, rule: 'unknown' };
  });
  const what = part === 'query' ? 'query parameters' : 'members of the body';
  const taken = known.size === 0 ? 'It takes none.' : `It takes ${[...known].map((name) => `\`${name}\``).join(', ')}.`;
  const named = faults.map(({ name, reason }) => `\`${name}\` ${reason}`).join(' ');
  return problems.validation_failed(`This operation does not know some ${what}: ${named.endsWith('?') ? named : `${named}.`} ${taken}`, {
    errors: faults,
  });
}

/** Adds a sentence that an answer carries beside what it says (RFC 9111 §5.5, code 299). */
export function warn(reply: FastifyReply, sentence: string): void {
  const text = `299 - "${sentence.replaceAll(/[^ !#-[\]-~]/g, '?')}"`;
  const kept = reply.getHeader('warning');
  reply.header('warning', kept === undefined ? text : `${String(kept)}, ${text}`);
}

const unknownTo = (known: ReadonlySet<string>, given: object) => Object.keys(given).filter((name) => !known.has(name));

/** Refuses query parameters that an operation does not know: what was meant to narrow a list would quietly not. */
function queryHook(known: ReadonlySet<string>) {
  return async (request: FastifyRequest): Promise<void> => {
    const unknown = unknownTo(known, request.query as object);
    if (unknown.length > 0) throw refusal('query', unknown, known);
  };
}

function bodyHook(known: ReadonlySet<string>, what: 'refused' | 'ignored', changes: boolean) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    const unknown = unknownTo(known, body);
    if (unknown.length === 0) return;
    // A change that names nothing to change would be taken for done.
    if (what === 'refused' || (changes && unknown.length === Object.keys(body).length)) throw refusal('body', unknown, known);
    request.body = Object.fromEntries(Object.entries(body).filter(([name]) => known.has(name)));
    const named = unknown.slice(0, mostNamed).map((name) => name.slice(0, 64));
    warn(reply, `Ignored, since the operation does not know them: ${named.join(', ')}${unknown.length > mostNamed ? ', …' : ''}`);
  };
}

/**
 * Has a route look at what it does not know, as its schemas say. Not those that are no operations of the API (pages), nor
 * forms, whose protocol says that unknown parameters are ignored (RFC 6749 §3.2).
 */
export function refuseUnknown(route: RouteOptions): void {
  const { schema, config } = route;
  if (!schema || schema.hide || config?.errorShape === 'rfc6749' || [route.method].flat().includes('OPTIONS')) return;
  const query = schema.querystring === undefined ? new Set<string>() : knownTo(schema.querystring);
  if (query) route.preParsing = [queryHook(query), ...[route.preParsing ?? []].flat()];
  const body = schema.body === undefined ? undefined : knownTo(schema.body);
  if (!body) return;
  const changes = [route.method].flat().some((method) => method === 'PUT' || method === 'PATCH');
  const hook = bodyHook(body, config?.unknownMembers ?? 'refused', changes);
  // After the hooks of the route itself, which may read the body from elsewhere.
  route.preValidation = [...[route.preValidation ?? []].flat(), hook];
}
