import { sharingActs } from '#access';
import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { roleVia } from '../../platform/schema-parts.ts';

const named = { name: Type.String(), via: roleVia };
const data = Type.Object(named);
const example = { name: 'Contract parties' };
const scope = 'registries:read';
const texts = ['name'] as const;

export const registryCreated = defineEvent({
  type: 'registry.created',
  target: 'registry',
  scope,
  description: 'A registry was created.',
  data,
  texts,
  example,
});
export const registryUpdated = defineEvent({
  type: 'registry.updated',
  target: 'registry',
  scope,
  description: 'A registry’s name, description or fields changed.',
  data: Type.Object({
    ...named,
    members: Type.Array(Type.String(), { description: 'The members that changed' }),
    fields: Type.Optional(
      Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()), changed: Type.Array(Type.String()) }),
    ),
  }),
  texts,
  example: { ...example, members: ['fields'], fields: { added: ['vat'], removed: [], changed: ['country'] } },
});
export const registryDeleted = defineEvent({
  type: 'registry.deleted',
  target: 'registry',
  scope,
  description: 'A registry was moved to the bin, with all its records.',
  data,
  texts,
  example,
});
export const registryRestored = defineEvent({
  type: 'registry.restored',
  target: 'registry',
  scope,
  description: 'A registry was restored from the bin, with all its records.',
  data,
  texts,
  example,
});

export const registrySharingActs = sharingActs('registry', 'registry');

const ofRecord = {
  registryId: Type.String(),
  version: Type.Integer({ description: 'The new version of the record' }),
  via: roleVia,
};
const recordExample = { registryId: '01999999-0000-7000-8000-000000000000', version: 1 };
/** Creates an event of a record. Events name fields but never contain values. */
const recordEvent = (what: string, description: string) =>
  defineEvent({
    type: `registry.record.${what}`,
    target: 'registryRecord',
    scope,
    description,
    data: Type.Object(ofRecord),
    example: { ...recordExample, version: what === 'created' ? 1 : 2 },
  });

export const recordCreated = defineEvent({
  type: 'registry.record.created',
  target: 'registryRecord',
  scope,
  description:
    'A record was created in a registry, by hand or by a form. An import announces all its records with one `registry.imported` event.',
  data: Type.Object({
    ...ofRecord,
    status: Type.String({ description: '`pending` if it waits for approval' }),
    submissionId: Type.Optional(Type.String()),
  }),
  example: { ...recordExample, status: 'active' },
});
export const recordUpdated = defineEvent({
  type: 'registry.record.updated',
  target: 'registryRecord',
  scope,
  description: 'Values of a record changed. `fields` lists the changed fields.',
  data: Type.Object({
    ...ofRecord,
    fields: Type.Array(Type.String()),
    restoredVersion: Type.Optional(Type.Integer({ description: 'The earlier version with the restored values' })),
  }),
  example: { ...recordExample, version: 2, fields: ['phone'] },
});
export const recordApproved = recordEvent('approved', 'A pending record of a form was approved.');
export const recordDeclined = recordEvent('declined', 'A pending record of a form was declined and moved to the bin.');
export const recordDeleted = recordEvent('deleted', 'A record was moved to the bin.');
export const recordRestored = recordEvent('restored', 'A record was restored from the bin.');

/** An actor read records only because of their role. The journal gets one entry an hour for each actor and registry. */
export const registryRead = defineAuditAction('registry.records_read', 'registry', { via: roleVia });

/** The record of a submission was erased together with the submission, with its history. */
export const recordErased = defineAuditAction('registry.record.erased', 'registryRecord', { registryId: Type.String() });

export const registryImported = defineEvent({
  type: 'registry.imported',
  target: 'registry',
  scope,
  description: 'A file was imported. One event covers all its records.',
  data: Type.Object({
    importId: Type.String(),
    status: Type.String({ description: '`done`; `refused` if rows have errors and `mode` allows no partial import' }),
    rows: Type.Integer(),
    imported: Type.Integer({ description: 'The number of created records' }),
    errorCount: Type.Integer({ description: 'The number of rows with errors' }),
    via: roleVia,
  }),
  example: { importId: '01999999-0000-7000-8000-000000000000', status: 'done', rows: 1_200, imported: 1_198, errorCount: 2 },
});
/** A file was queued for an import in the background. */
export const importQueued = defineAuditAction('registry.import_queued', 'registry', {
  importId: Type.String(),
  rows: Type.Integer(),
  via: roleVia,
});
/** Records were exported to a file. */
export const registryExported = defineAuditAction('registry.exported', 'registry', { format: Type.String(), via: roleVia });
