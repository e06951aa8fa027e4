import { isSubject, strongContexts, type Vouched } from '../claims.ts';
import type { SamlConnection } from '../connection-kinds.ts';
import type { VerifiedAssertion } from './response.ts';
import { reject } from './xml.ts';

const claimTypes = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
/** The names that providers use for attributes: plain, LDAP (RFC 4524) and of Entra ID. */
const attributeNames = {
  email: ['email', 'mail', 'emailAddress', 'urn:oid:0.9.2342.19200300.100.1.3', `${claimTypes}/emailaddress`],
  firstName: ['firstName', 'givenName', 'urn:oid:2.5.4.42', `${claimTypes}/givenname`],
  lastName: ['lastName', 'surname', 'sn', 'urn:oid:2.5.4.4', `${claimTypes}/surname`],
};
const objectIdentifier = 'http://schemas.microsoft.com/identity/claims/objectidentifier';
const methods = 'http://schemas.microsoft.com/claims/authnmethodsreferences';

/** Returns the claims of a verified assertion. Throws a {@link RejectedXml} if it identifies no user. */
export function vouchedBy(assertion: VerifiedAssertion, row: SamlConnection, now: number): Vouched {
  const { subject, isEmailAddress, attributes, contexts, authenticatedAt, sessionUntil } = assertion;
  if (!isSubject(subject)) reject('subject');
  const values = (names: readonly string[]) => attributes.filter(([name]) => names.includes(name)).flatMap(([, texts]) => texts);
  // Several different values could be of several users.
  const single = (names: readonly string[]) => {
    const [value, ...others] = new Set(values(names));
    return others.length > 0 ? undefined : value;
  };
  const objectId = single([row.subject_claim ?? objectIdentifier]);
  return {
    issuer: row.issuer,
    subject,
    email: single(attributeNames.email) ?? (isEmailAddress ? subject : undefined),
    // SAML has no claim that an address is verified.
    said: 'nothing',
    firstName: single(attributeNames.firstName),
    lastName: single(attributeNames.lastName),
    objectId: objectId !== undefined && isSubject(objectId) ? objectId : undefined,
    strong: [...contexts, ...values([methods])].some((context) => strongContexts.has(context)),
    authTime: new Date(Math.min(authenticatedAt, now)),
    ...(sessionUntil === undefined ? {} : { endsAt: new Date(sessionUntil) }),
  };
}
