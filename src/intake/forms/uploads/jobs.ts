import type { Database } from '../../../platform/database/database.ts';
import { removeDropped } from '../../../platform/storage/store-file.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { endUploads } from './queries.ts';

/** Deletes uploads that no submission used within a day. */
export async function expireUploads(
  { database, storage }: { database: Database; storage: Pick<Storage, 'remove'> },
  before: Date,
): Promise<void> {
  await removeDropped(storage, () => database.asSystem('end uploads without a submission', (tx) => tx.all(endUploads, { before })));
}
