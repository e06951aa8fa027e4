import { type PublicRecord, publicRecords, recordsNamed } from '#registries';
import type { Database } from '../../platform/database/database.ts';
import { problems } from '../../platform/problems.ts';
import { showingOf } from './bindings.ts';
import { type Link, requireOpen, visit, type Visited } from './visitor.ts';

type LookupContext = { database: Pick<Database, 'publicReader' | 'reader'>; now: Date };

/**
 * Records of a registry that a form shows, by its link: with the values of the fields that were public when it was published and are
 * still. A registry that the form does not show is as one that is not there. Errors: 404, also `interface_not_found`, 409
 * `interface_full`, 410.
 */
export async function lookUp(
  { database, now }: LookupContext,
  link: Link,
  { registryTypeId, q }: { registryTypeId: string; q?: string | undefined },
): Promise<PublicRecord[]> {
  const visited = await visit(database, link);
  requireOpen(visited, now);
  const { team, bindings } = visited;
  const showing = showingOf(bindings).find(({ registryId }) => registryId === registryTypeId.toLowerCase());
  const found = showing && (await publicRecords({ db: database.reader(team), team }, { ...showing, q }));
  if (!found)
    throw problems.not_found('This form shows no registry of this identifier. Read the form again: its fields name those it shows.');
  return found;
}

/** What a field of a form is to offer: records that `q` finds, and those that are chosen already. */
export type Offer = { registryTypeId: string; q?: string | undefined; chosen: readonly string[] };

/** Records for each of the offers; none of a registry that the form does not show. The same look-up is made once. */
export async function offerRecords(
  database: Pick<Database, 'reader'>,
  { team, bindings }: Pick<Visited, 'team' | 'bindings'>,
  offers: readonly Offer[],
): Promise<PublicRecord[][]> {
  const scope = { db: database.reader(team), team };
  const showing = showingOf(bindings);
  const kept = new Map<string, PublicRecord[]>();
  const found: PublicRecord[][] = [];
  for (const { registryTypeId, q, chosen } of offers) {
    const shown = showing.find(({ registryId }) => registryId === registryTypeId.toLowerCase());
    const key = `${registryTypeId} ${q ?? ''}`;
    if (!kept.has(key)) kept.set(key, (shown && (await publicRecords(scope, { ...shown, q }))) ?? []);
    const listed = kept.get(key) ?? [];
    const missing = chosen.filter((recordId) => !listed.some(({ id }) => id === recordId));
    const before =
      missing.length === 0
        ? []
        : [
            ...(
              await recordsNamed(
                scope,
                showing,
                missing.map((recordId) => ({ registryTypeId, recordId })),
              )
            ).values(),
          ];
    found.push([...before.filter(({ registryId }) => registryId === registryTypeId.toLowerCase()), ...listed]);
  }
  return found;
}
