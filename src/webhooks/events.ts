import { Type } from 'typebox';
import { defineAct, defineEvent } from '../platform/journal/acts.ts';

export const webhookTest = defineEvent({
  type: 'webhook.test',
  target: 'endpoint',
  description: 'Sent on request to one endpoint, whatever it subscribes to, to try it out.',
  data: Type.Object({ message: Type.String() }),
  example: { message: 'This is a test.' },
});

export const endpointDisabled = defineEvent({
  type: 'webhook.endpoint.disabled',
  target: 'endpoint',
  description: 'An endpoint was switched off: it answered 410 Gone, or nothing was delivered to it for five days.',
  data: Type.Object({ name: Type.String(), reason: Type.Union([Type.Literal('gone'), Type.Literal('failing')]) }),
  example: { name: 'Accounting', reason: 'failing' },
});

export const secretRotated = defineEvent({
  type: 'webhook.secret_rotated',
  target: 'endpoint',
  description: 'An endpoint got a new secret; until `previousSecretUntil` deliveries carry a signature by the old one too.',
  data: Type.Object({ name: Type.String(), previousSecretUntil: Type.Optional(Type.String({ format: 'date-time' })) }),
  example: { name: 'Accounting', previousSecretUntil: '2026-11-22T09:30:00.000Z' },
});

export const endpointCreated = defineAct('webhook.endpoint.created', 'endpoint');
export const endpointUpdated = defineAct('webhook.endpoint.updated', 'endpoint');
export const settingsChanged = defineAct('webhook.endpoint.settings_changed', 'endpoint');
export const payloadExpunged = defineAct('webhook.payload.expunged', 'delivery');
export const endpointDeleted = defineAct('webhook.endpoint.deleted', 'endpoint');
export const deliveryRetried = defineAct('webhook.delivery.retried', 'delivery');
export const endpointRecovered = defineAct('webhook.endpoint.recovered', 'endpoint');
