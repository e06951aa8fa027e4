import { sharedMembers } from '#access';
import { Type } from 'typebox';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { changes } from '../../platform/journal/changes.ts';
import { roleVia } from '../../platform/schema-parts.ts';

const titled = Type.Object({
  title: Type.String(),
  folderId: Type.Optional(Type.String()),
  matterId: Type.Optional(Type.String()),
  via: roleVia,
});
const changed = Type.Object({ ...titled.properties, changes: Type.Optional(changes) });
const example = { title: 'Master services agreement' };
const scope = 'documents:read';
const texts = ['title'] as const;

export const documentCreated = defineEvent({
  type: 'document.created',
  target: 'document',
  scope,
  description: 'A document was created.',
  data: titled,
  texts,
  example,
});
const commented = Type.Object({
  title: Type.String(),
  commentId: Type.String(),
  version: Type.Optional(Type.Integer({ description: 'The commented version, if any' })),
  via: roleVia,
});
const commentExample = { ...example, commentId: '01999999-0000-7000-8000-000000000001', version: 2 };
export const documentCommented = defineEvent({
  type: 'document.commented',
  target: 'document',
  scope,
  description: 'A comment was added to a document. The event does not contain its text.',
  data: commented,
  texts,
  example: commentExample,
});
export const documentCommentDeleted = defineEvent({
  type: 'document.comment_deleted',
  target: 'document',
  scope,
  description: 'The author of a comment on a document deleted it.',
  data: commented,
  texts,
  example: commentExample,
});
export const documentUpdated = defineEvent({
  type: 'document.updated',
  target: 'document',
  scope,
  description: 'A document’s title, status or details changed.',
  data: changed,
  texts,
  example,
});
export const documentMoved = defineEvent({
  type: 'document.moved',
  target: 'document',
  scope,
  description: 'A document was moved to another folder, or out of its folder.',
  data: titled,
  texts,
  example,
});
export const documentDeleted = defineEvent({
  type: 'document.deleted',
  target: 'document',
  scope,
  description: 'A document was moved to the bin, by an actor or by a retention rule.',
  data: Type.Object({
    ...titled.properties,
    retentionFolderId: Type.Optional(Type.String({ description: 'The folder of the retention rule' })),
  }),
  texts,
  example,
});
export const documentRestored = defineEvent({
  type: 'document.restored',
  target: 'document',
  scope,
  description: 'A document was restored from the bin.',
  data: titled,
  texts,
  example,
});
export const documentVersionAdded = defineEvent({
  type: 'document.version_added',
  target: 'document',
  scope,
  description: 'A file was uploaded as the newest version of a document.',
  data: Type.Object({
    title: Type.String(),
    version: Type.Integer(),
    sha256: Type.String(),
    signatureId: Type.Optional(Type.String({ description: 'The signature request; present if sealing it created this version' })),
    via: roleVia,
  }),
  texts,
  example: { title: 'Master services agreement', version: 2, sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
});
export const documentShared = defineEvent({
  type: 'document.shared',
  target: 'document',
  scope,
  description: 'A document was shared with a member, a group or the whole team.',
  data: Type.Object(sharedMembers),
  example: { userId: '01999999-0000-7000-8000-000000000000', access: 'read' },
});
export const documentRead = defineAuditAction('document.content_read', 'document', {
  version: Type.Integer(),
  via: Type.String({ description: 'The access that allowed the actor to read the document' }),
});
/** A search showed a document to an administrator who may see it by role alone. */
export const documentFound = defineAuditAction('document.found', 'document', { via: roleVia });
const grant = {
  ...sharedMembers,
  reason: Type.String(),
  taskId: Type.Optional(Type.String()),
  grantedBy: Type.Optional(
    Type.String({ description: 'The user responsible for it: the user who shared the document or added it to the task' }),
  ),
};
/** A grant of a single document was made, or it ended with its task or by revocation. */
export const accessGranted = defineAuditAction('access.granted', 'document', grant);
export const accessEnded = defineAuditAction('access.ended', 'document', {
  ...grant,
  revoked: Type.Optional(Type.Literal(true, { description: 'The owner of the document or an administrator revoked it' })),
});
const holdTarget = {
  folderId: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String()),
  reason: Type.String(),
};
export const holdPlaced = defineEvent({
  type: 'legal_hold.placed',
  target: 'hold',
  scope,
  description: 'A legal hold was placed on a document, or on a folder with its content. It prevents deletion until it is lifted.',
  data: Type.Object(holdTarget),
  texts: ['reason'],
  example: { folderId: '01999999-0000-7000-8000-000000000000', reason: 'Litigation with Acme Robotics' },
});
export const holdLifted = defineEvent({
  type: 'legal_hold.lifted',
  target: 'hold',
  scope,
  description: 'A legal hold was lifted. Resources without another hold may be deleted again.',
  data: Type.Object(holdTarget),
  texts: ['reason'],
  example: { folderId: '01999999-0000-7000-8000-000000000000', reason: 'Settled' },
});

