/** The members of an access token that the console reads. The API checks the token; the console only decides what to show. */
export type Claims = { sub: string; team: string; role: string; scopes: ReadonlySet<string>; lifetimeMs: number };

/** Whether the person is an owner or administrator of the team. */
export const managesTeam = ({ role }: Claims): boolean => role === 'owner' || role === 'admin';

/** Reads the payload of a JWT. */
export function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<'sub' | 'team' | 'role' | 'scope', string> &
    Record<'iat' | 'exp', number>;
  const { sub, team, role, scope, iat, exp } = claims;
  return { sub, team, role, scopes: new Set(scope.split(' ')), lifetimeMs: (exp - iat) * 1_000 };
}
