import { isBehindBarrier } from '#access';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Via } from '../../platform/access-reason.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { reach } from './access.ts';
import { documentRead } from './events.ts';
import * as queries from './queries.ts';

/** A document for an evidence pack. `whole`: the actor may have everything about it. */
export type DocumentInWhole = { id: string; title: string; barred: boolean; whole: boolean; via: Via };

/** Returns the document if the actor may read it, with the reason for the access. Returns undefined if it does not exist for the actor. */
export async function documentInWhole(
  scope: Pick<ReadScope | Scope, 'db' | 'team' | 'actor'>,
  id: string,
): Promise<DocumentInWhole | undefined> {
  const found = await reach(scope, id);
  if (!found) return undefined;
  const { document, access } = found;
  return {
    id: document.id,
    title: document.title,
    barred: isBehindBarrier(document.barrier_id),
    whole: access.can('export'),
    via: access.via,
  };
}

/** Records a read of each of these versions, like a download. */
export async function recordReadings(scope: Scope, { id, via }: DocumentInWhole, versions: readonly number[]): Promise<void> {
  for (const version of versions) await recordAudit(scope, documentRead, id, { version, via });
}

export type KeptVersion = Pick<queries.DocumentVersionRow, 'number' | 'storage_key' | 'file_name' | 'size' | 'sha256' | 'created_at'>;

/** Returns the files of a document’s versions, newest first, at most `limit`. With `numbers` only those versions. */
export function filesOfDocument(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  document: string,
  { numbers, limit }: { numbers?: readonly number[] | undefined; limit: number },
): Promise<KeptVersion[]> {
  return db.all(queries.newestVersions, { team, document, numbers: numbers ?? null, limit });
}
