import fc from 'fast-check';
import { assertionXml, type ResponseParts } from './saml-provider.ts';

/** One change of a document, by numbers that select its kind, its places and its fragment. */
type Mutation = { kind: number; at: number; to: number; fragment: number };

const mutation = fc.record({
  kind: fc.nat(7),
  at: fc.nat(1_000_000),
  to: fc.nat(1_000_000),
  fragment: fc.nat(1_000),
});

/** One to four mutations. */
export const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });

/** Returns the fragments that attacks on SAML use. The forged user is `eve`. */
export function attackFragments(parts: ResponseParts): { elements: string[]; attributes: string[]; texts: string[] } {
  const forged = { ...parts, name: 'eve' };
  return {
    elements: [
      '<saml:NameID>eve</saml:NameID>',
      '<saml:Subject><saml:NameID>eve</saml:NameID></saml:Subject>',
      '<saml:Audience>https://other.example</saml:Audience>',
      '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>',
      '<Object xmlns="http://www.w3.org/2000/09/xmldsig#"><x/></Object>',
      assertionXml(forged),
      assertionXml({ ...forged, id: '_evil' }),
      '<x xmlns="relative/namespace"/>',
      '<x xmlns="">',
      '</x>',
      '&#x65;',
      'eve',
      '<!--x-->',
    ],
    attributes: [
      ` ID="${parts.id}"`,
      ` Id="${parts.id}"`,
      ` id="${parts.id}"`,
      ` xml:id="${parts.id}"`,
      ` xmlns:x="urn:x" x:ID="${parts.id}"`,
      ' xmlns:x="1"',
      ' xmlns="urn:oasis:names:tc:SAML:2.0:assertion"',
      ' xmlns:saml="urn:oasis:names:tc:SAML:2.0:protocol"',
      ' xmlns:saml="relative/namespace"',
      ' xmlns:ds="http://www.w3.org/2000/09/xmldsig#"',
      ' a="1" a="2"',
    ],
    texts: ['>eve<', '>ad&#97;<', '>ada <', '>ada&#0;<', '>ada<x/><'],
  };
}

const whole = { assertion: /<saml:Assertion[\s\S]*?<\/saml:Assertion>/, signature: /<(?:ds:)?Signature[\s\S]*?<\/(?:ds:)?Signature>/ };
const startTag = /<[A-Za-z][^<>]*>/g;
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const insert = (xml: string, at: number, text: string) => xml.slice(0, at) + text + xml.slice(at);
const afterTag = (xml: string, at: number) => xml.indexOf('>', at % xml.length) + 1;

type Fragments = ReturnType<typeof attackFragments>;
const kinds: ((xml: string, change: Mutation, fragments: Fragments) => string)[] = [
  // Another character.
  (xml, { at, to }) => {
    const place = at % xml.length;
    return xml.slice(0, place) + String.fromCharCode(32 + (to % 95)) + xml.slice(place + 1);
  },
  // An element or text between two tags.
  (xml, { at, fragment }, { elements }) => insert(xml, afterTag(xml, at), pick(elements, fragment) ?? ''),
  // An attribute of a tag.
  (xml, { at, fragment }, { attributes }) => {
    const tag = pick([...xml.matchAll(startTag)], at);
    if (!tag) return xml;
    const end = tag.index + tag[0].length - (tag[0].endsWith('/>') ? 2 : 1);
    return insert(xml, end, pick(attributes, fragment) ?? '');
  },
  // A copy of the assertion elsewhere.
  (xml, { at }) => insert(xml, afterTag(xml, at), whole.assertion.exec(xml)?.[0] ?? ''),
  // The signature elsewhere.
  (xml, { at }) => {
    const signature = whole.signature.exec(xml)?.[0] ?? '';
    const without = xml.replace(signature, '');
    return insert(without, afterTag(without, at), signature);
  },
  // Another name of the user.
  (xml, { fragment }, { texts }) => xml.replaceAll('>ada<', () => pick(texts, fragment) ?? ''),
  // A part removed.
  (xml, { at, to }) => {
    const [from, until] = [at % xml.length, to % 200];
    return xml.slice(0, from) + xml.slice(from + until);
  },
  // A part elsewhere.
  (xml, { at, to, fragment }) => {
    const from = at % xml.length;
    const part = xml.slice(from, from + (fragment % 400));
    const rest = xml.slice(0, from) + xml.slice(from + part.length);
    return insert(rest, to % Math.max(1, rest.length), part);
  },
];

/** Applies mutations to a document. */
export const mutated = (xml: string, changes: readonly Mutation[], fragments: Fragments): string =>
  changes.reduce((text, change) => (text === '' ? text : (kinds[change.kind]?.(text, change, fragments) ?? text)), xml);
