import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { Problem, problems } from '../problems.ts';
import type { Scope } from '../scope.ts';
import { problemDocument } from './problem-responses.ts';
import { principalOf, writing } from './scope.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the problem for any error. */
    problemOf(error: unknown, request: FastifyRequest): Problem;
    /** Counts one more change of a team in addition to the current request. Throws 429 above the limit. */
    spendWrite(team: string): void;
    /** Reports that a team exceeded a quota, for requests without a team member. */
    quotaExceeded(team: string, quota: string): void;
  }
}

/** Maximum number of resources that one request can change. */
export const maxItemsPerRequest = 100;

const problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
  },
  { additionalProperties: true, description: 'The problem document that a request for this resource would have returned' },
);

const status = Type.Integer({ description: 'The status that a request for this resource would have returned' });

const resultOrder = { description: 'One result for each item, in the order of the items' };

/** Returns the response schema of {@link writingEach}, with the resources under `name`. `key` names an item; by default `id`. */
export function resultsOf<Name extends string, Thing extends TObject, Key extends string = 'id'>(
  name: Name,
  thing: Thing,
  { title, key = 'id' as Key }: { title: string; key?: Key },
) {
  const members = { [key]: Type.String() } as Record<Key, ReturnType<typeof Type.String>>;
  const shown = { [name]: Type.Optional(thing) } as Record<Name, ReturnType<typeof Type.Optional<Thing>>>;
  return Type.Object(
    { results: Type.Array(Type.Object({ ...members, status, ...shown, problem: Type.Optional(problem) }), resultOrder) },
    { title },
  );
}

/** The response schema of {@link writingEach} for changes without a result. */
export const resultsWithoutThing = Type.Object(
  { results: Type.Array(Type.Object({ id: Type.String(), status, problem: Type.Optional(problem) }), resultOrder) },
  { title: 'ItemResults' },
);

/** Returns the body schema of {@link writingEach}. */
export const itemsOf = <Item extends TObject>(item: Item) =>
  Type.Object({
    items: Type.Array(item, {
      minItems: 1,
      maxItems: maxItemsPerRequest,
      description: 'The items, as in the operation for one resource',
    }),
  });

type Result<T> = { id: string; status: number; value?: T; problem?: Static<typeof problem> };

/** Returns the response of {@link writingEach} with the resources under `name`. */
export const namedResults = <T, Name extends string>(results: readonly Result<T>[], name: Name) => ({
  results: results.map(({ value, ...result }) => ({
    ...result,
    ...((value === undefined ? {} : { [name]: value }) as Partial<Record<Name, T>>),
  })),
});

/** A change of one item: its path in problems, the use case, and the status of the operation for one resource (default 200). */
type ItemChange<Item, T> = { path: (id: string) => string; work: (scope: Scope, item: Item) => Promise<T>; status?: number };

/**
 * Runs the same change for several resources, each in a separate transaction. A rejected item does not affect the
 * others. With an `Idempotency-Key` each successful item returns its stored response and is not changed again; a rejected item
 * is tried again. Errors: 400 for a duplicate resource, 409 while the same request is in progress, 422 for a key of another request.
 */
export async function writingEach<Item extends { id: string }, T>(
  request: FastifyRequest,
  items: readonly Item[],
  one: ItemChange<Item, T>,
): Promise<Result<T>[]> {
  refuseTwice(items);
  // Reserves the key for this request before any change.
  if (request.headers['idempotency-key'] !== undefined) await writing(request, async () => null);
  const results: Result<T>[] = [];
  let replayed = true;
  for (const [at, item] of items.entries()) {
    request.idempotencyReplayed = false;
    // Sequential, because the items can need the same locks and share the write limit of the team.
    results.push(await oneOf(request, { item, first: at === 0, ...one }));
    replayed &&= request.idempotencyReplayed;
  }
  request.idempotencyReplayed = replayed;
  return results;
}

function refuseTwice(items: readonly { id: string }[]): void {
  const ids = items.map(({ id }) => id.toLowerCase());
  const at = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (at === -1) return;
  throw problems.validation_failed('The list contains a resource twice. Name each resource once.', {
    errors: [{ name: 'id', pointer: `/items/${at}/id`, reason: 'is repeated', rule: 'unique' }],
  });
}

type BulkItem<Item, T> = ItemChange<Item, T> & { item: Item; first: boolean };

async function oneOf<Item extends { id: string }, T>(
  request: FastifyRequest,
  { item, first, path, work, status: done = 200 }: BulkItem<Item, T>,
): Promise<Result<T>> {
  const { server } = request;
  try {
    // The request itself is already counted.
    if (!first) server.spendWrite(principalOf(request).team ?? '');
    const part = { fingerprint: JSON.stringify(item), part: item.id.toLowerCase() };
    return { id: item.id, status: done, value: await writing(request, (scope) => work(scope, item), part) };
  } catch (error) {
    const refused = server.problemOf(error, request);
    // Nothing was changed yet, so an ended credential gets the same error as in other operations.
    if (refused.code === 'idempotency_in_progress' || (first && refused.status === 401)) throw refused;
    server.recordFailure(request, {
      error,
      status: refused.status,
      message: 'an item of a bulk request failed',
      about: { thing: item.id },
    });
    const context = { baseUrl: server.baseUrl, instance: path(item.id), requestId: request.id, traceId: request.traceId };
    return { id: item.id, status: refused.status, problem: problemDocument(refused, context) as Static<typeof problem> };
  }
}
