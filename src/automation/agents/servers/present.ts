import type { Definition } from './definitions.ts';
import { separator } from './limits.ts';
import type { ServerRow, ToolRow } from './queries.ts';
import type { Server, ServerEntry } from './schemas.ts';

/** The list entry of a server, with only the header name of its credential. */
export const presentEntry = (row: ServerRow): ServerEntry => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  url: row.url,
  ...(row.credential_header === null ? {} : { credential: { header: row.credential_header } }),
  ...(row.sign_in_issuer === null || row.signed_in_by === null || row.signed_in_at === null
    ? {}
    : { signIn: { issuer: row.sign_in_issuer, by: row.signed_in_by, at: row.signed_in_at } }),
  enabled: row.enabled,
  trustedEgress: row.trusted_egress,
  toolCount: row.tools,
  enabledToolCount: row.tools_on,
  ...(row.checked_at === null ? {} : { checkedAt: row.checked_at }),
  ...(row.failure === null ? {} : { failure: row.failure }),
  createdBy: row.created_by,
  createdByType: 'user',
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** A server with its tools, as the server describes them. */
export const presentServer = (row: ServerRow, tools: readonly ToolRow[]): Server => ({
  ...presentEntry(row),
  tools: tools.map((tool) => presentTool(row.slug, tool)),
  rejectedTools: row.rejected_tools,
});

function presentTool(slug: string, row: ToolRow): Server['tools'][number] {
  const { title, description, inputSchema, annotations } = JSON.parse(row.definition) as Definition;
  const off = row.changed ? 'changed' : 'off';
  return {
    name: row.name,
    callName: `${slug}${separator}${row.name}`,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
    hash: row.hash,
    state: row.missing ? 'missing' : row.pinned_hash === row.hash ? 'on' : off,
    readOnly: row.read_only,
    idempotent: row.idempotent,
    ...(row.set_by === null ? {} : { setBy: row.set_by }),
    ...(row.set_at === null ? {} : { setAt: row.set_at }),
  };
}
