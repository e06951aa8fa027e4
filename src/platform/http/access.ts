/**
 * Who may call an operation. Every route declares one: a route without does not register.
 *
 * - `public`: no credential; the operation is its own guard (sign-in, key sets, health). With `credential: 'optional'` a
 *   bearer token of a person is proven where one is sent, and the operation is told who it is.
 * - `user`: a bearer token of a person or of an API client of a team; with `scope`, the token must carry it.
 * - `staff`: a bearer token of platform staff.
 * - `link`: a token in the path is the credential.
 */
export type Access = { kind: 'public'; credential?: 'optional' } | { kind: 'user'; scope?: string } | { kind: 'staff' } | { kind: 'link' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Errors in the shape the contract gives the refresh operations: `{error, …}` as `application/json`. */
    errorShape?: 'problem' | 'oauth';
    /** The body may be left out or be of any type, which is then ignored. */
    lenientBody?: boolean;
    /** Health and metrics do not count against the limit of an address. */
    unlimited?: boolean;
  }
}
