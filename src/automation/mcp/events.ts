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
/** A call of an API client, or of a connected app, needs approval. */
export const approvalRequested = defineAuditAction('mcp.approval_requested', 'client', {
  tool: Type.String(),
  argsHash: Type.String({ description: 'SHA-256 of the arguments in RFC 8785 form' }),
  roundId: Type.String({ description: 'The approval round' }),
});
export const approvalDecided = defineAuditAction('mcp.approval_decided', 'client', {
  tool: Type.String(),
  roundId: Type.Optional(Type.String({ description: 'The approval round' })),
  taskId: Type.Optional(Type.String({ description: 'The approval task, if one person was asked' })),
  outcome: Type.Enum(['approved', 'denied', 'expired']),
});
