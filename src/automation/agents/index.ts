import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as approvals } from '#approvals';
import { domain as clients } from '#clients';
import { domain as teams } from '#teams';
import { domain as webhooks } from '#webhooks';
import { defineDomain } from '../../platform/domain.ts';
import { agentSettings, resolveAgentsSettings } from './config.ts';
import { agentFileRoutes } from './files/index.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { agentListeners } from './listeners.ts';
import { presetRoutes } from './presets/index.ts';
import { agentRoutes } from './routes.ts';
import { revokeTokensJob, openServers, readAnswer, sealedCredentials, serverRoutes, signInRoutes } from './servers/index.ts';
import { agentCallerRoutes } from './caller-routes.ts';
import { agentShareRoutes } from './share-routes.ts';
import type { ShareEnds } from './shares.ts';
import { skillRoutes } from './skills/index.ts';
import { agentTables } from './tables.ts';

/**
 * AI agents of a team: their settings with versions, their instruction files, skills and shares, and the stop. Each team starts with the agent
 * `main`.
 */
export const domain = defineDomain({
  name: 'agents',
  uses: { access, accounts, approvals, teams, clients, webhooks },
  settings: agentSettings,
  settle: resolveAgentsSettings,
  tables: agentTables,
  sealed: sealedCredentials,
  description: () => import('./description.ts'),
  subscribes: { usual: agentListeners },
  open(platform, _uses, config) {
    const { tools } = platform;
    const { servers, close } = openServers(platform, config);
    const shareEnds: ShareEnds[] = [];
    return {
      exports: {
        servers,
        readSignInAnswer: (query: Readonly<Record<string, unknown>>) => readAnswer(servers, query),
        /** Registers a callback that runs in the transaction that ends a share of an agent. */
        onShareEnd: (end: ShareEnds) => void shareEnds.push(end),
      },
      routes: (app) => {
        agentRoutes(app, tools);
        agentShareRoutes(app, shareEnds);
        agentCallerRoutes(app);
        agentFileRoutes(app);
        presetRoutes(app);
        skillRoutes(app, tools);
        serverRoutes(app, servers);
        signInRoutes(app, servers);
      },
      jobs: [openJob(revokeTokensJob, servers)],
      close,
    };
  },
});

export { type AskTools, hasTool } from './catalogue.ts';
export { readTexts as filesOf } from './files/index.ts';
export { callerOfAgent } from './callers.ts';
export { agentNames, agentOfRun, lockedAgent, seesAllAgents, usableAgent } from './access.ts';
export { agentDeleted, agentsStarted, agentsStopped, agentStarted, agentStopped, agentUpdated } from './events.ts';
export { mayRun } from './policy.ts';
export type { AgentRow } from './queries.ts';
export type { ShareEnds } from './shares.ts';
export {
  callbackPath as signInCallbackPath,
  callRemoteTool,
  recordChangedTool,
  most as maxOfServers,
  RemoteFailure,
  type RemoteTool,
  remoteToolsOf,
  type Servers,
  type SignInAnswer,
} from './servers/index.ts';
export { readSkill, type SkillOfAgent, skillsOf } from './skills/index.ts';
