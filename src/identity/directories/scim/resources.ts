import { schemaOf } from './attributes.ts';
import type { GroupRow, MemberRow } from './group-queries.ts';
import type { UserRow } from './user-queries.ts';

export type Resource = Readonly<Record<string, unknown>>;

/** Removes members without a value, because a SCIM response omits them (RFC 7643 §2.5). */
const given = (members: Readonly<Record<string, unknown>>): Resource | undefined => {
  const kept = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

export const tagOf = (version: number): string => `W/"${version}"`;

type StoredResource = { id: string; version: number; created_at: string; updated_at: string };
const metaOf = (
  baseUrl: string,
  resourceType: 'User' | 'Group',
  { id, version, created_at: created, updated_at: lastModified }: StoredResource,
) => ({
  resourceType,
  created,
  lastModified,
  location: `${baseUrl}/${resourceType}s/${id}`,
  version: tagOf(version),
});

export function userResource(baseUrl: string, row: UserRow): Resource {
  const { displayName, formatted, givenName, familyName, title, preferredLanguage, locale, timezone, department, employeeNumber, manager } =
    row.attributes;
  const extension = given({ department, employeeNumber, manager: manager === undefined ? undefined : { value: manager } });
  return {
    schemas: [schemaOf.user, ...(extension ? [schemaOf.enterprise] : [])],
    id: row.id,
    ...given({ externalId: row.external_id }),
    userName: row.user_name,
    ...given({ name: given({ formatted, givenName, familyName }), displayName, title, preferredLanguage, locale, timezone }),
    active: row.active,
    ...given({ emails: row.email === null ? undefined : [{ value: row.email, type: 'work' }] }),
    ...(extension ? { [schemaOf.enterprise]: extension } : {}),
    meta: metaOf(baseUrl, 'User', row),
  };
}

export function groupResource(baseUrl: string, row: GroupRow, members: readonly MemberRow[] | undefined): Resource {
  return {
    schemas: [schemaOf.group],
    id: row.id,
    ...given({ externalId: row.external_id }),
    displayName: row.name,
    ...(members && members.length > 0
      ? { members: members.map(({ id }) => ({ value: id, type: 'User', $ref: `${baseUrl}/Users/${id}` })) }
      : {}),
    meta: metaOf(baseUrl, 'Group', row),
  };
}

/** The attributes that a request asks for or excludes (RFC 7644 §3.9), in lower case. */
export type Projection = { only: ReadonlySet<string> | undefined; except: ReadonlySet<string> };

const always = new Set(['id', 'schemas']);
/** Extensions are attributes too, and their URN contains dots and colons. */
const parts = (path: string): [string, string | undefined] => {
  const extension = Object.values(schemaOf).find((urn) => path.startsWith(urn.toLowerCase()));
  const rest = extension === undefined ? path : path.slice(extension.length + 1);
  if (extension === schemaOf.enterprise) return [extension.toLowerCase(), rest === '' ? undefined : rest.split('.', 1)[0]];
  const [name = '', member] = rest.split('.', 2);
  return [name, member];
};

/** Returns a resource with the attributes of a projection. Names of the request are only compared. */
export function projected(resource: Resource, { only, except }: Projection): Resource {
  if (only === undefined && except.size === 0) return resource;
  const wanted = only && [...only].map(parts);
  const kept = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const lower = name.toLowerCase();
    if (always.has(name)) return [[name, value]];
    if (!wanted) return except.has(lower) ? [] : [[name, value]];
    const named = wanted.filter(([attribute]) => attribute === lower);
    if (named.length === 0) return [];
    const members = new Set(named.map(([, member]) => member));
    if (members.has(undefined) || typeof value !== 'object' || value === null) return [[name, value]];
    const cut = (one: object) => Object.fromEntries(Object.entries(one).filter(([member]) => members.has(member.toLowerCase())));
    return [[name, Array.isArray(value) ? value.map((one: object) => cut(one)) : cut(value)]];
  });
  return Object.fromEntries(kept);
}
