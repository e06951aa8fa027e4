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

export const batchCreated = event('created', 'A signature batch was created. Its requests follow one by one.');
export const batchEnded = event('ended', 'A batch has ended. Each row was requested or has failed.');
export const batchCancelled = event('cancelled', 'The waiting rows of a batch were cancelled.');
