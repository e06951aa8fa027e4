import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

const reason = { reason: Type.String({ description: 'The reason that staff gave' }) };

export const interfaceSuspended = defineAuditAction('interface.suspended', 'interface', reason);
export const interfaceResumed = defineAuditAction('interface.resumed', 'interface', reason);
