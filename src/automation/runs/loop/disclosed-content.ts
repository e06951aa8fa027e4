import type { Reader } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';
import * as queries from './queries.ts';
import { keptCharacters } from './results.ts';

/** The documents and submissions that a run has disclosed to its model. `calls` lists the scanned calls, so that each call is scanned only once. */
export type DisclosedContent = {
  calls: Set<string>;
  documents: Set<string>;
  /** Submissions with the time of their first disclosure. */
  submissions: Map<string, string>;
};

export const nothingDisclosed = (): DisclosedContent => ({ calls: new Set(), documents: new Set(), submissions: new Map() });

const listed = new RegExp(queries.listedDocument, 'g');
const anything = new RegExp(queries.identifier, 'g');
/** A list shows an erased submission without its answers, so it discloses nothing. */
const listedAsErased = new RegExp(`"id":"(${queries.identifier})"[^{}]*"status":"erased"`, 'g');

type ScannedCall = Pick<queries.CallRow, 'id' | 'tool' | 'arguments' | 'status' | 'result' | 'finished_at'>;

/** Adds the disclosures of a call that has ended. */
function add(disclosed: DisclosedContent, { id, tool, arguments: given, status, result, finished_at: at }: ScannedCall): void {
  if (status !== 'done' || disclosed.calls.has(id) || result === null || at === null) return;
  disclosed.calls.add(id);
  // An error response discloses nothing.
  if (queries.toolsOfDocuments.includes(tool) && !result.startsWith('{"error":')) {
    const { id: document } = given as { id?: unknown };
    if (typeof document === 'string' && isUuid(document)) disclosed.documents.add(document.toLowerCase());
  }
  if (queries.listsOfDocuments.includes(tool)) for (const [, document = ''] of result.matchAll(listed)) disclosed.documents.add(document);
  for (const submission of submissionsIn(tool, result)) {
    const earlier = disclosed.submissions.get(submission);
    if (earlier === undefined || at < earlier) disclosed.submissions.set(submission, at);
  }
}

/** Returns the identifiers in a result that may be submissions: all except those listed as erased. */
function submissionsIn(tool: string, result: string): Set<string> {
  if (!queries.toolsOfSubmissions.includes(tool)) return new Set();
  const without = new Set(Array.from(result.matchAll(listedAsErased), ([, submission = '']) => submission));
  return new Set(Array.from(result.matchAll(anything), ([named]) => named).filter((named) => !without.has(named)));
}

/**
 * Returns the identifiers that a call has read. An error has none. The filters of a list without results do not count, except for an external server,
 * which may quote them in its response.
 */
export function identifiersRead(call: Pick<queries.CallRow, 'tool' | 'arguments'>, result: string): string[] {
  if (result.startsWith('{"error":')) return [];
  const erased = new Set(Array.from(result.matchAll(listedAsErased), ([, submission = '']) => submission));
  const isEmptyList = result.startsWith('{"items":[]') && !queries.isRemote(call);
  const text = `${isEmptyList ? '' : JSON.stringify(call.arguments)} ${result}`.toLowerCase();
  return [...new Set(Array.from(text.matchAll(anything), ([named]) => named))].filter((named) => !erased.has(named));
}

/** Whether a run disclosed a submission that was erased later, or a document that was permanently deleted. */
export async function hasReadErased(
  db: Pick<Reader, 'first'>,
  team: string,
  calls: readonly ScannedCall[],
  disclosed: DisclosedContent,
): Promise<boolean> {
  const turns = yieldToEventLoop(team);
  for (const call of calls) {
    add(disclosed, call);
    if (turns.over) await turns.next();
  }
  const { documents, submissions } = disclosed;
  if (documents.size + submissions.size === 0) return false;
  const named = { documents: [...documents], submissions: [...submissions.keys()], readAt: [...submissions.values()] };
  return (await db.first(queries.erasedAmong, { team, ...named })) !== undefined;
}

/** Like {@link hasReadErased}, but for a run that has ended, with all stored calls. */
export async function hasReadErasedIn(db: Pick<Reader, 'first' | 'all'>, team: string, run: string): Promise<boolean> {
  return hasReadErased(db, team, await db.all(queries.callsOf, { team, run, most: keptCharacters }), nothingDisclosed());
}
