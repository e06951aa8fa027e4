import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../../platform/journal/audit-actions.ts';
import { failures } from './failure.ts';

const target = 'agentMcpServer';
const named = { slug: Type.String() };
const tool = Type.String({ description: 'The name of the tool on its server' });

export const serverCreated = defineAuditAction('agent.mcp_server_created', target, { ...named, host: Type.String() });
export const serverUpdated = defineAuditAction('agent.mcp_server_updated', target, {
  ...named,
  members: Type.Array(Type.String(), { description: 'The members that changed' }),
});
export const serverDeleted = defineAuditAction('agent.mcp_server_deleted', target, named);
export const serverChecked = defineAuditAction('agent.mcp_server_checked', target, {
  ...named,
  tools: Type.Integer({ description: 'The number of its tools' }),
  failure: Type.Optional(Type.Enum([...failures], { description: 'The reason why it could not be read' })),
});
const issuer = Type.String({ description: 'The authorization server' });
export const signInBegun = defineAuditAction('agent.mcp_server_sign_in_begun', target, { ...named, issuer });
export const signedIn = defineAuditAction('agent.mcp_server_signed_in', target, { ...named, issuer });
export const signInNeeded = defineEvent({
  type: 'agent.mcp_server.sign_in_needed',
  target,
  scope: 'agents:read',
  description: 'The sign-in at an external MCP server is no longer valid. Agents cannot use it until an administrator signs in again.',
  data: Type.Object(named),
  example: { slug: 'crm' },
});
export const toolSet = defineAuditAction('agent.mcp_tool_set', target, {
  ...named,
  tool,
  enabled: Type.Boolean(),
  readOnly: Type.Boolean(),
  idempotent: Type.Boolean(),
  hash: Type.String({ description: 'The hash of the reviewed description' }),
});
export const toolChanged = defineEvent({
  type: 'agent.mcp_tool.changed',
  target,
  scope: 'agents:read',
  description: 'An enabled tool of an external MCP server changed or disappeared. No agent has it until an administrator reviews it.',
  data: Type.Object({ ...named, tool, missing: Type.Boolean({ description: 'Whether the server no longer has it' }) }),
  example: { slug: 'crm', tool: 'find_customer', missing: false },
});
