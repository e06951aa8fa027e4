import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { makeSelfSigned } from '../src/identity/keys/seal/certificates.ts';

type SignedXml = {
  addReference(reference: { xpath: string; digestAlgorithm: string; transforms: string[]; inclusiveNamespacesPrefixList: string[] }): void;
  computeSignature(xml: string, options: { location: { reference: string; action: 'after' } }): void;
  getSignedXml(): string;
};
type SignedXmlOptions = Record<'privateKey' | 'publicCert' | 'signatureAlgorithm' | 'canonicalizationAlgorithm', string>;

/** The types of the library add the globals of browsers to the whole project. */
const { SignedXml } = createRequire(import.meta.url)('xml-crypto') as { SignedXml: new (options: SignedXmlOptions) => SignedXml };

/** The key of a SAML provider with its certificate, as PEM. */
export type ProviderKey = { privateKey: string; certificate: string };

export async function newProviderKey(now = new Date(), bits = 2048): Promise<ProviderKey> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const secret = await crypto.subtle.importKey('pkcs8', privateKey.export({ type: 'pkcs8', format: 'der' }), algorithm, true, ['sign']);
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', secret);
  const open = await crypto.subtle.importKey('jwk', { kty: kty ?? 'RSA', n: n ?? '', e: e ?? '' }, algorithm, true, ['verify']);
  const der = await makeSelfSigned('Provider', { privateKey: secret, publicKey: open }, now);
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

const [protocol, saml] = ['urn:oasis:names:tc:SAML:2.0:protocol', 'urn:oasis:names:tc:SAML:2.0:assertion'];
const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** The content of a response. `null` omits a part. Times are in seconds from `now`. */
export type ResponseParts = {
  id: string;
  name: string;
  /** Attributes of the NameID, as `Format`. */
  format: string | null;
  issuer: string;
  responseIssuer: string | null;
  audience: string | null;
  recipient: string | null;
  destination: string | null;
  request: string | null;
  responseRequest: string | null;
  status: string;
  method: string;
  conditions: boolean;
  confirmation: boolean;
  statement: boolean;
  from: number;
  until: number;
  confirmedUntil: number;
  sessionUntil: number | null;
  context: string;
  attributes: Record<string, string | string[]>;
  /** Further XML in the attribute statement. */
  more: string;
  now: number;
};

export const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** The parts of a valid response to a request. */
export function validParts(
  given: Pick<ResponseParts, 'issuer' | 'audience' | 'recipient' | 'request'> & Partial<ResponseParts>,
): ResponseParts {
  return {
    id: `_${randomUUID()}`,
    name: 'ada',
    format: persistent,
    responseIssuer: given.issuer,
    destination: given.recipient,
    responseRequest: given.request,
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    conditions: true,
    confirmation: true,
    statement: true,
    from: -10,
    until: 120,
    confirmedUntil: 120,
    sessionUntil: null,
    context: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    attributes: {},
    more: '',
    now: Date.now(),
    ...given,
  };
}

const attribute = (name: string, value: string | null) => (value === null ? '' : ` ${name}="${value}"`);

export function assertionXml(parts: ResponseParts): string {
  const at = (seconds: number) => new Date(parts.now + seconds * 1_000).toISOString();
  const confirmation = `<saml:SubjectConfirmation Method="${parts.method}"><saml:SubjectConfirmationData NotOnOrAfter="${at(parts.confirmedUntil)}"${attribute('Recipient', parts.recipient)}${attribute('InResponseTo', parts.request)}/></saml:SubjectConfirmation>`;
  const restriction =
    parts.audience === null ? '' : `<saml:AudienceRestriction><saml:Audience>${parts.audience}</saml:Audience></saml:AudienceRestriction>`;
  const conditions = `<saml:Conditions NotBefore="${at(parts.from)}" NotOnOrAfter="${at(parts.until)}">${restriction}</saml:Conditions>`;
  const session = attribute('SessionNotOnOrAfter', parts.sessionUntil === null ? null : at(parts.sessionUntil));
  const statement = `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="_s"${session}><saml:AuthnContext><saml:AuthnContextClassRef>${parts.context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
  const attributes = Object.entries(parts.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  return `<saml:Assertion xmlns:saml="${saml}" ID="${parts.id}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${parts.issuer}</saml:Issuer><saml:Subject><saml:NameID${attribute('Format', parts.format)}>${parts.name}</saml:NameID>${parts.confirmation ? confirmation : ''}</saml:Subject>${parts.conditions ? conditions : ''}${parts.statement ? statement : ''}<saml:AttributeStatement>${attributes.join('')}${parts.more}</saml:AttributeStatement></saml:Assertion>`;
}

export function responseXml(inner: string, parts: ResponseParts): string {
  const issuer = parts.responseIssuer === null ? '' : `<saml:Issuer>${parts.responseIssuer}</saml:Issuer>`;
  return `<samlp:Response xmlns:samlp="${protocol}" xmlns:saml="${saml}" ID="_r${randomUUID()}" Version="2.0" IssueInstant="${new Date(parts.now).toISOString()}"${attribute('Destination', parts.destination)}${attribute('InResponseTo', parts.responseRequest)}>${issuer}<samlp:Status><samlp:StatusCode Value="${parts.status}"/></samlp:Status>${inner}</samlp:Response>`;
}

export type Signing = { key: ProviderKey; algorithm?: string; digest?: string; inclusivePrefixes?: string[] };

/** Signs the element of a name in a document: `Assertion` or `Response`. */
export function signXml(
  xml: string,
  name: 'Assertion' | 'Response',
  { key, algorithm = rsaSha256, digest = sha256, inclusivePrefixes = [] }: Signing,
): string {
  const xpath = `//*[local-name(.)='${name}']`;
  const signer = new SignedXml({
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: canonical,
  });
  signer.addReference({
    xpath,
    digestAlgorithm: digest,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonical],
    inclusiveNamespacesPrefixList: inclusivePrefixes,
  });
  signer.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } });
  return signer.getSignedXml();
}

/** A response with a signed assertion. */
export const signedResponse = (parts: ResponseParts, signing: Signing): string =>
  responseXml(signXml(assertionXml(parts), 'Assertion', signing), parts);

export const metadataXml = (entityId: string, { ssoUrl, certificates }: { ssoUrl: string; certificates: readonly string[] }): string => {
  const keys = certificates.map((certificate) => {
    const base64 = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '');
    return `<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${base64}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`;
  });
  return `<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor protocolSupportEnumeration="${protocol}">${keys.join('')}<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/></IDPSSODescriptor></EntityDescriptor>`;
};
