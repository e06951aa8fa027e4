import { mcpResource } from '#accounts';
import { changingScopes, usualScopes } from '#connected-apps';
import type { Platform } from '../../platform/domain.ts';
import type { Tool } from '../../platform/tools.ts';
import { type NoteCall, noteCalls } from './call-log.ts';
import { type Protocol, openProtocol } from './protocol.ts';

/** What the MCP server works with. */
export type Mcp = {
  /** The public address of the service. */
  baseUrl: string;
  /** The address of this server: who its tokens are for. */
  resource: string;
  /** Where it says whose tokens it takes. */
  metadataUrl: string;
  /** Names by which the service is reached, on whatever port. */
  hosts: ReadonlySet<string>;
  /** Other sites whose pages may call. */
  origins: ReadonlySet<string>;
  tools: () => Promise<readonly Tool[]>;
  note: NoteCall;
  protocol: Protocol;
};

/**
 * What a token is to be asked for at first: reading the things of the work, and what the tools change of them, of which each gets what it was
 * given, and a person says on the page whether their program is to change anything. Who needs another scope is told which.
 */
export const firstScopes = [...usualScopes, ...changingScopes];

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export function openMcp({ config, version, tools, database, listeners, clock }: Platform): Mcp {
  const { BASE_URL: baseUrl, CORS_ORIGINS: others } = config;
  const { hostname } = new URL(baseUrl);
  return {
    baseUrl,
    resource: mcpResource(baseUrl),
    metadataUrl: `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
    hosts: new Set([hostname, ...loopback]),
    origins: new Set(others),
    tools,
    note: noteCalls({ database, listeners, clock }),
    protocol: openProtocol({ version }),
  };
}
