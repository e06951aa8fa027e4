import { DOMParser, type XmlElement } from './xml-libraries.ts';

export type { XmlElement } from './xml-libraries.ts';

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

export const bindings = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
} as const;

/** Formats of a NameID (SAML Core section 8.3). */
export const nameIdFormats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const;
export type NameIdFormat = 'persistent' | 'emailAddress';

/** The limits of a document from a provider: bytes, elements and levels. */
export const xmlBounds = { bytes: 128 * 1024, elements: 2_000, depth: 32 } as const;

/** A rejected document. `reason` is a code for the audit journal. */
export class RejectedXml extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The document was rejected: ${reason}`);
    this.reason = reason;
  }
}

/** Throws a {@link RejectedXml}. */
export function reject(reason: string): never {
  throw new RejectedXml(reason);
}

/**
 * Decodes and parses a document of a provider. Its size, number of elements and depth are checked in linear time before the parser builds a tree.
 * Declarations, comments, CDATA and processing instructions are rejected, because parsers and signatures interpret them differently.
 */
export function parseProviderXml(bytes: Uint8Array): XmlElement {
  if (bytes.length > xmlBounds.bytes) reject('too_large');
  const xml = decoded(bytes);
  checkStructure(xml);
  return parseXml(xml);
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return reject('malformed');
  }
}

const declaration = /^<\?xml[ \t\r\n][^<>?]*\?>/;

/** An `&` that begins neither a predefined entity nor a character reference. The parser would keep it as text. */
const unknownEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;

function checkStructure(xml: string): void {
  if (unknownEntity.test(xml)) reject('malformed');
  let [depth, elements] = [0, 0];
  let at = xml.indexOf('<', declaration.exec(xml)?.[0].length ?? 0);
  while (at >= 0) {
    const next = xml[at + 1];
    if (next === '!') reject('markup_declaration');
    if (next === '?') reject('processing_instruction');
    const end = endOfTag(xml, at + 1);
    if (next === '/') depth -= 1;
    else {
      elements += 1;
      if (elements > xmlBounds.elements) reject('too_many_elements');
      if (xml[end - 1] !== '/') depth += 1;
      if (depth > xmlBounds.depth) reject('too_deep');
    }
    at = xml.indexOf('<', end);
  }
}

/** Returns the position of the `>` that ends a tag. A `>` inside a quoted value does not end it. */
function endOfTag(xml: string, start: number): number {
  let quote = '';
  for (let at = start; at < xml.length; at += 1) {
    const letter = xml[at];
    if (letter === '<') reject('malformed');
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '>') return at;
  }
  return reject('malformed');
}

/** Parses a document. Every warning of the parser rejects it. */
export function parseXml(xml: string): XmlElement {
  const malformed = () => reject('malformed');
  const parser = new DOMParser({ errorHandler: { warning: malformed, error: malformed, fatalError: malformed } });
  const { documentElement } = parser.parseFromString(xml, 'text/xml');
  return documentElement ?? reject('malformed');
}

/** Returns the child elements of any name. */
export function elementsOf(parent: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) if (child.nodeType === 1) found.push(child as XmlElement);
  return found;
}

export const isNamed = (element: XmlElement, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name;

export const childrenNamed = (parent: XmlElement, namespace: string, name: string): XmlElement[] =>
  elementsOf(parent).filter((child) => isNamed(child, namespace, name));

/** Returns the only child with a name. */
export function onlyChild(parent: XmlElement, namespace: string, name: string): XmlElement {
  const [child, ...others] = childrenNamed(parent, namespace, name);
  return child === undefined || others.length > 0 ? reject(`one_${name}`) : child;
}

/** Returns the text of an element without child elements. */
export function textOf(element: XmlElement): string {
  if (elementsOf(element).length > 0) reject(`text_of_${element.localName}`);
  return element.textContent ?? '';
}

/** Returns an attribute without a namespace, or undefined. */
export const attributeOf = (element: XmlElement, name: string): string | undefined =>
  element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Returns the time of an attribute in Unix milliseconds, or undefined. SAML times are in UTC. */
export function timeOf(element: XmlElement, name: string): number | undefined {
  const text = attributeOf(element, name);
  if (text === undefined) return undefined;
  const time = instant.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? reject('time') : time;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for a document of this service. */
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);
