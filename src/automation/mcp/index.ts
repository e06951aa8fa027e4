import { domain as accounts } from '#accounts';
import { domain as approvals } from '#approvals';
import { domain as clients } from '#clients';
import { domain as connectedApps } from '#connected-apps';
import { domain as runs } from '#runs';
import { domain as tasks } from '#tasks';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { approvalExpiry, connectionsOver, dropApprovals, endApprovals, endApprovalsOfEnded } from './approval-jobs.ts';
import { openMcp } from './context.ts';
import { approvalListeners } from './listeners.ts';
import { mcpRoutes } from './routes.ts';
import { mcpTables } from './tables.ts';

/**
 * The MCP server: the tools of all domains for AI programs of other vendors (Model Context Protocol, Streamable HTTP). An API client, or an app that
 * acts for a person, sends a token that was issued for this server only. A call of a tool has the same rights as the operation that the tool uses.
 */
export const domain = defineDomain({
  name: 'mcp',
  uses: { teams, accounts, approvals, clients, 'connected-apps': connectedApps, tasks, runs },
  tables: mcpTables,
  subscribes: { usual: approvalListeners },
  description: () => import('./description.ts'),
  open(platform, { accounts: { tokens, ...people } }) {
    people.onAppSessionEnd(endApprovals);
    const mcp = openMcp(platform);
    const { database, listeners, clock } = platform;
    return {
      exports: undefined,
      routes: (app) => mcpRoutes(app, mcp),
      jobs: [openJob(approvalExpiry, { database, listeners, clock })],
      periodic: [
        { name: 'mcp-approvals-over', cron: '47 3 * * *', run: () => dropApprovals(database) },
        {
          name: connectionsOver,
          cron: '* * * * *',
          run: ({ isolation }) => endApprovalsOfEnded({ database, listeners, clock }, isolation),
        },
      ],
      verifies: { audience: 'mcp', verify: (token) => tokens.verify(token, 'mcp') },
    };
  },
});
