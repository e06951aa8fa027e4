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

/** A tool of an external server that an agent has. */
export type RemoteTool = {
  /** The name for agents. */
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** Whether an administrator declared the tool read-only. The claim of the server has no effect. */
  readOnly: boolean;
  /** Whether an administrator declared that a repeated call has no further effect. */
  idempotent: boolean;
  /** Whether calls need no approval even after a run has read data of the team. */
  trustedEgress: boolean;
  row: queries.UsableRow;
};

/** Returns the external tools of an agent: the enabled tools in its allow-list whose description is unchanged. */
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

/** The result of a call. `changed` means that the description changed, so the tool was not called. */
export type RemoteCall = RemoteAnswer | { changed: true; tools: readonly unknown[] };

type Calling = {
  team: string;
  tool: RemoteTool;
  input: Record<string, unknown>;
  signal: AbortSignal;
  /** Called directly before the call is sent. If it rejects, the call is not sent. */
  before: () => Promise<void>;
};

/**
 * Calls an external tool if its description is unchanged. Rejects with `RemoteFailure`, with the reason of `signal`, or with the error of `before`.
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

/** Disables a tool that changed or disappeared, until an administrator reviews it. */
export async function recordChangedTool(scope: Scope, { row: { id, slug, name } }: RemoteTool, tools: readonly unknown[]): Promise<void> {
  const { db, team } = scope;
  const now = readDefinitions(slug, tools).tools.find((one) => one.name === name);
  await db.locked(queries.lockServers, { team }, async () => {
    const before = (await db.all(queries.toolsOf, { team, id })).find((one) => one.name === name);
    if (!before || before.pinned_hash === null || before.pinned_hash === now?.hash) return;
    if (now) db.send(queries.putTool, { team, id, ...now });
    else db.send(queries.markToolMissing, { team, id, name });
    db.send(queries.countChange, { team, id, at: scope.now });
    await record(scope, toolChanged, id, { slug, tool: name, missing: now === undefined });
  });
}
