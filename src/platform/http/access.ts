import type { RouteOptions } from 'fastify';

/**
 * Who may call an operation. Each route declares an access; a route without one fails to register.
 *
 * - `public`: no credential is required; the operation protects itself (sign-in, key sets, health). With `credential: 'optional'` a bearer token of a
 *   user is verified if it is sent, and the operation gets the user.
 * - `user`: a bearer token of a user or of an API client of a team; with `scope`, the token must have it. API clients cannot call personal
 *   operations: those on a profile and those without a scope, because the rights of a client are its scopes. `person: true` marks any other personal
 *   operation. `roles` lists the user roles that may call the operation; it does not limit API clients. An operation that changes and returns an
 *   existing resource also needs the scope to read it (`reads`), which is added when the route registers.
 *   Users with a role of `alsoFor` may call it without `scope`; the operation limits their call.
 *   `byScopes: true` opens an operation without a scope to API clients. Its response contains only resources that the scopes of the token allow.
 *   `exports` marks an operation that takes many resources or entries out of the team at once.
 * - `staff`: a bearer token of platform staff.
 * - `mcp`: a bearer token that was issued only for the MCP server (RFC 8707). `challenge` is added to each rejection: the URL of the resource
 *   metadata (RFC 9728) and the scopes to request first.
 * - `scim`: a bearer token of a directory of a team.
 * - `link`: a token in the path is the credential.
 * - `page`: the session cookie of a user. A browser without a session is redirected to the sign-in page.
 */
export type Access =
  | { kind: 'public'; credential?: 'optional' }
  | {
      kind: 'user';
      scope?: string;
      reads?: string;
      person?: true;
      roles?: readonly string[];
      alsoFor?: readonly string[];
      byScopes?: true;
      exports?: true;
    }
  | { kind: 'staff' }
  | { kind: 'mcp'; challenge: { resource_metadata: string; scope: string } }
  | { kind: 'scim' }
  | { kind: 'link' }
  | { kind: 'page' };

/** The accesses that require a bearer token, by the kind of its owner. */
export type TokenAccess = Extract<Access, { kind: 'user' | 'staff' | 'mcp' | 'scim' }>;

export const takesToken = (access: Access): access is TokenAccess =>
  access.kind === 'user' || access.kind === 'staff' || access.kind === 'mcp' || access.kind === 'scim';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Whether the operation counts its own changes against the write limit of the team. The request itself then does not count as a change. */
    countsOwnWrites?: boolean;
    /**
     * `oauth`: errors as `{error, …}` in `application/json`, as the contract defines them for the refresh operations.
     * `scim`: errors of RFC 7644 §3.12.
     * `rfc6749`: exactly `{error, error_description}` with the codes of RFC 6749 §5.2.
     */
    errorShape?: 'problem' | 'oauth' | 'rfc6749' | 'scim';
    /** Whether the body may be missing or have any type. Such a body is ignored. */
    lenientBody?: boolean;
    /** Whether people open the URL in a browser, so that errors are returned as pages. */
    opensInBrowser?: true;
    /** Whether requests do not count against the rate limit of an IP address, for health and metrics. */
    unlimited?: boolean;
  }
}

/** Returns whether an operation is personal. API clients cannot call it, even with all scopes. */
export function isPersonal(access: Access): boolean {
  if (access.kind !== 'user') return false;
  return access.person === true || (access.scope === undefined ? access.byScopes !== true : access.scope.startsWith('profile:'));
}

/** Returns all scopes that a token needs. */
export function requiredScopes(access: Access): string[] {
  return access.kind === 'user' ? [access.scope ?? [], access.reads ?? []].flat() : [];
}

/** Areas of scopes in which an API client can access only its own resources. */
const ownAlone = new Set(['webhooks']);

/**
 * Returns the access of a route, with the additional scope to read the resource that its response contains. Otherwise a caller could
 * read a resource without the read scope, by a change without effect.
 */
export function withReads(route: RouteOptions, access: Access): Access {
  if (access.kind !== 'user' || isPersonal(access)) return access;
  const [area = '', right] = access.scope?.split(':') ?? [];
  if (right !== 'write' || ownAlone.has(area)) return access;
  const answers = Object.entries((route.schema?.response ?? {}) as Record<string, ResponseSchema>);
  // A new resource is returned with 201, at a URL without an identifier.
  const changed = (status: string) => status.startsWith('2') && (status !== '201' || route.url.includes(':'));
  return answers.some(([status, shown]) => changed(status) && showsThing(shown)) ? { ...access, reads: `${area}:read` } : access;
}

type ResponseSchema = { type?: string; properties?: object };

/** Returns whether a response contains more than a success message. */
function showsThing({ type, properties = {} }: ResponseSchema): boolean {
  if (type === 'null') return false;
  return type !== 'object' || Object.keys(properties).some((name) => name !== 'success' && name !== 'message');
}
