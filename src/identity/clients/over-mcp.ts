import type { Reader } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { approvalOfClient } from './queries.ts';

/** An API client that calls a tool over MCP. */
export type ClientOverMcp = Row<'api_client', 'id' | 'name' | 'created_by' | 'mcp_approval' | 'approval_policy'>;

/** Returns an API client of the team. `mcp_approval` tells whether its calls that change data need approval. */
export const mcpClient = ({ db, team }: { db: Reader; team: string }, id: string): Promise<ClientOverMcp | undefined> =>
  db.first(approvalOfClient, { team, id });
