import { createAddressPolicy, createGuardedStream, createResolver } from '#webhooks';
import type { Platform } from '../../../platform/domain.ts';
import type { AgentConfig } from '../config.ts';
import type { Servers } from './context.ts';
import { openCredentials } from './credentials.ts';
import { most } from './limits.ts';
import { createAskRemote } from './remote.ts';

/** Creates the clients for external servers. The network rules are those of webhooks. */
export function openServers(platform: Platform, config: AgentConfig): { servers: Servers; close: () => Promise<void> } {
  const { masterKey, log, version, database, listeners, clock } = platform;
  if (config.MCP_SERVERS_ALLOW_PRIVATE) log.warn('MCP_SERVERS_ALLOW_PRIVATE is true: MCP servers can use http and private addresses');
  const policy = createAddressPolicy({ allowPrivate: config.MCP_SERVERS_ALLOW_PRIVATE, allowCidrs: config.MCP_SERVERS_ALLOW_CIDRS });
  const names = config.MCP_SERVERS_DNS_SERVERS;
  const resolve = names.length === 0 ? {} : { resolve: createResolver(names) };
  // The exchange has a lower limit and reports it. This limit is a second safeguard.
  const guarded = createGuardedStream({ policy, timeoutMs: most.callMs, answerBytes: 2 * most.answerBytes, ...resolve });
  return {
    servers: {
      policy,
      credentials: openCredentials(masterKey),
      ask: createAskRemote(guarded, version),
      guarded,
      states: masterKey.box('agent-sign-in-states'),
      baseUrl: platform.config.BASE_URL,
      corsOrigins: platform.config.CORS_ORIGINS,
      database,
      listeners,
      clock,
    },
    close: () => guarded.close(),
  };
}
