import { Type } from 'typebox';
import { defineEvent } from '../../platform/journal/audit-actions.ts';

const scope = 'signatures:read';
const data = Type.Object({ rows: Type.Integer(), done: Type.Integer(), failed: Type.Integer() });
const event = (what: string, description: string) =>
  defineEvent({
    type: `signature_batch.${what}`,
    target: 'signatureBatch',
    scope,
    description,
    data,
    example: { rows: 40, done: 39, failed: 1 },
  });

export const batchCreated = event(
  'created',
  'Many were asked at once, each to sign a document of their own: their requests follow one by one.',
);
export const batchEnded = event('ended', 'Each row of a batch was asked or has failed; its rows say which.');
export const batchCancelled = event('cancelled', 'The rows of a batch that waited are asked no more.');
