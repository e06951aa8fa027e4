import { viewerOf, viewOf } from '#access';
import { problems } from '../../platform/problems.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { isPrintable, nameKey, normalText } from '../../platform/text.ts';
import * as queries from './label-queries.ts';
import type { Label } from './schemas.ts';

const maxCharacters = 50;

/** Labels as they are kept: trimmed, NFC, each once, upper and lower case alike, as it is written first; with the keys they are compared by. */
export function cleanLabels(given: readonly string[]): { labels: string[]; keys: string[] } {
  const byKey = new Map<string, string>();
  for (const [at, value] of given.entries()) {
    const label = normalText(value).trim();
    const length = Array.from(label).length;
    if (length < 1 || length > maxCharacters) throw refused(at, `must have 1 to ${maxCharacters} characters that are not spaces.`);
    if (!isPrintable(label)) throw refused(at, 'must not contain control or invisible characters.');
    if (!byKey.has(nameKey(label))) byKey.set(nameKey(label), label);
  }
  return { labels: [...byKey.values()], keys: [...byKey.keys()] };
}

const refused = (at: number, reason: string) =>
  problems.validation_failed(`\`labels/${at}\` ${reason}`, {
    errors: [{ name: 'labels', pointer: `/labels/${at}`, reason, rule: 'label' }],
  });

/** The keys of the labels that a list is narrowed to, of which a document must have all. No label is as one that no document has. */
export const labelKeys = (given: readonly string[] | undefined): string[] | null =>
  given === undefined || given.length === 0 ? null : given.map((label) => nameKey(label.trim()).replaceAll('\0', ' '));

/** The labels of the documents that the actor may read, with how many have each, the commonest first. */
export async function listLabels(scope: ReadScope): Promise<Label[]> {
  return scope.db.all(queries.countLabels[viewOf(scope.actor)], { team: scope.team, ...viewerOf(scope.actor) });
}
