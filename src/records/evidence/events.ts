import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

const target = 'evidencePack';
const via = Type.Optional(Type.String({ description: 'Allowed by the actor’s role in the team alone' }));

/** What it is about is named by its identifier, and its kind: document, workflow or signature. */
const about = { subjectType: Type.String(), subjectId: Type.String(), via };

/** Somebody asked for all that is known of a thing. `network`: with the addresses that people acted from. */
export const packRequested = defineAuditAction('evidence.requested', target, { ...about, network: Type.Boolean() });

/** What a pack will hold: the SHA-256 of its manifest, in hexadecimal, before the file is written. */
export const manifestRecorded = defineAuditAction('evidence.manifest_recorded', target, {
  manifestSha256: Type.String(),
  files: Type.Integer(),
});

export const packDownloaded = defineAuditAction('evidence.downloaded', target, about);
