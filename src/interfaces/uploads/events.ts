import { Type } from 'typebox';
import { defineAct } from '../../platform/journal/acts.ts';

/** A visitor or a program has sent a file. What it is called, and what is in it, the journal does not say. */
export const uploadReceived = defineAct('upload.received', 'upload', {
  interfaceId: Type.String(),
  channel: Type.String({ description: 'public or api' }),
  mediaType: Type.String({ description: 'What its bytes say that it is' }),
  size: Type.Integer({ description: 'In bytes' }),
});