export const datesChanged = defineEvent({
  type: 'document.dates_changed',
  target: 'document',
  scope,
  description: 'The key dates of a document were set: its expiry, notice period or renewal.',
  data: Type.Object({
    ...titled.properties,
    expiresAt: Type.Optional(Type.String()),
    noticeAt: Type.Optional(Type.String()),
    startsTemplate: Type.Optional(Type.String({ description: 'The workflow template that a date starts' })),
    changes,
  }),
  texts,
  example: { ...example, expiresAt: '2027-05-31', noticeAt: '2027-02-28', changes: { noticePeriod: { to: 'P3M' } } },
});
export const dateNear = defineEvent({
  type: 'document.date_approaching',
  target: 'document',
  scope,
  description: 'A key date of a document is near: the last day to give notice, or its last day in force. Each date is announced once.',
  data: Type.Object({
    title: Type.String(),
    folderId: Type.Optional(Type.String()),
    kind: Type.String({ description: '`notice` or `expires`' }),
    date: Type.String({ description: 'The day, in the zone of the team' }),
    startsTemplate: Type.Optional(Type.String({ description: 'The workflow template that the date starts' })),
  }),
  texts,
  example: { ...example, kind: 'notice', date: '2027-02-28' },
});
/** A date of a document could not be announced. */
export const dateFailed = defineAuditAction('document.timer_failed', 'document', discardedMembers);

export const reviewDue = defineEvent({
  type: 'document.review_due',
  target: 'document',
  scope,
  description: 'The retention period of a document has ended, and its owner must review it.',
  data: Type.Object({
    title: Type.String(),
    folderId: Type.Optional(Type.String()),
    ownerId: Type.String(),
    retentionFolderId: Type.String({ description: 'The folder of the retention rule' }),
    dueOn: Type.String({ description: 'The due day, in the time zone of the team' }),
  }),
  texts,
  example: {
    ...example,
    ownerId: '01999999-0000-7000-8000-000000000000',
    retentionFolderId: '01999999-0000-7000-8000-000000000001',
    dueOn: '2036-05-31',
  },
});
const ruled = { action: Type.String(), after: Type.String(), from: Type.String(), via: roleVia };
export const retentionSet = defineAuditAction('folder.retention_set', 'folder', { ...ruled, effectiveFrom: Type.String(), changes });
export const retentionRemoved = defineAuditAction('folder.retention_removed', 'folder', ruled);
/** A rule would move too many documents to the bin in one day and needs a confirmation; an administrator confirmed it. */
export const retentionApprovalRequested = defineAuditAction('folder.retention_asked', 'folder', { documents: Type.Integer() });
export const retentionConfirmed = defineAuditAction('folder.retention_confirmed', 'folder', { documents: Type.Integer() });
/** The action of a retention rule failed for a document. */
export const retentionFailed = defineAuditAction('retention.timer_failed', 'document', discardedMembers);
