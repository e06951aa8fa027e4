import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { findPlaces, insertPlaces } from './place-queries.ts';
import type { FieldPlace } from './schemas.ts';

/** Stores the field positions of the first version of a document. */
export function keepFieldPlaces({ db, team }: Pick<Scope, 'db' | 'team'>, document: string, places: readonly FieldPlace[]): void {
  if (places.length > 0) db.send(insertPlaces, { team, document, version: 1, places: JSON.stringify(places) });
}

/** Returns the field positions of a version of a document, from its template. */
export async function fieldPlacesOf(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  document: string,
  version: number,
): Promise<FieldPlace[]> {
  return (await db.first(findPlaces, { team, document, version }))?.places ?? [];
}
