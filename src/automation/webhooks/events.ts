import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

export const webhookTest = defineEvent({
  type: 'webhook.test',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'Sent on request to one endpoint, whatever it subscribes to, to try it out.',
  data: Type.Object({ message: Type.String() }),
  example: { message: 'This is a test.' },
});

export const endpointDisabled = defineEvent({
  type: 'webhook.endpoint.disabled',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'An endpoint was switched off: it answered 410 Gone, or nothing was delivered to it for five days.',
  data: Type.Object({ name: Type.String(), reason: Type.Union([Type.Literal('gone'), Type.Literal('failing')]) }),
  example: { name: 'Accounting', reason: 'failing' },
});

export const secretRotated = defineEvent({
  type: 'webhook.secret_rotated',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'An endpoint got a new secret; until `previousSecretUntil` deliveries carry a signature by the old one too.',
  data: Type.Object({ name: Type.String(), previousSecretUntil: Type.Optional(Type.String({ format: 'date-time' })) }),
  example: { name: 'Accounting', previousSecretUntil: '2026-11-22T09:30:00.000Z' },
});

export const endpointDeleted = defineEvent({
  type: 'webhook.endpoint.deleted',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'An endpoint was deleted: nothing is sent to it any more, and what waited for an answer of it does not.',
  data: Type.Object({ name: Type.String() }),
  example: { name: 'Accounting' },
});

const strings = Type.Array(Type.String());

export const endpointCreated = defineAuditAction('webhook.endpoint.created', 'endpoint', { name: Type.String(), host: Type.String() });
export const endpointUpdated = defineAuditAction('webhook.endpoint.updated', 'endpoint', { changed: strings, isActive: Type.Boolean() });
export const settingsChanged = defineAuditAction('webhook.endpoint.settings_changed', 'endpoint', {
  changed: strings,
  headerNames: strings,
});
export const payloadExpunged = defineAuditAction('webhook.payload.expunged', 'delivery', {
  endpointId: Type.String(),
  eventId: Type.String(),
});
export const deliveryRetried = defineAuditAction('webhook.delivery.retried', 'delivery', { endpointId: Type.String() });
export const endpointRecovered = defineAuditAction('webhook.endpoint.recovered', 'endpoint', {
  since: Type.String(),
  failed: Type.Integer(),
  missed: Type.Integer(),
});
