import { viewerOf, viewOf } from '#access';
import { problems } from '../../platform/problems.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { isPrintable, nameKey, normalText } from '../../platform/text.ts';
import * as queries from './label-queries.ts';
import type { Label } from './schemas.ts';

const maxCharacters = 50;

/**
 * Normalizes labels for storage: trims them, converts them to NFC, and removes labels that differ from an earlier one only in case. Returns them
 * with the keys for comparison.
 */
export function cleanLabels(given: readonly string[]): { labels: string[]; keys: string[] } {
  const byKey = new Map<string, string>();
  for (const [at, value] of given.entries()) {
    const label = normalText(value).trim();
    const length = Array.from(label).length;
    if (length < 1) throw refused(at, 'must not be empty or have only spaces.');
    if (length > maxCharacters) throw refused(at, `must have at most ${maxCharacters} characters, and has ${length}.`);
    if (!isPrintable(label)) throw refused(at, 'must not contain control or invisible characters.');
    if (!byKey.has(nameKey(label))) byKey.set(nameKey(label), label);
  }
  return { labels: [...byKey.values()], keys: [...byKey.keys()] };
}

const refused = (at: number, reason: string) =>
  problems.validation_failed(`\`labels/${at}\` ${reason}`, {
    errors: [{ name: 'labels', pointer: `/labels/${at}`, reason, rule: 'label' }],
  });

/** The keys of the labels that a document must all have. An invalid label gives a key that no document has. */
export const labelKeys = (given: readonly string[] | undefined): string[] | null =>
  given === undefined || given.length === 0 ? null : given.map((label) => nameKey(label.trim()).replaceAll('\0', ' '));

/** Returns the labels of the documents that the actor may read with their counts, most used first. */
export async function listLabels(scope: ReadScope): Promise<Label[]> {
  return scope.db.all(queries.countLabels[viewOf(scope.actor)], { team: scope.team, ...viewerOf(scope.actor) });
}
