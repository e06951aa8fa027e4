import { recordAudit } from '../../../platform/journal/record.ts';
import { roleOnly, type Via } from '../../../platform/access-reason.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { registryRead } from '../events.ts';
import { shownData } from './present.ts';
import { findRecord } from './service.ts';
import type { RecordData } from './values.ts';

/** The values of a record, and the reason of the access. */
export type ReadRecord = { id: string; registryId: string; data: RecordData; via: Via };

/** Returns an active record that the actor can read; undefined if it is pending or in the bin. Throws 404. */
export async function readableRecord(scope: ReadScope, registryId: string, id: string): Promise<ReadRecord | undefined> {
  const { row, registry, access } = await findRecord(scope, registryId, id);
  if (row.state !== 'active') return undefined;
  return { id: row.id, registryId: registry.id, data: shownData(row.data, registry.former_fields), via: access.via };
}

/** Adds a journal entry if the actor read a record only because of their role. */
export async function recordRecordRead(scope: Scope, { registryId, via }: Pick<ReadRecord, 'registryId' | 'via'>): Promise<void> {
  if (via === 'role') await recordAudit(scope, registryRead, registryId, roleOnly);
}
