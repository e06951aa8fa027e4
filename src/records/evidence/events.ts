import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

const target = 'evidencePack';
const via = Type.Optional(Type.String({ description: 'Allowed by the actor’s role in the team alone' }));

/** The subject of the pack: its kind (document, workflow or signature) and its identifier. */
const about = { subjectType: Type.String(), subjectId: Type.String(), via };

/** A person requested an evidence pack. `network`: it includes the network addresses of actors. */
export const packRequested = defineAuditAction('evidence.requested', target, { ...about, network: Type.Boolean() });

/** Records the SHA-256 of the manifest in hexadecimal, before the file of the pack is written, so that its content is fixed. */
export const manifestRecorded = defineAuditAction('evidence.manifest_recorded', target, {
  manifestSha256: Type.String(),
  files: Type.Integer(),
});

export const packDownloaded = defineAuditAction('evidence.downloaded', target, about);
