import type { Federated } from '#accounts';
import type { ConnectionRow } from './queries.ts';

/** The claims of a provider about a user, before the team’s settings decide which to trust. */
export type Vouched = Pick<Federated, 'issuer' | 'subject' | 'email' | 'firstName' | 'lastName' | 'objectId'> & {
  /** The provider’s claim about the address. */
  said: 'verified' | 'unverified' | 'nothing';
  /** The provider reports a second factor. */
  strong: boolean;
  authTime?: Date;
  /** The identifier of the session at the provider. */
  idpSession?: string;
  /** The end that the provider sets for the session. */
  endsAt?: Date;
};

/** Returns the claims that the team trusts by the settings of its connection. */
export function believed(
  { strong, authTime, said, email, idpSession, endsAt, ...person }: Vouched,
  row: ConnectionRow,
): Omit<Federated, 'team' | 'language'> {
  const counts = said === 'verified' || (said === 'nothing' && row.email_trust === 'domain');
  const secondFactorShown = row.trusts_mfa && strong;
  const owned = new Set(row.domains.filter(({ verifiedAt }) => verifiedAt !== undefined).map(({ domain }) => domain));
  return {
    ...person,
    email: counts ? email : undefined,
    connectionId: row.id,
    proven: {
      amr: secondFactorShown ? ['fed', 'mfa'] : ['fed'],
      acr: secondFactorShown ? 'aal2' : 'aal1',
      ...(authTime === undefined ? {} : { authTime }),
      idpSession,
      endsAt: endsAt?.toISOString(),
    },
    secondFactorShown,
    role: row.default_role,
    createsAccount: row.jit,
    owns: (domain) => owned.has(domain),
    linksByAddress: row.is_enforced,
  };
}

/**
 * Whether a text can identify a user at a provider (OpenID Connect Core §2: at most 255 characters). It
 * rejects empty values: providers may use an optional property, and all users without it would be one user.
 */
export const isSubject = (text: string) => text !== '' && text.length <= 255 && text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Values for a second factor at providers: RFC 8176, NIST, the Extended Authentication Profile, PAPE, REFEDS, Entra ID. */
export const strongContexts: ReadonlySet<string> = new Set([
  'aal2',
  'aal3',
  'mfa',
  'phr',
  'phrh',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
]);
