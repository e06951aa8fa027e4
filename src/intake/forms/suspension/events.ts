import { Type } from 'typebox';
import { defineAct } from '../../../platform/journal/audit-actions.ts';

const reason = { reason: Type.String({ description: 'The reason that staff gave' }) };

export const interfaceSuspended = defineAct('interface.suspended', 'interface', reason);
export const interfaceResumed = defineAct('interface.resumed', 'interface', reason);
