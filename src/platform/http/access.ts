import type { RouteOptions } from 'fastify';

/**
 * Who may call an operation. Every route declares one: a route without does not register.
 *
 * - `public`: no credential; the operation is its own guard (sign-in, key sets, health). With `credential: 'optional'` a
 *   bearer token of a person is proven where one is sent, and the operation is told who it is.
 * - `user`: a bearer token of a person or of an API client of a team; with `scope`, the token must carry it. What belongs
 *   to a person is closed to clients: operations on a profile, and those without a scope, since a client's rights are its
 *   scopes. `person: true` says so of any other. `roles` names the only roles of persons that may call it at all; what an
 *   API client may is its scopes. A change of what is there, and that answers with it, needs the scope to read it too (`reads`),
 *   which is added when the route is registered.
 * - `staff`: a bearer token of platform staff.
 * - `mcp`: a bearer token that was issued for the MCP server alone (RFC 8707), and opens nothing else. `challenge` goes along
 *   with each refusal: where the metadata of that resource are (RFC 9728), and which scopes to begin with.
 * - `link`: a token in the path is the credential.
 * - `page`: the session cookie of a person. The page leads a browser without a session to the sign-in page.
 */
export type Access =
  | { kind: 'public'; credential?: 'optional' }
  | { kind: 'user'; scope?: string; reads?: string; person?: true; roles?: readonly string[] }
  | { kind: 'staff' }
  | { kind: 'mcp'; challenge: { resource_metadata: string; scope: string } }
  | { kind: 'link' }
  | { kind: 'page' };

/** Accesses that take a bearer token, by whose it is. */
export type TokenAccess = Extract<Access, { kind: 'user' | 'staff' | 'mcp' }>;

export const takesToken = (access: Access): access is TokenAccess =>
  access.kind === 'user' || access.kind === 'staff' || access.kind === 'mcp';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** A request is not a change by itself: what changes something counts that against the pace of its team. */
    countsOwnWrites?: boolean;
    /**
     * `oauth`: errors in the shape the contract gives the refresh operations, `{error, …}` as `application/json`.
     * `rfc6749`: exactly `{error, error_description}` with the codes of RFC 6749 §5.2.
     */
    errorShape?: 'problem' | 'oauth' | 'rfc6749';
    /** The body may be left out or be of any type, which is then ignored. */
    lenientBody?: boolean;
    /** People open the address in a browser, which gets a problem as a page. */
    opensInBrowser?: true;
    /** Health and metrics do not count against the limit of an address. */
    unlimited?: boolean;
  }
}

/** Whether an operation belongs to a person, so that no API client may call it whatever its scopes. */
export function isPersonal(access: Access): boolean {
  return access.kind === 'user' && (access.person === true || access.scope === undefined || access.scope.startsWith('profile:'));
}

/** The scopes that a token must carry, all of them. */
export function requiredScopes(access: Access): string[] {
  return access.kind === 'user' ? [access.scope ?? [], access.reads ?? []].flat() : [];
}

/** Areas in which an API client reaches nothing but what it made itself. */
const ownAlone = new Set(['webhooks']);

/**
 * The access of a route, with the scope that what it answers with is read by: whoever changes a thing, if only to what it is
 * already, would otherwise be shown it without.
 */
export function withReads(route: RouteOptions, access: Access): Access {
  if (access.kind !== 'user' || isPersonal(access)) return access;
  const [area = '', right] = access.scope?.split(':') ?? [];
  if (right !== 'write' || ownAlone.has(area)) return access;
  const answers = Object.entries((route.schema?.response ?? {}) as Record<string, ResponseSchema>);
  // What is made anew is answered with 201, under an address that names nothing yet.
  const changed = (status: string) => status.startsWith('2') && (status !== '201' || route.url.includes(':'));
  return answers.some(([status, shown]) => changed(status) && showsThing(shown)) ? { ...access, reads: `${area}:read` } : access;
}

type ResponseSchema = { type?: string; properties?: object };

/** Whether an answer shows more than that it was done. */
function showsThing({ type, properties = {} }: ResponseSchema): boolean {
  if (type === 'null') return false;
  return type !== 'object' || Object.keys(properties).some((name) => name !== 'success' && name !== 'message');
}
