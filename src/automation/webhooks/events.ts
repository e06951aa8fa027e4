import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

export const webhookTest = defineEvent({
  type: 'webhook.test',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'A test event for one endpoint, regardless of its subscriptions.',
  data: Type.Object({ message: Type.String() }),
  example: { message: 'This is a test.' },
});

export const endpointDisabled = defineEvent({
  type: 'webhook.endpoint.disabled',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'An endpoint was disabled: it responded 410 Gone, or all deliveries failed for five days.',
  data: Type.Object({ name: Type.String(), reason: Type.Union([Type.Literal('gone'), Type.Literal('failing')]) }),
  example: { name: 'Accounting', reason: 'failing' },
});

export const secretRotated = defineEvent({
  type: 'webhook.secret_rotated',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'An endpoint got a new secret. Until `previousSecretUntil` deliveries also have a signature with the old one.',
  data: Type.Object({ name: Type.String(), previousSecretUntil: Type.Optional(Type.String({ format: 'date-time' })) }),
  example: { name: 'Accounting', previousSecretUntil: '2026-11-22T09:30:00.000Z' },
});

export const endpointDeleted = defineEvent({
  type: 'webhook.endpoint.deleted',
  target: 'endpoint',
  scope: 'webhooks:read',
  description: 'An endpoint was deleted. Its pending deliveries were cancelled.',
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
