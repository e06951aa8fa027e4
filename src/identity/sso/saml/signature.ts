import { createHash, verify } from 'node:crypto';
import { attributeOf, childrenNamed, namespaces, onlyChild, parseXml, reject, textOf, type XmlElement } from './xml.ts';
import { ExclusiveCanonicalization } from './xml-libraries.ts';

const canonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = `${namespaces.signature}enveloped-signature`;
const signatureHashes = new Map([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'sha512'],
]);
const digestHashes = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);
const signature = (parent: XmlElement, name: string) => onlyChild(parent, namespaces.signature, name);
const algorithmOf = (element: XmlElement) => attributeOf(element, 'Algorithm') ?? '';
const base64Of = (element: XmlElement) => Buffer.from(textOf(element), 'base64');

/**
 * Verifies the enveloped signature of an element, which must be its direct child and refer to it alone, and removes it from the element. Returns the
 * root of the signed bytes, parsed again: callers read nothing else. Returns undefined without a signature. `certificates` (PEM) are the trusted ones
 * of the connection; `KeyInfo` is ignored.
 */
export function signedElement(element: XmlElement, certificates: readonly string[]): XmlElement | undefined {
  const [envelope, ...others] = childrenNamed(element, namespaces.signature, 'Signature');
  if (!envelope) return undefined;
  if (others.length > 0) reject('several_signatures');
  const { info, method, signatureHash, transform, digestHash, digest } = formOf(envelope, element);
  const signed = canonical(info, method);
  const value = base64Of(signature(envelope, 'SignatureValue'));
  if (!certificates.some((certificate) => verify(signatureHash, Buffer.from(signed), certificate, value))) reject('signature');
  element.removeChild(envelope);
  const bytes = canonical(element, transform);
  if (!createHash(digestHash).update(bytes).digest().equals(digest)) reject('signature');
  const root = parseXml(bytes);
  const isSame =
    root.namespaceURI === element.namespaceURI && root.localName === element.localName && attributeOf(root, 'ID') === idOf(element);
  return isSame ? root : reject('reference');
}

/** Checks the structure and the algorithms of a signature. Each deviation is a known way to sign one thing and show another. */
function formOf(envelope: XmlElement, element: XmlElement) {
  const info = signature(envelope, 'SignedInfo');
  const reference = signature(info, 'Reference');
  if (childrenNamed(envelope, namespaces.signature, 'Object').length > 0) reject('object_in_signature');
  const signatureHash = signatureHashes.get(algorithmOf(signature(info, 'SignatureMethod'))) ?? reject('weak_signature');
  const digestHash = digestHashes.get(algorithmOf(signature(reference, 'DigestMethod'))) ?? reject('weak_digest');
  const digest = base64Of(signature(reference, 'DigestValue'));
  const method = signature(info, 'CanonicalizationMethod');
  if (algorithmOf(method) !== canonicalization) reject('canonicalization');
  const [first, transform, ...others] = childrenNamed(signature(reference, 'Transforms'), namespaces.signature, 'Transform');
  if (!first || algorithmOf(first) !== enveloped || !transform || algorithmOf(transform) !== canonicalization || others.length > 0)
    return reject('transforms');
  if (attributeOf(reference, 'URI') !== `#${idOf(element)}`) reject('reference');
  return { info, method, signatureHash, transform, digestHash, digest };
}

function idOf(element: XmlElement): string {
  const id = attributeOf(element, 'ID') ?? '';
  return /^[A-Za-z_][\w.-]{0,255}$/.test(id) ? id : reject('reference');
}

/** Returns the exclusive canonical form of an element, with the `InclusiveNamespaces` of its method. */
function canonical(element: XmlElement, method: XmlElement): string {
  const inclusiveNamespacesPrefixList = childrenNamed(method, canonicalization, 'InclusiveNamespaces').flatMap((list) =>
    (attributeOf(list, 'PrefixList') ?? '').split(/\s+/),
  );
  const ancestorNamespaces = inclusiveNamespacesPrefixList.flatMap((prefix) => {
    const namespaceURI = element.lookupNamespaceURI(prefix);
    return namespaceURI === null ? [] : [{ prefix, namespaceURI }];
  });
  try {
    return new ExclusiveCanonicalization().process(element, { inclusiveNamespacesPrefixList, ancestorNamespaces });
  } catch {
    return reject('signature');
  }
}
