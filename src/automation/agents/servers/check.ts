import { record, recordAudit } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import type { Servers } from './context.ts';
import { readDefinitions } from './definitions.ts';
import { serverChecked, toolChanged } from './events.ts';
import { type Failure, RemoteFailure } from './failure.ts';
import { most } from './limits.ts';
import * as queries from './queries.ts';
import type { Server } from './schemas.ts';
import { getServer, lockServer, refuseConfined, serverOf } from './service.ts';
import { askSignedIn } from './sign-in/index.ts';

/** The result of a check, with the address that was checked. */
export type Checked = { url: string } & ({ failure: Failure } | { tools: readonly unknown[] });

/** Reads the tools of a server, outside of any transaction. Throws 403 and 404. */
export async function checkServer(scope: ReadScope, servers: Servers, serverId: string): Promise<Checked> {
  refuseConfined(scope);
  const row = await serverOf(scope, serverId);
  try {
    return { url: row.url, tools: await askSignedIn(servers, scope.team, row, AbortSignal.timeout(most.callMs), ({ list }) => list()) };
  } catch (error) {
    return { url: row.url, failure: error instanceof RemoteFailure ? error.code : 'timeout' };
  }
}

/** Stores the result of a check. Disables the enabled tools with a changed description. Throws 404 and 412. */
export async function storeCheckResult(scope: Scope, serverId: string, checked: Checked, expect: VersionCheck): Promise<Versioned<Server>> {
  const { db, team, now: at } = scope;
  const { id, slug, url } = await lockServer(scope, serverId, expect);
  // The address of the server changed during the check, so the result does not apply.
  if (url !== checked.url) return getServer(scope, id);
  const failure = 'failure' in checked ? checked.failure : null;
  const { tools, rejectedTools } = 'tools' in checked ? readDefinitions(slug, checked.tools) : { tools: [], rejectedTools: null };
  db.send(queries.storeCheck, { team, id, failure, rejectedTools: rejectedTools && JSON.stringify(rejectedTools), at });
  if (failure === null) {
    const before = new Map((await db.all(queries.toolsOf, { team, id })).map((one) => [one.name, one]));
    for (const tool of tools) {
      db.send(queries.putTool, { team, id, ...tool });
      const pinned = before.get(tool.name)?.pinned_hash ?? tool.hash;
      if (pinned !== tool.hash) await record(scope, toolChanged, id, { slug, tool: tool.name, missing: false });
    }
    const names = tools.map(({ name }) => name);
    for (const { name } of await db.all(queries.markToolsMissing, { team, id, names }))
      await record(scope, toolChanged, id, { slug, tool: name, missing: true });
    db.send(queries.dropTools, { team, id, names });
  }
  await recordAudit(scope, serverChecked, id, { slug, tools: tools.length, ...(failure === null ? {} : { failure }) });
  return getServer(scope, id);
}
