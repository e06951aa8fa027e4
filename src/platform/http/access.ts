/**
 * Who may call an operation. Every route declares one: a route without does not register.
 *
 * - `public`: no credential; the operation is its own guard (sign-in, key sets, health). With `credential: 'optional'` a
 *   bearer token of a person is proven where one is sent, and the operation is told who it is.
 * - `user`: a bearer token of a person or of an API client of a team; with `scope`, the token must carry it. What belongs
 *   to a person is closed to clients: operations on a profile, and those without a scope, since a client's rights are its
 *   scopes. `person: true` says so of any other. `roles` names the only roles of persons that may call it at all; what an
 *   API client may is its scopes.
 * - `staff`: a bearer token of platform staff.
 * - `link`: a token in the path is the credential.
 */
export type Access =
  | { kind: 'public'; credential?: 'optional' }
  | { kind: 'user'; scope?: string; person?: true; roles?: readonly string[] }
  | { kind: 'staff' }
  | { kind: 'link' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /**
     * `oauth`: errors in the shape the contract gives the refresh operations, `{error, …}` as `application/json`.
     * `rfc6749`: exactly `{error, error_description}` with the codes of RFC 6749 §5.2.
     */
    errorShape?: 'problem' | 'oauth' | 'rfc6749';
    /** The body may be left out or be of any type, which is then ignored. */
    lenientBody?: boolean;
    /** Health and metrics do not count against the limit of an address. */
    unlimited?: boolean;
  }
}

/** Whether an operation belongs to a person, so that no API client may call it whatever its scopes. */
export function isPersonal(access: Access): boolean {
  return access.kind === 'user' && (access.person === true || access.scope === undefined || access.scope.startsWith('profile:'));
}
