import { recordAudit } from '../../../platform/journal/record.ts';
import { roleOnly, type Via } from '../../../platform/access-reason.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { registryRead } from '../events.ts';
import { shownData } from './present.ts';
import { findRecord } from './service.ts';
import type { Data } from './values.ts';

/** The values of a record, for something that is made of them, and what opened it. */
export type ReadRecord = { id: string; registryId: string; data: Data; via: Via };

/** A record that the actor may read, neither pending nor in the bin. Errors: 404. */
export async function readableRecord(scope: ReadScope, registryId: string, id: string): Promise<ReadRecord | undefined> {
  const { row, registry, access } = await findRecord(scope, registryId, id);
  if (row.state !== 'active') return undefined;
  return { id: row.id, registryId: registry.id, data: shownData(row.data, registry.former_fields), via: access.via };
}

/** Has the journal say that a record was read that the actor's role alone opens. */
export async function noteRecordRead(scope: Scope, { registryId, via }: Pick<ReadRecord, 'registryId' | 'via'>): Promise<void> {
  if (via === 'role') await recordAudit(scope, registryRead, registryId, roleOnly);
}
