import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

/** A person lets a program act for them. */
export const appConnected = defineAuditAction('program.connected', 'program', {
  clientId: Type.String({ description: 'The program, by its registration or the address of its document' }),
  host: Type.String({ description: 'Where it is answered' }),
  scopes: Type.Array(Type.String()),
});
/** The program has taken up what it was allowed. */
export const appTokenIssued = defineAuditAction('program.token_issued', 'program');
/** A code came back that was used: whoever has it, nobody can say who has what came of it. */
export const appCodeReused = defineAuditAction('program.code_reused', 'program');
