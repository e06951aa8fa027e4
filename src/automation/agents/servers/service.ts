import { randomUUIDv7 } from 'node:crypto';
import { checkEndpointUrl } from '#webhooks';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { cleanName } from '../../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { personOf, seesAllAgents } from '../access.ts';
import type { Servers } from './context.ts';
import type { Header } from './credentials.ts';
import { serverCreated, serverDeleted, serverUpdated, toolSet } from './events.ts';
import { most } from './limits.ts';
import { presentEntry, presentServer } from './present.ts';
import { serverProblems } from './problems.ts';
import * as queries from './queries.ts';
import { enqueueTokenRevocation } from './sign-in/revoke-tokens.ts';
import type { CreateServer, Server, ServerEntry, SetTool, UpdateServer } from './schemas.ts';

/** Throws 403 if the actor cannot see all agents of the team. */
export function refuseConfined({ actor }: ReadScope): void {
  if (!seesAllAgents(actor))
    throw problems.forbidden('Only actors that can see all agents of the team can read MCP servers. Ask an owner or administrator.');
}

/** Lists the servers of the team by name, without their tools. Throws 403. */
export async function listServers(scope: ReadScope): Promise<ServerEntry[]> {
  refuseConfined(scope);
  return (await scope.db.all(queries.listServers, { team: scope.team })).map(presentEntry);
}

/** Returns a server with its tools. Throws 403 and 404. */
export async function getServer(scope: ReadScope | Scope, serverId: string): Promise<Versioned<Server>> {
  refuseConfined(scope);
  const row = await serverOf(scope, serverId);
  const tools = await scope.db.all(queries.toolsOf, { team: scope.team, id: row.id });
  return { value: presentServer(row, tools), version: row.version };
}

export async function serverOf({ db, team }: ReadScope | Scope, serverId: string): Promise<queries.ServerRow> {
  const row = await db.first(queries.findServer, { team, id: pathId(serverId, 'MCP server') });
  if (!row) throw notFound('MCP server');
  return row;
}

/** Returns a server for a change, and locks the servers of the team. Throws 404 and 412. */
export async function lockServer(scope: Scope, serverId: string, expect: VersionCheck): Promise<queries.ServerRow> {
  const id = pathId(serverId, 'MCP server');
  const row = await scope.db.locked(queries.lockServers, { team: scope.team }, () => serverOf(scope, id));
  expect(row.version);
  return row;
}

/** Adds a server without contacting it. Throws 400, 409 `mcp_server_limit`, `mcp_server_exists`, and 422 `mcp_url_not_allowed`. */
export async function createServer(scope: Scope, servers: Servers, input: CreateServer): Promise<Versioned<Server>> {
  const { db, team, now: at } = scope;
  const { slug } = input;
  if (slug === 'chancery') throw invalidField('slug', 'must not be `chancery`, which is reserved for the built-in tools');
  const url = addressOf(servers, input.url);
  const { origin, host } = new URL(url);
  const given = input.credential === undefined ? undefined : credentialOf(input.credential);
  const all = await db.locked(queries.lockServers, { team }, () => db.all(queries.listServers, { team }));
  if (all.some((one) => one.slug === slug))
    throw serverProblems.mcp_server_exists(
      `Your team already has an MCP server \`${slug}\`. Change that server, or choose another \`slug\`.`,
    );
  if (all.length >= most.servers)
    throw serverProblems.mcp_server_limit(`Your team has ${most.servers} MCP servers, which is the maximum. Delete one first.`);
  const id = randomUUIDv7();
  db.send(queries.insertServer, {
    team,
    id,
    slug,
    name: cleanName(input.name),
    url,
    origin,
    credential: given === undefined ? null : servers.credentials.seal({ team, id, origin }, given),
    header: given?.header ?? null,
    trusted: input.trustedEgress ?? false,
    by: personOf(scope),
    at,
  });
  await recordAudit(scope, serverCreated, id, { slug, host });
  return getServer(scope, id);
}

/**
 * Changes the sent members. A new address removes the credential and disables all tools.
 * Throws the same errors as {@link createServer}, and 404 and 412.
 */
