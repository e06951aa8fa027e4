import type { ReadScope } from '../../platform/scope.ts';
import { annotationsOf, scopesOf, type Tool } from '../../platform/tools.ts';
import { usableAgent } from './access.ts';
import type { AgentRow } from './queries.ts';
import type { Catalogue } from './schemas.ts';

/** Answers the tools of all domains. */
export type AskTools = () => Promise<readonly Tool[]>;

/**
 * Whether an agent has a tool: it is named by its allow-list, or without one only reads; its deny-list does not name it, and it holds
 * the scopes of the tool.
 */
export function hasTool(agent: Pick<AgentRow, 'tools_allow' | 'tools_deny' | 'scopes'>, tool: Tool): boolean {
  const allowed = agent.tools_allow?.includes(tool.name) ?? !tool.mutating;
  return allowed && !agent.tools_deny.includes(tool.name) && scopesOf(tool).every((scope) => agent.scopes.includes(scope));
}

/** Every tool there is, and whether the agent has it where one is named. Errors: 404. */
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
