import type { ReadScope } from '../../platform/scope.ts';
import { annotationsOf, scopesOf, type Tool } from '../../platform/tools.ts';
import { usableAgent } from './access.ts';
import type { AgentRow } from './queries.ts';
import type { Catalogue } from './schemas.ts';

/** Returns the tools of all domains. */
export type AskTools = () => Promise<readonly Tool[]>;

/**
 * Returns whether an agent has a tool. The allow-list contains the tool, or there is no allow-list and the tool only reads.
 * The deny-list does not contain it, and the agent has the scopes of the tool.
 */
export function hasTool(agent: Pick<AgentRow, 'tools_allow' | 'tools_deny' | 'scopes'>, tool: Tool): boolean {
  const allowed = agent.tools_allow?.includes(tool.name) ?? !tool.mutating;
  return allowed && !agent.tools_deny.includes(tool.name) && scopesOf(tool).every((scope) => agent.scopes.includes(scope));
}

/** Lists all tools. With `agentId`, `enabled` says whether that agent has the tool. Throws 404. */
export async function listTools(scope: ReadScope, tools: AskTools, agentId: string | undefined): Promise<Catalogue> {
  const agent = agentId === undefined ? undefined : await usableAgent(scope, agentId);
  const all = await tools();
  return {
    tools: all.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: tool.input,
      annotations: annotationsOf(tool),
      server: 'chancery',
      scope: tool.scope,
      isMutating: tool.mutating,
      enabled: agent === undefined || hasTool(agent, tool),
    })),
  };
}
