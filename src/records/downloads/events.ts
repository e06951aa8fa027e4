import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

/** A caller got an address for a file. The download itself is recorded by its operation. */
export const addressCreated = defineAuditAction('download.address_created', undefined, {
  path: Type.String({ description: 'The path of the file, without its query' }),
});
