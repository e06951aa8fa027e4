import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { Problem, problems } from '../problems.ts';
import type { Scope } from '../scope.ts';
import { problemDocument } from './problem-responses.ts';
import { principalOf, writing } from './scope.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The problem that answers an error, whatever it is. */
    problemOf(error: unknown, request: FastifyRequest): Problem;
    /** Counts one more change of a team than the request that is under way. Throws 429 where it is one too many. */
    spendWrite(team: string): void;
    /** Says that a team has used a quota up, where the request is of nobody in it. */
    quotaExceeded(team: string, quota: string): void;
  }
}

/** Things that one request may change at most. */
export const maxItemsPerRequest = 100;

const problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
  },
  { additionalProperties: true, description: 'The problem document that the operation on this thing alone would have answered' },
);

/** The schema of what {@link writingEach} answers, under the name that the things have. */
export function resultsOf<Name extends string, Thing extends TObject>(name: Name, thing: Thing, title: string) {
  const members = { id: Type.String(), status: Type.Integer({ description: 'The status of the operation on this thing alone' }) };
  const shown = { [name]: Type.Optional(thing) } as Record<Name, ReturnType<typeof Type.Optional<Thing>>>;
  return Type.Object({ results: Type.Array(Type.Object({ ...members, ...shown, problem: Type.Optional(problem) })) }, { title });
}

type Result<T> = { id: string; status: number; value?: T; problem?: Static<typeof problem> };

/**
 * Does the same to several things, each in a transaction of its own as if it were asked for alone: one that is refused leaves
 * the others as they are. With an `Idempotency-Key` each that was done is answered again and not done twice; what was refused
 * is tried again. Errors: 400 for a thing that is named twice, 409 while the same request is under way, 422 for a key of another one.
 */
export async function writingEach<Item extends { id: string }, T>(
  request: FastifyRequest,
  items: readonly Item[],
  one: { path: (id: string) => string; work: (scope: Scope, item: Item) => Promise<T> },
): Promise<Result<T>[]> {
  refuseTwice(items);
  // Says that the key is this request's, before anything is done under it.
  if (request.headers['idempotency-key'] !== undefined) await writing(request, async () => null);
  const results: Result<T>[] = [];
  let replayed = true;
  for (const [at, item] of items.entries()) {
    request.idempotencyReplayed = false;
    // One after the other: they may hold the same locks, and share the pace of the team.
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
  throw problems.validation_failed('Name each thing once.', {
    errors: [{ name: 'id', pointer: `/items/${at}/id`, reason: 'was named before', rule: 'unique' }],
  });
}

type BulkItem<Item, T> = { item: Item; first: boolean; path: (id: string) => string; work: (scope: Scope, item: Item) => Promise<T> };

async function oneOf<Item extends { id: string }, T>(
  request: FastifyRequest,
  { item, first, path, work }: BulkItem<Item, T>,
): Promise<Result<T>> {
  const { server } = request;
  try {
    // The request itself was counted when it came.
    if (!first) server.spendWrite(principalOf(request).team ?? '');
    const part = { fingerprint: JSON.stringify(item), part: item.id.toLowerCase() };
    return { id: item.id, status: 200, value: await writing(request, (scope) => work(scope, item), part) };
  } catch (error) {
    const refused = server.problemOf(error, request);
    // Nothing was done yet: whoever's credential has ended is told what any other operation tells them.
    if (refused.code === 'idempotency_in_progress' || (first && refused.status === 401)) throw refused;
    server.noteFailure(request, { error, status: refused.status, message: 'one of several failed', about: { thing: item.id } });
    const context = { baseUrl: server.baseUrl, instance: path(item.id), requestId: request.id, traceId: request.traceId };
    return { id: item.id, status: refused.status, problem: problemDocument(refused, context) as Static<typeof problem> };
  }
}
