import { sharingActs } from '#access';
import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { roleVia } from '../../platform/schema-parts.ts';

const named = { name: Type.String(), version: Type.Integer({ description: 'The version of source, schema and files' }), via: roleVia };
const example = { name: 'Engagement letter', version: 1 };
const scope = 'documents:read';

export const templateCreated = defineEvent({
  type: 'document_template.created',
  target: 'documentTemplate',
  scope,
  description: 'A document template was created. `librarySlug` is present if it was copied from the library.',
  data: Type.Object({ ...named, librarySlug: Type.Optional(Type.String()) }),
  example,
});
export const templateUpdated = defineEvent({
  type: 'document_template.updated',
  target: 'documentTemplate',
  scope,
  description: 'A template’s name, description, source, schema or pictures changed.',
  data: Type.Object({ ...named, members: Type.Array(Type.String(), { description: 'The members that changed' }) }),
  example: { ...example, version: 2, members: ['source'] },
});
export const templateDeleted = defineEvent({
  type: 'document_template.deleted',
  target: 'documentTemplate',
  scope,
  description: 'A template was deleted with its versions. Documents created from it stay.',
  data: Type.Object(named),
  example,
});
export const documentMade = defineEvent({
  type: 'document_template.used',
  target: 'documentTemplate',
  scope,
  description: 'A document was created from this version of a template. The event `document.created` is sent too.',
  data: Type.Object({
    documentId: Type.String(),
    version: Type.Integer(),
    source: Type.String({ description: '`data`, `submission` or `record`' }),
    sourceId: Type.Optional(Type.String()),
    via: roleVia,
  }),
  example: { documentId: '01999999-0000-7000-8000-000000000000', version: 1, source: 'data' },
});

export const templateSharingActs = sharingActs('document_template', 'documentTemplate');
/** A person read a template to which only the person’s role gives access. Recorded at most once an hour for each person and template. */
export const templateRead = defineAuditAction('document_template.read', 'documentTemplate', { via: roleVia });
