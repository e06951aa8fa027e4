import { type PublicRecord, publicRecords, recordsNamed } from '#registries';
import type { Database } from '../../platform/database/database.ts';
import { problems } from '../../platform/problems.ts';
import { showingOf } from './bindings.ts';
import { type Link, requireOpen, visit, type Visited } from './visitor.ts';

type LookupContext = { database: Pick<Database, 'publicReader' | 'reader'>; now: Date };

/**
 * Returns records of a registry that a form shows, with the fields that were public at publication and still are. An unused registry
 * gets the same response as a missing one. Throws 404, including `interface_not_found`, 409 `interface_full`, 410.
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
  if (!found) throw problems.not_found('This form does not use this registry. Read the form again; its fields list the registries.');
  return found;
}

/** The records that a field offers: matches of `q`, and the records that are already selected. */
export type Offer = { registryTypeId: string; q?: string | undefined; chosen: readonly string[] };

/** Returns the records for each offer, and none for a registry that the form does not show. Identical look-ups run once. */
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
