import { namedById, type People, type Tables } from '../platform/tables.ts';

const named = (by: readonly string[], what: string): People => ({ by, leaving: { stays: what }, exported: false, erasure: namedById });

/** What this domain keeps. */
export const folderTables: Tables = {
  folder: {
    purge: 'erased',
    held: true,
    content: 'deleted_at IS NULL',
    people: { ...named(['user_id', 'created_by'], 'handed to the successor'), exported: true },
  },
  folder_barrier: { purge: 'erased', held: true, people: named(['set_by'], 'goes on') },
  folder_barrier_member: { purge: 'erased', held: true, people: named(['user_id'], 'ended') },
  folder_emergency_access: { purge: 'erased', held: true, people: named(['user_id', 'consented_by'], 'ended, or done') },
};
