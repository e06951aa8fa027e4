import { signedElement } from './signature.ts';
import {
  attributeOf,
  childrenNamed,
  elementsOf,
  isNamed,
  type NameIdFormat,
  nameIdFormats,
  namespaces,
  onlyChild,
  parseProviderXml,
  reject,
  textOf,
  timeOf,
  type XmlElement,
} from './xml.ts';

/** The connection and the time against which a response is checked. */
export type ResponseExpectation = {
  /** The certificates of the provider (PEM). */
  certificates: readonly string[];
  /** The entity ID of the provider. */
  issuer: string;
  /** The entity ID of this service for the connection. */
  audience: string;
  /** The address of the assertion consumer service. */
  recipient: string;
  nameIdFormat: NameIdFormat;
  /** Unix milliseconds. */
  now: number;
};

/** The content of a verified assertion. */
export type VerifiedAssertion = {
  id: string;
  /** The request that it answers, or undefined if it is unsolicited. */
  request: string | undefined;
  /** The end of its validity in Unix milliseconds, including the tolerance. */
  until: number;
  subject: string;
  isEmailAddress: boolean;
  /** The time of the authentication at the provider in Unix milliseconds. */
  authenticatedAt: number;
  /** The end that the provider sets for the session, in Unix milliseconds. */
  sessionUntil: number | undefined;
  /** The authentication contexts. */
  contexts: string[];
  attributes: [name: string, values: string[]][];
};

/** The tolerated clock difference in milliseconds. */
const skewMs = 60_000;
const { protocol, assertion: saml } = namespaces;
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * Verifies a response of a provider (SAML 2.0 Web Browser SSO Profile, section 4.1.4). The assertion is read only from bytes that the provider signed.
 * Throws a {@link RejectedXml}. The caller checks that the request is open and that the assertion is new.
 */
export function readResponse(bytes: Uint8Array, expected: ResponseExpectation): VerifiedAssertion {
  const root = parseProviderXml(bytes);
  if (!isNamed(root, protocol, 'Response')) reject('not_a_response');
  checkUniqueIds(root);
  // Without a signature, so that a failed sign-in has its reason.
  checkResponse(root, expected);
  if (childrenNamed(root, saml, 'EncryptedAssertion').length > 0) reject('saml_encrypted');
  if (root.getElementsByTagNameNS(saml, 'Assertion').length !== 1) reject('one_Assertion');
  const signedResponse = signedElement(root, expected.certificates);
  const signedAssertion = signedElement(onlyChild(root, saml, 'Assertion'), expected.certificates);
  const response = signedResponse ?? root;
  const inResponse = onlyChild(response, saml, 'Assertion');
  const assertion = signedAssertion ?? (signedResponse ? inResponse : reject('unsigned'));
  if (attributeOf(assertion, 'ID') !== attributeOf(inResponse, 'ID')) reject('other_assertion');
  if (signedResponse) checkResponse(signedResponse, expected);
  return readAssertion(assertion, expected);
}

function checkUniqueIds(root: XmlElement): void {
  const seen = new Set<string>();
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const id = attributeOf(element, 'ID');
    if (id !== undefined && seen.has(id)) reject('duplicate_id');
    if (id !== undefined) seen.add(id);
    waiting.push(...elementsOf(element));
  }
}

function checkResponse(response: XmlElement, { issuer, recipient }: ResponseExpectation): void {
  if (attributeOf(response, 'Version') !== '2.0') reject('version');
  const destination = attributeOf(response, 'Destination');
  if (destination !== undefined && destination !== recipient) reject('destination');
  if (childrenNamed(response, saml, 'Issuer').some((one) => textOf(one) !== issuer)) reject('issuer');
  const status = onlyChild(onlyChild(response, protocol, 'Status'), protocol, 'StatusCode');
  if (attributeOf(status, 'Value') !== success) reject('status');
}

