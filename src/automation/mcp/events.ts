import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

/** A call of a tool, executed or rejected, without its arguments and result. */
export const toolCalled = defineAuditAction('mcp.tool_called', 'client', {
  tool: Type.String(),
  thing: Type.Optional(Type.String({ description: 'The identifier in the call' })),
  argsHash: Type.String({ description: 'SHA-256 of the arguments in RFC 8785 form' }),
  result: Type.String({
    description: '`ok`, the code of the problem, `unknown_tool`, or the approval status of a call',
  }),
});
/** A person was asked to approve a call of a client, or of an app by its connection. */
export const approvalRequested = defineAuditAction('mcp.approval_requested', 'client', {
  tool: Type.String(),
  argsHash: Type.String({ description: 'SHA-256 of the arguments in RFC 8785 form' }),
  taskId: Type.String({ description: 'The approval task' }),
  assignedTo: Type.String({ description: 'The approver' }),
});
export const approvalDecided = defineAuditAction('mcp.approval_decided', 'client', {
  tool: Type.String(),
  taskId: Type.String({ description: 'The approval task' }),
  outcome: Type.Enum(['approved', 'denied']),
});
