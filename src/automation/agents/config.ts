import type { PlatformConfig } from '../../platform/config.ts';
import { isBlock, listOf, nameServers, optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

/** The settings of this domain. */
export const agentSettings = {
  MCP_SERVERS_ALLOW_PRIVATE: setting(
    'whether MCP servers of agents may use http and private addresses; by default true in development and false in production',
    '',
    optionalFlag,
  ),
  MCP_SERVERS_ALLOW_CIDRS: setting(
    'private address blocks that are allowed for MCP servers even if MCP_SERVERS_ALLOW_PRIVATE is false',
    '',
    listOf(isBlock, 'must be address blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  MCP_SERVERS_DNS_SERVERS: setting('DNS servers to look up MCP servers; the DNS servers of the system by default', '', nameServers),
} as const;

/** The settings, with the defaults that depend on other settings. */
export type AgentConfig = Omit<ValuesOf<typeof agentSettings>, 'MCP_SERVERS_ALLOW_PRIVATE'> & { MCP_SERVERS_ALLOW_PRIVATE: boolean };

export function resolveAgentsSettings(read: ValuesOf<typeof agentSettings>, { production }: PlatformConfig): AgentConfig {
  return { ...read, MCP_SERVERS_ALLOW_PRIVATE: read.MCP_SERVERS_ALLOW_PRIVATE ?? !production };
}
