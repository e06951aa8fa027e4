import { createRequire } from 'node:module';

type XmlNode = { nodeType: number; nextSibling: XmlNode | null };

/** The part of the DOM that this folder reads. */
export type XmlElement = XmlNode & {
  namespaceURI: string | null;
  localName: string;
  textContent: string | null;
  firstChild: XmlNode | null;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): { length: number };
  lookupNamespaceURI(prefix: string): string | null;
  removeChild(child: XmlNode): void;
};

/**
 * The parser and the canonical form of XML. The types of both libraries add the globals of browsers to the whole project, so these are their only
 * types here.
 */
type Parser = { parseFromString(xml: string, type: 'text/xml'): { documentElement: XmlElement | null } };
type ParserOptions = { errorHandler: Record<'warning' | 'error' | 'fatalError', () => never> };

type Canonicalization = {
  process(
    element: XmlElement,
    options: { inclusiveNamespacesPrefixList: string[]; ancestorNamespaces: { prefix: string; namespaceURI: string }[] },
  ): string;
};

const require = createRequire(import.meta.url);
export const { DOMParser } = require('@xmldom/xmldom') as { DOMParser: new (options: ParserOptions) => Parser };
export const { ExclusiveCanonicalization } = require('xml-crypto') as { ExclusiveCanonicalization: new () => Canonicalization };
