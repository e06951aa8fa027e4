import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

/** Each call of a tool, those too that were refused; nothing of what was sent or answered. */
export const toolCalled = defineAuditAction('mcp.tool_called', 'client', {
  tool: Type.String(),
  thing: Type.Optional(Type.String({ description: 'The identifier that the call names' })),
  argsHash: Type.String({ description: 'SHA-256 of the arguments as RFC 8785 writes them' }),
  result: Type.String({
    description: '`ok`, the code of the problem, `unknown_tool`, or of a call that a person is to approve what it waits for',
  }),
});
/** A person is asked whether a client, or a program of theirs by its connection, may carry out a call. */
export const approvalRequested = defineAuditAction('mcp.approval_requested', 'client', {
  tool: Type.String(),
  argsHash: Type.String({ description: 'SHA-256 of the arguments as RFC 8785 writes them' }),
  taskId: Type.String({ description: 'The task that asks' }),
  assignedTo: Type.String({ description: 'Who is asked' }),
});
export const approvalDecided = defineAuditAction('mcp.approval_decided', 'client', {
  tool: Type.String(),
  taskId: Type.String({ description: 'The task that asked' }),
  outcome: Type.Enum(['approved', 'denied']),
});
