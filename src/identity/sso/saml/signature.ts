import { attributeOf, childrenNamed, elementsOf, namespaces, onlyChild, parseXml, reject, type XmlElement } from './xml.ts';
import { SignedXml } from './xml-libraries.ts';

const canonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = `${namespaces.signature}enveloped-signature`;
const signatureMethods = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
] as const;
const digestMethods = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'] as const;
const signature = (parent: XmlElement, name: string) => onlyChild(parent, namespaces.signature, name);
const algorithmOf = (element: XmlElement) => attributeOf(element, 'Algorithm') ?? '';

/**
 * Verifies the enveloped signature of an element, which must be its direct child and refer to it alone. Returns the root of the signed bytes, parsed
 * again: callers read nothing else. Returns undefined without a signature. `certificates` (PEM) are the trusted ones of the connection; `KeyInfo` is
 * ignored.
 */
export function signedElement(xml: string, element: XmlElement, certificates: readonly string[]): XmlElement | undefined {
  const [envelope, ...others] = childrenNamed(element, namespaces.signature, 'Signature');
  if (!envelope) return undefined;
  if (others.length > 0) reject('several_signatures');
  checkForm(envelope, element);
  const bytes = certificates.map((certificate) => verifiedBytes(xml, envelope, certificate)).find((found) => found !== undefined);
  if (bytes === undefined) return reject('signature');
  const root = parseXml(bytes);
  const isSame =
    root.namespaceURI === element.namespaceURI && root.localName === element.localName && attributeOf(root, 'ID') === idOf(element);
  return isSame ? root : reject('reference');
}

/** Checks the structure and the algorithms of a signature. Each deviation is a known way to sign one thing and show another. */
function checkForm(envelope: XmlElement, element: XmlElement): void {
  const info = signature(envelope, 'SignedInfo');
  const reference = signature(info, 'Reference');
  if (childrenNamed(envelope, namespaces.signature, 'Object').length > 0) reject('object_in_signature');
  if (!isOneOf(signatureMethods, algorithmOf(signature(info, 'SignatureMethod')))) reject('weak_signature');
  if (!isOneOf(digestMethods, algorithmOf(signature(reference, 'DigestMethod')))) reject('weak_digest');
  if (elementsOf(signature(reference, 'DigestValue')).length > 0) reject('digest');
  if (algorithmOf(signature(info, 'CanonicalizationMethod')) !== canonicalization) reject('canonicalization');
  const transforms = childrenNamed(signature(reference, 'Transforms'), namespaces.signature, 'Transform').map(algorithmOf);
  if (transforms.length !== 2 || transforms[0] !== enveloped || transforms[1] !== canonicalization) reject('transforms');
  if (attributeOf(reference, 'URI') !== `#${idOf(element)}`) reject('reference');
}

const isOneOf = (methods: readonly string[], given: string) => methods.includes(given);

function idOf(element: XmlElement): string {
  const id = attributeOf(element, 'ID') ?? '';
  return /^[A-Za-z_][\w.-]{0,255}$/.test(id) ? id : reject('reference');
}

/** Returns the canonical bytes that a signature covers, or undefined if the certificate did not sign them. */
function verifiedBytes(xml: string, envelope: XmlElement, certificate: string): string | undefined {
  const verifier = new SignedXml({ publicCert: certificate, getCertFromKeyInfo: () => null });
  // Only these, in case another check has a gap.
  verifier.idAttributes = ['ID'];
  verifier.SignatureAlgorithms = only(verifier.SignatureAlgorithms, signatureMethods);
  verifier.HashAlgorithms = only(verifier.HashAlgorithms, digestMethods);
  verifier.CanonicalizationAlgorithms = only(verifier.CanonicalizationAlgorithms, [canonicalization, enveloped]);
  verifier.loadSignature(envelope);
  if (!isVerified(verifier, xml)) return undefined;
  const [bytes = '', ...others] = verifier.getSignedReferences();
  return bytes === '' || others.length > 0 ? reject('references') : bytes;
}

function isVerified(verifier: InstanceType<typeof SignedXml>, xml: string): boolean {
  try {
    return verifier.checkSignature(xml);
  } catch {
    return false;
  }
}

const only = <T extends object>(algorithms: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(algorithms).filter(([name]) => names.includes(name))) as T;