function readAssertion(assertion: XmlElement, expected: ResponseExpectation): VerifiedAssertion {
  if (attributeOf(assertion, 'Version') !== '2.0') reject('version');
  if (textOf(onlyChild(assertion, saml, 'Issuer')) !== expected.issuer) reject('issuer');
  const subject = onlyChild(assertion, saml, 'Subject');
  const name = onlyChild(subject, saml, 'NameID');
  const confirmation = confirmationOf(subject, expected);
  checkConditions(onlyChild(assertion, saml, 'Conditions'), expected);
  const statements = childrenNamed(assertion, saml, 'AuthnStatement');
  const [statement] = statements;
  if (!statement) return reject('authn_statement');
  const ends = statements.map((one) => timeOf(one, 'SessionNotOnOrAfter')).filter((end) => end !== undefined);
  if (ends.some((end) => expected.now >= end + skewMs)) reject('session_ended');
  return {
    id: attributeOf(assertion, 'ID') ?? '',
    request: confirmation.request,
    until: confirmation.until,
    subject: textOf(name),
    isEmailAddress: checkFormat(attributeOf(name, 'Format'), expected.nameIdFormat) === nameIdFormats.emailAddress,
    authenticatedAt: timeOf(statement, 'AuthnInstant') ?? reject('authn_statement'),
    sessionUntil: ends.length > 0 ? Math.min(...ends) : undefined,
    contexts: statements.flatMap(contextsOf),
    attributes: attributesOf(assertion),
  };
}

/** Returns the format of a NameID. A transient one names another user at each sign-in, and an address can get another owner. */
function checkFormat(format: string = nameIdFormats.unspecified, chosen: NameIdFormat): string {
  const accepted: string[] =
    chosen === 'emailAddress' ? [nameIdFormats.emailAddress] : [nameIdFormats.persistent, nameIdFormats.unspecified];
  return accepted.includes(format) ? format : reject('name_id_format');
}

/** Returns the request and the end of the bearer confirmation that is valid here and now. */
function confirmationOf(subject: XmlElement, { recipient, now }: ResponseExpectation): { request: string | undefined; until: number } {
  for (const confirmation of childrenNamed(subject, saml, 'SubjectConfirmation')) {
    if (attributeOf(confirmation, 'Method') !== bearer) continue;
    const data = onlyChild(confirmation, saml, 'SubjectConfirmationData');
    const until = timeOf(data, 'NotOnOrAfter');
    // A bearer confirmation has no earliest time (Profiles section 4.1.4.2).
    const isHere = attributeOf(data, 'Recipient') === recipient && attributeOf(data, 'NotBefore') === undefined;
    if (isHere && until !== undefined && now < until + skewMs) return { request: attributeOf(data, 'InResponseTo'), until: until + skewMs };
  }
  return reject('subject_confirmation');
}

function checkConditions(conditions: XmlElement, { audience, now }: ResponseExpectation): void {
  const [from, until] = [timeOf(conditions, 'NotBefore'), timeOf(conditions, 'NotOnOrAfter')];
  if (from !== undefined && now < from - skewMs) reject('not_yet_valid');
  if (until !== undefined && now >= until + skewMs) reject('expired');
  const restrictions = childrenNamed(conditions, saml, 'AudienceRestriction');
  const names = (one: XmlElement) => childrenNamed(one, saml, 'Audience').some((each) => textOf(each) === audience);
  if (restrictions.length === 0 || !restrictions.every(names)) reject('audience');
}

const contextsOf = (statement: XmlElement): string[] =>
  childrenNamed(statement, saml, 'AuthnContext').flatMap((context) => childrenNamed(context, saml, 'AuthnContextClassRef').map(textOf));

/** Returns the attributes with texts. Structured values are omitted. */
function attributesOf(assertion: XmlElement): [string, string[]][] {
  const attributes = childrenNamed(assertion, saml, 'AttributeStatement').flatMap((one) => childrenNamed(one, saml, 'Attribute'));
  return attributes.map((attribute) => [
    attributeOf(attribute, 'Name') ?? '',
    childrenNamed(attribute, saml, 'AttributeValue')
      .filter((value) => elementsOf(value).length === 0)
      .map(textOf),
  ]);
}