export async function updateServer(
  scope: Scope,
  servers: Servers,
  serverId: string,
  input: UpdateServer,
  expect: VersionCheck,
): Promise<Versioned<Server>> {
  const { db, team, now: at } = scope;
  const kept = await lockServer(scope, serverId, expect);
  const { id, slug } = kept;
  const url = input.url === undefined ? kept.url : addressOf(servers, input.url);
  const { origin } = new URL(url);
  const moved = url !== kept.url;
  const given = input.credential ? credentialOf(input.credential) : undefined;
  const keeps = input.credential === undefined && !moved;
  db.send(queries.updateServer, {
    team,
    id,
    name: input.name === undefined ? kept.name : cleanName(input.name),
    url,
    origin,
    keeps,
    credential: given ? servers.credentials.seal({ team, id, origin }, given) : null,
    header: given?.header ?? null,
    enabled: input.enabled ?? kept.enabled,
    trusted: input.trustedEgress ?? kept.trusted_egress,
    at,
  });
  if (!keeps) enqueueTokenRevocation(scope, kept);
  if (moved) {
    await db.all(queries.markToolsMissing, { team, id, names: [] });
    db.send(queries.dropTools, { team, id, names: [] });
  }
  await recordAudit(scope, serverUpdated, id, { slug, members: Object.keys(input) });
  return getServer(scope, id);
}

/** Deletes a server with its credential and its tools. Throws 404 and 412. */
export async function deleteServer(scope: Scope, serverId: string, expect: VersionCheck): Promise<void> {
  const kept = await lockServer(scope, serverId, expect);
  const { id, slug } = kept;
  enqueueTokenRevocation(scope, kept);
  scope.db.send(queries.deleteServer, { team: scope.team, id });
  await recordAudit(scope, serverDeleted, id, { slug });
}

/** Enables or disables a tool. `hash` must be the hash of the current description. Throws 404, 409 `mcp_tool_changed`, and 412. */
export async function setTool(
  scope: Scope,
  { serverId, toolName }: { serverId: string; toolName: string },
  { enabled, readOnly = false, idempotent = false, hash }: SetTool,
  expect: VersionCheck,
): Promise<Versioned<Server>> {
  const { db, team, now: at } = scope;
  const { id, slug } = await lockServer(scope, serverId, expect);
  const name = toolName.includes('\0') ? '' : toolName;
  const set = await db.first(queries.setTool, { team, id, name, hash, enabled, readOnly, idempotent, by: personOf(scope), at });
  if (!set) {
    if (!(await db.first(queries.findTool, { team, id, name }))) throw notFound('tool of this MCP server');
    throw serverProblems.mcp_tool_changed('The description of this tool has changed. Read the server again and review the tool.');
  }
  db.send(queries.countChange, { team, id, at });
  await recordAudit(scope, toolSet, id, {
    slug,
    tool: name,
    enabled,
    readOnly: readOnly && enabled,
    idempotent: idempotent && enabled,
    hash,
  });
  return getServer(scope, id);
}

const invalidField = (name: string, reason: string) =>
  problems.validation_failed(`\`${name}\` ${reason}.`, {
    errors: [{ name, pointer: `/${name.replaceAll('.', '/')}`, reason, rule: 'format' }],
  });

function addressOf({ policy }: Servers, text: string): string {
  const checked = checkEndpointUrl(text, policy);
  if (checked.ok) return checked.url;
  const errors = [{ name: 'url', pointer: '/url', reason: checked.reason, rule: checked.rule }];
  const detail = `\`url\` cannot be used: ${checked.reason}.`;
  throw checked.rule === 'url' ? problems.validation_failed(detail, { errors }) : serverProblems.mcp_url_not_allowed(detail, { errors });
}

/** Headers that the connection or the protocol sets. */
const notTheirs =
  /^(?:host|connection|content-.*|accept.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|cookie|user-agent|mcp-.*|last-event-id|proxy-.*)$/i;

function credentialOf({ header = 'Authorization', value }: { header?: string; value: string }): Header {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(header) || notTheirs.test(header))
    throw invalidField('credential.header', 'must be the name of a header that HTTP connections and MCP do not use themselves');
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    throw invalidField('credential.value', 'must be printable ASCII without spaces at the start and end');
  return { header, value };
}
