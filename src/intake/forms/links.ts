import { randomUUIDv7 } from 'node:crypto';
import type { Box } from '../../platform/crypto/secretbox.ts';
import { newTeamToken, tokenHash } from '../../platform/crypto/tokens.ts';
import type { SealedColumn } from '../../platform/database/reencrypt.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import * as queries from './link-queries.ts';
import type { Channel, LinkList } from './schemas.ts';

export const linkPurpose = 'interface-links';
const place = (id: string) => `interface_link ${id}`;
/** The context to which an encrypted token is bound. */
export const linkPlace = place;

/** The encrypted column for the tokens of links. */
export const sealedLinks: SealedColumn = {
  table: 'interface_link',
  column: 'sealed',
  key: { team_id: 'uuid', id: 'uuid' },
  purpose: linkPurpose,
  boundTo: ({ id = '' }) => place(id),
};

/** The dependencies of the use cases, in addition to the scope. */
export type Interfaces = { baseUrl: string; links: Box };

/**
 * Creates or replaces the link of a channel and returns its token. A preview link has an expiry time, and works only while its creator may edit the
 * form.
 */
export function putLink(
  { links }: Interfaces,
  scope: Scope,
  interfaceId: string,
  channel: Channel | 'preview',
  preview: { expires: Date | null; by: string | null } = { expires: null, by: null },
): string {
  const { team, now: at } = scope;
  const [id, token] = [randomUUIDv7(), newTeamToken(team)];
  scope.db.send(queries.retireLink, { team, id: interfaceId, channel, at });
  const made = { id, interface: interfaceId, channel, hash: tokenHash(token), sealed: links.seal(token, place(id)), ...preview };
  scope.db.send(queries.insertLink, { team, at, ...made });
  return token;
}

/** Returns the URL of the page of a form from its stored link. */
export function publicLinkOf({ links, baseUrl }: Interfaces, { id, sealed }: { id: string; sealed: Buffer }): string {
  return `${baseUrl}/f/${links.open(sealed, place(id)).toString()}`;
}

/** Returns the current links of a form, or `undefined` before the first publication. */
export async function linksOf({ links, baseUrl }: Interfaces, scope: ReadScope | Scope, id: string): Promise<LinkList | undefined> {
  const found = await scope.db.all(queries.currentLinks, { team: scope.team, id });
  const tokenOf = (channel: Channel) => {
    const link = found.find((one) => one.channel === channel);
    return link && links.open(link.sealed, place(link.id)).toString();
  };
  const [publicToken, apiToken] = [tokenOf('public'), tokenOf('api')];
  if (publicToken === undefined || apiToken === undefined) return undefined;
  return { publicToken, publicUrl: `${baseUrl}/f/${publicToken}`, apiToken };
}
