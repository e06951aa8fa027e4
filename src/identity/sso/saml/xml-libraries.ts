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
};

/**
 * The parser and the signatures of XML. The types of both libraries add the globals of browsers to the whole project, so these are their only types
 * here.
 */
type Parser = { parseFromString(xml: string, type: 'text/xml'): { documentElement: XmlElement | null } };
type ParserOptions = { errorHandler: Record<'warning' | 'error' | 'fatalError', () => never> };

type Algorithms = Record<string, unknown>;
type SignedXml = {
  idAttributes: string[];
  SignatureAlgorithms: Algorithms;
  HashAlgorithms: Algorithms;
  CanonicalizationAlgorithms: Algorithms;
  loadSignature(signature: XmlElement): void;
  checkSignature(xml: string): boolean;
  getSignedReferences(): string[];
  addReference(reference: { xpath: string; digestAlgorithm: string; transforms: string[] }): void;
  computeSignature(xml: string, options: { location: { reference: string; action: 'after' } }): void;
  getSignedXml(): string;
};
type SignedXmlOptions = {
  publicCert?: string;
  privateKey?: string;
  getCertFromKeyInfo?: () => null;
  signatureAlgorithm?: string;
  canonicalizationAlgorithm?: string;
};

const require = createRequire(import.meta.url);
export const { DOMParser } = require('@xmldom/xmldom') as { DOMParser: new (options: ParserOptions) => Parser };
export const { SignedXml } = require('xml-crypto') as { SignedXml: new (options: SignedXmlOptions) => SignedXml };
