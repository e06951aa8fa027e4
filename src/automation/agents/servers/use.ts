import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { AgentRow } from '../queries.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Servers } from './context.ts';
import { type Definition, readDefinitions } from './definitions.ts';
import { toolChanged } from './events.ts';
import { separator } from './limits.ts';
import * as queries from './queries.ts';
import type { RemoteAnswer } from './remote.ts';
import { askSignedIn } from './sign-in/index.ts';

/** A tool of a server elsewhere that an agent has. */
export type RemoteTool = {
  /** What agents call it. */
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** An administrator has said so; the server’s own claim counts for nothing. */
  readOnly: boolean;
  /** Called twice it does no more than called once: an administrator has said so. */
  idempotent: boolean;
  /** It may be called without approval also once a run has read what the team has. */
  trustedEgress: boolean;
  row: queries.UsableRow;
};

/** The tools of servers elsewhere that an agent has: those that its allow-list names, that are on, and that are as they were when they were switched on. */
export async function remoteToolsOf(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  { tools_allow: allowed, tools_deny: denied }: Pick<AgentRow, 'tools_allow' | 'tools_deny'>,
): Promise<RemoteTool[]> {
  const names = (allowed ?? []).filter((name) => name.includes(separator) && !denied.includes(name));
  if (names.length === 0) return [];
  return (await db.all(queries.usableTools, { team, names })).map((row) => {
    const { description, inputSchema } = JSON.parse(row.definition) as Definition;
    const name = `${row.slug}${separator}${row.name}`;
    return { name, description, inputSchema, readOnly: row.read_only, idempotent: row.idempotent, trustedEgress: row.trusted_egress, row };
  });
}

/** What came of a call; `changed` where the tool is described otherwise than it was, and was not called. */
export type RemoteCall = RemoteAnswer | { changed: true; tools: readonly unknown[] };

type Calling = {
  team: string;
  tool: RemoteTool;
  input: Record<string, unknown>;
  signal: AbortSignal;
  /** What is done last of all before the call is sent; it is not sent where this rejects. */
  before: () => Promise<void>;
};

/**
 * Calls a tool of a server elsewhere, once its description was compared. Rejects with `RemoteFailure`, as `signal` was aborted, or as
 * `before` has.
 */
export async function callRemoteTool(servers: Servers, { team, tool: { row }, input, signal, before }: Calling): Promise<RemoteCall> {
  let ours: { error: unknown } | undefined;
  try {
    return await askSignedIn(servers, team, row, signal, async ({ list, call }) => {
      const tools = await list();
      const now = readDefinitions(row.slug, tools).tools.find(({ name }) => name === row.name);
      if (now?.hash !== row.hash) return { changed: true, tools };
      await before().catch((error: unknown) => {
        ours = { error };
        throw error;
      });
      return call(row.name, input);
    });
  } catch (error) {
    throw ours ? ours.error : error;
  }
}

/** Switches a tool off that is described otherwise than it was, or is gone, until somebody has looked at it. */
export async function noteChangedTool(scope: Scope, { row: { id, slug, name } }: RemoteTool, tools: readonly unknown[]): Promise<void> {
  const { db, team } = scope;
  const now = readDefinitions(slug, tools).tools.find((one) => one.name === name);
  await db.locked(queries.lockServers, { team }, async () => {
    const before = (await db.all(queries.toolsOf, { team, id })).find((one) => one.name === name);
    if (!before || before.pinned_hash === null || before.pinned_hash === now?.hash) return;
    if (now) db.send(queries.putTool, { team, id, ...now });
    else db.send(queries.missTool, { team, id, name });
    db.send(queries.countChange, { team, id, at: scope.now });
    await record(scope, toolChanged, id, { slug, tool: name, missing: now === undefined });
  });
}
