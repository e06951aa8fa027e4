import type { PlatformConfig } from '../../platform/config.ts';
import { isBlock, listOf, nameServers, optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

/** The settings of this domain. */
export const agentSettings = {
  MCP_SERVERS_ALLOW_PRIVATE: setting(
    'http and private addresses for the MCP servers whose tools agents have: true in development, false in production unless set',
    '',
    optionalFlag,
  ),
  MCP_SERVERS_ALLOW_CIDRS: setting(
    'private blocks in which MCP servers may be nevertheless',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  MCP_SERVERS_DNS_SERVERS: setting('name servers that MCP servers are looked up with, instead of the system’s', '', nameServers),
} as const;

/** The same, with what follows from one another decided. */
export type AgentConfig = Omit<ValuesOf<typeof agentSettings>, 'MCP_SERVERS_ALLOW_PRIVATE'> & { MCP_SERVERS_ALLOW_PRIVATE: boolean };

export function settleAgents(read: ValuesOf<typeof agentSettings>, { production }: PlatformConfig): AgentConfig {
  return { ...read, MCP_SERVERS_ALLOW_PRIVATE: read.MCP_SERVERS_ALLOW_PRIVATE ?? !production };
}
