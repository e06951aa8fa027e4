import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { findPlaces, insertPlaces } from './place-queries.ts';
import type { FieldPlace } from './schemas.ts';

/** Keeps where the first version of a document is signed. */
export function keepFieldPlaces({ db, team }: Pick<Scope, 'db' | 'team'>, document: string, places: readonly FieldPlace[]): void {
  if (places.length > 0) db.send(insertPlaces, { team, document, version: 1, places: JSON.stringify(places) });
}

/** Where a version of a document is signed, as far as its template says. */
export async function fieldPlacesOf(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  document: string,
  version: number,
): Promise<FieldPlace[]> {
  return (await db.first(findPlaces, { team, document, version }))?.places ?? [];
}
