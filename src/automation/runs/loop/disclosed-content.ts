import type { Reader } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';
import * as queries from './queries.ts';
import { keptCharacters } from './results.ts';

/** What the model of a run was told of, by the calls that were looked at: each is looked through once, and not at each turn of the run. */
export type Told = {
  calls: Set<string>;
  documents: Set<string>;
  /** Submissions, and when each was first told. */
  submissions: Map<string, string>;
};

export const nothingTold = (): Told => ({ calls: new Set(), documents: new Set(), submissions: new Map() });

const listed = new RegExp(queries.listedDocument, 'g');
const anything = new RegExp(queries.identifier, 'g');
/** What is listed as erased is told without its answers. */
const listedAsErased = new RegExp(`"id":"(${queries.identifier})"[^{}]*"status":"erased"`, 'g');

type Call = Pick<queries.CallRow, 'id' | 'tool' | 'arguments' | 'status' | 'result' | 'finished_at'>;

/** Adds what a call of a run has told, where it is over. */
function add(told: Told, { id, tool, arguments: given, status, result, finished_at: at }: Call): void {
  if (status !== 'done' || told.calls.has(id) || result === null || at === null) return;
  told.calls.add(id);
  // A refusal has told nothing.
  if (queries.toolsOfDocuments.includes(tool) && !result.startsWith('{"error":')) {
    const { id: document } = given as { id?: unknown };
    if (typeof document === 'string' && isUuid(document)) told.documents.add(document.toLowerCase());
  }
  if (queries.listsOfDocuments.includes(tool)) for (const [, document = ''] of result.matchAll(listed)) told.documents.add(document);
  for (const submission of submissionsTold(tool, result)) {
    const earlier = told.submissions.get(submission);
    if (earlier === undefined || at < earlier) told.submissions.set(submission, at);
  }
}

/** What may be a submission in what a call has told: whatever it names that is not listed as erased. */
function submissionsTold(tool: string, result: string): Set<string> {
  if (!queries.toolsOfSubmissions.includes(tool)) return new Set();
  const without = new Set(Array.from(result.matchAll(listedAsErased), ([, submission = '']) => submission));
  return new Set(Array.from(result.matchAll(anything), ([named]) => named).filter((named) => !without.has(named)));
}

/**
 * The identifiers that a call of a run has read. A rejection is about nothing, and an empty list is not about what it was narrowed to. A
 * server elsewhere may quote its input.
 */
export function identifiersRead(call: Pick<queries.CallRow, 'tool' | 'arguments'>, result: string): string[] {
  if (result.startsWith('{"error":')) return [];
  const erased = new Set(Array.from(result.matchAll(listedAsErased), ([, submission = '']) => submission));
  const isEmptyList = result.startsWith('{"items":[]') && !queries.isRemote(call);
  const text = `${isEmptyList ? '' : JSON.stringify(call.arguments)} ${result}`.toLowerCase();
  return [...new Set(Array.from(text.matchAll(anything), ([named]) => named))].filter((named) => !erased.has(named));
}

/** Whether a run was told what is erased since, or of a document that is gone for good. */
export async function wasToldErased(db: Pick<Reader, 'first'>, team: string, calls: readonly Call[], told: Told): Promise<boolean> {
  const turns = yieldToEventLoop(team);
  for (const call of calls) {
    add(told, call);
    if (turns.over) await turns.next();
  }
  const { documents, submissions } = told;
  if (documents.size + submissions.size === 0) return false;
  const named = { documents: [...documents], submissions: [...submissions.keys()], readAt: [...submissions.values()] };
  return (await db.first(queries.erasedAmong, { team, ...named })) !== undefined;
}

/** The same of a run that is over, by all that it keeps. */
export async function toldErasedIn(db: Pick<Reader, 'first' | 'all'>, team: string, run: string): Promise<boolean> {
  return wasToldErased(db, team, await db.all(queries.callsOf, { team, run, most: keptCharacters }), nothingTold());
}
