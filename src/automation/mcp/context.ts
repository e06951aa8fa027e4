import { mcpResource } from '#accounts';
import { changingScopes, usualScopes } from '#connected-apps';
import type { Platform } from '../../platform/domain.ts';
import type { Tool } from '../../platform/tools.ts';
import { type RecordCall, recordCalls } from './call-log.ts';
import { type Protocol, openProtocol } from './protocol.ts';

/** The dependencies of the MCP server. */
export type Mcp = {
  /** The public address of the service. */
  baseUrl: string;
  /** The address of this server, which is the audience of its tokens. */
  resource: string;
  /** The address of its metadata, which names the authorization server. */
  metadataUrl: string;
  /** The host names of the service, on any port. */
  hosts: ReadonlySet<string>;
  /** Origins of other sites whose pages may call this server. */
  origins: ReadonlySet<string>;
  tools: () => Promise<readonly Tool[]>;
  note: RecordCall;
  protocol: Protocol;
};

/**
 * The scopes of a first token request: to read the resources of the team, and to change them with the tools. An app gets only the granted scopes, and
 * the person decides on the consent page whether it may make changes. A call that needs another scope gets an error with its name.
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
    note: recordCalls({ database, listeners, clock }),
    protocol: openProtocol({ version }),
  };
}
