import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../../platform/journal/audit-actions.ts';
import { failures } from './failure.ts';

const target = 'agentMcpServer';
const named = { slug: Type.String() };
const tool = Type.String({ description: 'The tool, as its server calls it' });

export const serverCreated = defineAuditAction('agent.mcp_server_created', target, { ...named, host: Type.String() });
export const serverUpdated = defineAuditAction('agent.mcp_server_updated', target, {
  ...named,
  members: Type.Array(Type.String(), { description: 'The members that changed' }),
});
export const serverDeleted = defineAuditAction('agent.mcp_server_deleted', target, named);
export const serverChecked = defineAuditAction('agent.mcp_server_checked', target, {
  ...named,
  tools: Type.Integer({ description: 'How many tools it has' }),
  failure: Type.Optional(Type.Enum([...failures], { description: 'Why it could not be asked' })),
});
const issuer = Type.String({ description: 'The authorization server' });
export const signInBegun = defineAuditAction('agent.mcp_server_sign_in_begun', target, { ...named, issuer });
export const signedIn = defineAuditAction('agent.mcp_server_signed_in', target, { ...named, issuer });
export const signInNeeded = defineEvent({
  type: 'agent.mcp_server.sign_in_needed',
  target,
  scope: 'agents:read',
  description:
    'What somebody had signed in with at a server elsewhere is good no more: agents are refused there until an administrator signs in again.',
  data: Type.Object(named),
  example: { slug: 'crm' },
});
export const toolSet = defineAuditAction('agent.mcp_tool_set', target, {
  ...named,
  tool,
  enabled: Type.Boolean(),
  readOnly: Type.Boolean(),
  idempotent: Type.Boolean(),
  hash: Type.String({ description: 'What the description is known by that was looked at' }),
});
export const toolChanged = defineEvent({
  type: 'agent.mcp_tool.changed',
  target,
  scope: 'agents:read',
  description:
    'A tool of a server elsewhere is described otherwise than it was when it was switched on, or is gone: no agent has it until somebody has looked at it.',
  data: Type.Object({ ...named, tool, missing: Type.Boolean({ description: 'The server has it no more' }) }),
  example: { slug: 'crm', tool: 'find_customer', missing: false },
});
