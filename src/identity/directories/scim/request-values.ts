import type { FastifyRequest } from 'fastify';
import { decodeCursor, encodeCursor } from '../../../platform/http/page.ts';
import { etagList } from '../../../platform/http/etag.ts';
import { isUuid, smallestId } from '../../../platform/identifiers.ts';
import { problems } from '../../../platform/problems.ts';
import { defaultCount, maxCount } from './discovery.ts';
import { invalid } from './errors.ts';
import { readFilter, type Term } from './filter.ts';
import type { Projection } from './resources.ts';
import type { ListPosition } from './user-queries.ts';
import type { VersionCheck } from './users.ts';

/** Returns a parameter of the query; the first one, if it is repeated. Names ignore no case (RFC 7644 §3.4.2). */
function parameter(request: FastifyRequest, name: string): string | undefined {
  const value = new URLSearchParams(request.url.split('?', 2)[1] ?? '').get(name);
  if (value !== null && value.length > 2_000) throw invalid('invalidValue', `\`${name}\` is too long.`);
  return value ?? undefined;
}

function integerOf(request: FastifyRequest, name: string, otherwise: number): number {
  const text = parameter(request, name);
  if (text === undefined || text === '') return otherwise;
  if (!/^-?\d{1,9}$/.test(text)) throw invalid('invalidValue', `\`${name}\` must be an integer.`);
  return Number(text);
}

/** The page that a request selects: by index (`startIndex`), or by cursor (RFC 9865), which an empty `cursor` starts. */
export type Page = { terms: Term[]; position: ListPosition; count: number; startIndex: number | undefined };

export function pageOf(request: FastifyRequest, of: 'user' | 'group'): Page {
  const filter = parameter(request, 'filter');
  const terms = filter === undefined || filter === '' ? [] : readFilter(filter, of);
  const count = Math.min(maxCount, Math.max(0, integerOf(request, 'count', defaultCount)));
  const cursor = parameter(request, 'cursor');
  if (cursor !== undefined) return { terms, count, startIndex: undefined, position: { after: afterOf(cursor) } };
  const startIndex = Math.max(1, integerOf(request, 'startIndex', 1));
  return { terms, count, startIndex, position: { offset: startIndex - 1 } };
}

function afterOf(cursor: string): string {
  if (cursor === '') return smallestId;
  try {
    const [id = ''] = decodeCursor(cursor, 1);
    if (isUuid(id)) return id;
  } catch {
    // The error follows.
  }
  throw problems.bad_request('`cursor` does not come from this list. Start again without a value.', {
    members: { scimType: 'invalidCursor' },
  });
}

export const cursorAfter = (id: string): string => encodeCursor([id]);

const namesIn = (text: string | undefined): ReadonlySet<string> =>
  new Set((text ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()])));

export function projectionOf(request: FastifyRequest): Projection {
  const only = parameter(request, 'attributes');
  return { only: only === undefined || only === '' ? undefined : namesIn(only), except: namesIn(parameter(request, 'excludedAttributes')) };
}

/** Returns the versions in a list of entity tags: `W/"3"` or `"3"`. */
const versionsIn = (header: string): (string | undefined)[] => etagList(header).map((tag) => /^(?:W\/)?"(\d{1,9})"$/.exec(tag)?.[1]);

/** The check of `If-Match`. SCIM compares weak tags too (RFC 7644 §3.14). */
export function ifMatchOf(request: FastifyRequest): VersionCheck {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return () => undefined;
  const versions = versionsIn(header);
  return (version) => {
    if (!versions.includes(String(version)))
      throw problems.precondition_failed('The resource changed after you read it. Read it again and repeat the change.');
  };
}

/** Whether the caller has this version already. */
export function isKnown(request: FastifyRequest, version: number): boolean {
  const header = request.headers['if-none-match'];
  return header !== undefined && (header.trim() === '*' || versionsIn(header).includes(String(version)));
}
