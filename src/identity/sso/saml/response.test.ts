import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertionXml,
  newProviderKey,
  type ProviderKey,
  type ResponseParts,
  responseXml,
  type Signing,
  signedResponse,
  signXml,
  validParts,
} from '../../../../test/saml-provider.ts';
import { readResponse, type VerifiedAssertion } from './response.ts';
import { RejectedXml } from './xml.ts';

const [recipient, audience, issuer] = ['https://service.example/acs', 'https://service.example/metadata', 'https://provider.example/'];
let key: ProviderKey;
let evil: ProviderKey;
before(async () => {
  [key, evil] = [await newProviderKey(), await newProviderKey()];
});

const parts = (given: Partial<ResponseParts> = {}): ResponseParts =>
  validParts({ issuer, audience, recipient, request: '_request', ...given });
const good = (given: Partial<ResponseParts> = {}, signing: Partial<Signing> = {}): string =>
  signedResponse(parts(given), { key, ...signing });

function read(xml: string, given: Partial<Parameters<typeof readResponse>[1]> = {}): VerifiedAssertion | string {
  const expected = {
    certificates: [key.certificate],
    issuer,
    audience,
    recipient,
    nameIdFormat: 'persistent',
    now: Date.now(),
    ...given,
  } as const;
  try {
    return readResponse(Buffer.from(xml), expected);
  } catch (error) {
    if (error instanceof RejectedXml) return error.reason;
    throw error;
  }
}
const subjectOf = (result: VerifiedAssertion | string) => (typeof result === 'string' ? `rejected: ${result}` : result.subject);

/** A signed response, its signed assertion, the signature in it, the assertion without it, and an unsigned assertion of another user. */
function attackable() {
  const response = good();
  const signed = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(response)?.[0] ?? '';
  const signature = /<Signature[\s\S]*<\/Signature>/.exec(signed)?.[0] ?? '';
  const id = /ID="([^"]+)"/.exec(signed)?.[1] ?? '';
  return { response, signed, signature, id, bare: signed.replace(signature, ''), other: assertionXml(parts({ name: 'eve', id: '_evil' })) };
}
const withSignature = (assertion: string, signature: string) => assertion.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);

describe('a response is accepted', () => {
  for (const [what, make] of [
    ['with a signed assertion', () => good()],
    ['that is signed as a whole', () => signXml(responseXml(assertionXml(parts()), parts()), 'Response', { key })],
    ['with both parts signed', () => signXml(good(), 'Response', { key })],
    ['without Destination and Issuer of the response', () => good({ destination: null, responseIssuer: null })],
    ['without a format of the NameID', () => good({ format: null })],
    ['with CRLF and an XML declaration', () => `<?xml version="1.0" encoding="UTF-8"?>\r\n${good()}\r\n`],
    [
      'with SHA-512',
      () => good({}, { algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', digest: 'http://www.w3.org/2001/04/xmlenc#sha512' }),
    ],
    [
      'with inclusive namespaces of an ancestor, which the content of an attribute uses',
      () => {
        const typed = '<saml:Attribute Name="a"><saml:AttributeValue type="xs:string">b</saml:AttributeValue></saml:Attribute>';
        const declared = responseXml(assertionXml(parts({ more: typed })), parts()).replace(
          '<samlp:Response ',
          '<samlp:Response xmlns:xs="urn:xs" ',
        );
        return signXml(declared, 'Assertion', { key, inclusivePrefixes: ['xs'] });
      },
    ],
    ['within the tolerance after its end', () => good({ until: -30, confirmedUntil: -30 })],
  ] as [string, () => string][]) {
    test(what, () => assert.equal(subjectOf(read(make())), 'ada'));
  }

  test('with the second of two certificates', () => {
    assert.equal(subjectOf(read(good(), { certificates: [evil.certificate, key.certificate] })), 'ada');
  });

  test('and its content is returned', () => {
    const now = Date.now();
    const result = read(good({ now, sessionUntil: 3_600, attributes: { email: 'ada@example.org', groups: ['a', 'b'] }, context: 'mfa' }));
    assert.ok(typeof result === 'object');
    const { id, ...content } = result;
    assert.match(id, /^_/);
    assert.deepEqual(content, {
      request: '_request',
      until: now + 180_000,
      subject: 'ada',
      isEmailAddress: false,
      authenticatedAt: now,
      sessionUntil: now + 3_600_000,
      contexts: ['mfa'],
      attributes: [
        ['email', ['ada@example.org']],
        ['groups', ['a', 'b']],
      ],
    });
  });

  test('without a request, and names none, although the unsigned response names one', () => {
    const result = read(good({ request: null, responseRequest: '_request' }));
    assert.equal(typeof result === 'object' ? result.request : 'rejected', undefined);
  });
});

describe('a response is rejected', () => {
  const rows: [what: string, make: () => string, reason: string][] = [
    ['without a signature', () => responseXml(assertionXml(parts()), parts()), 'unsigned'],
    ['signed with another key, which it contains', () => good({}, { key: evil }), 'signature'],
    ['with another audience', () => good({ audience: 'https://other.example' }), 'audience'],
    ['without an audience', () => good({ audience: null }), 'audience'],
    ['without conditions', () => good({ conditions: false }), 'one_Conditions'],
    ['that has expired', () => good({ from: -500, until: -100 }), 'expired'],
    ['that is not valid yet', () => good({ from: 100 }), 'not_yet_valid'],
    ['with an expired confirmation', () => good({ confirmedUntil: -100 }), 'subject_confirmation'],
    ['without a confirmation', () => good({ confirmation: false }), 'subject_confirmation'],
    ['with a holder-of-key confirmation', () => good({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }), 'subject_confirmation'],
    ['with another recipient', () => good({ recipient: 'https://evil.example/acs', destination: recipient }), 'subject_confirmation'],
    ['without a recipient', () => good({ recipient: null, destination: recipient }), 'subject_confirmation'],
    ['with another destination', () => good({ destination: 'https://evil.example/acs' }), 'destination'],
    ['with an assertion of another issuer', () => good({ issuer: 'https://other.example/', responseIssuer: issuer }), 'issuer'],
    ['of another issuer', () => good({ responseIssuer: 'https://other.example/' }), 'issuer'],
    ['of a failed sign-in', () => good({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }), 'status'],
    ['without a statement of the authentication', () => good({ statement: false }), 'authn_statement'],
    ['of a session that has ended', () => good({ sessionUntil: -100 }), 'session_ended'],
    ['with a transient NameID', () => good({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }), 'name_id_format'],
    [
      'with an address that is not chosen',
      () => good({ format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' }),
      'name_id_format',
    ],
    ['with an element in the NameID', () => good({ name: 'ada<saml:x/>' }), 'text_of_NameID'],
    ['signed with SHA-1', () => good({}, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }), 'weak_signature'],
    ['with a SHA-1 digest', () => good({}, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }), 'weak_digest'],
    ['with a comment in the NameID when signed', () => good({ name: 'admin<!---->.evil.example' }), 'markup_declaration'],
    ['with a changed NameID', () => good().replaceAll('>ada<', '>eve<'), 'signature'],
    ['with a comment in the NameID', () => good().replace('>ada<', '>ada<!--x-->.evil.example<'), 'markup_declaration'],
    ['with a comment in the digest', () => good().replace('<DigestValue>', '<DigestValue><!--AAAA-->'), 'markup_declaration'],
    ['with an element in the digest', () => good().replace('<DigestValue>', '<DigestValue><x/>'), 'text_of_DigestValue'],
    ['with two digests', () => good().replace('</DigestValue>', '</DigestValue><DigestValue>AAAA</DigestValue>'), 'one_DigestValue'],
    ['with CDATA', () => good().replace('>ada<', '><![CDATA[ada]]><'), 'markup_declaration'],
    ['with a processing instruction', () => good().replace('>ada<', '>ada<?x?><'), 'processing_instruction'],
    ['with a DOCTYPE and an entity', () => `<!DOCTYPE x [<!ENTITY a "b">]>${good()}`, 'markup_declaration'],
    ['with an undefined entity', () => good().replace('>ada<', '>&who;<'), 'malformed'],
    [
      'with an object in the signature',
      () => good().replace('</SignatureValue>', '</SignatureValue><Object>x</Object>'),
      'object_in_signature',
    ],
    ['with two signatures', () => good().replace(/<Signature[\s\S]*<\/Signature>/, (found) => found + found), 'several_signatures'],
    ['with another transform', () => good().replace('xmldsig#enveloped-signature"', 'xmldsig#base64"'), 'transforms'],
    [
      'with inclusive canonicalization',
      () => good().replace(/(CanonicalizationMethod Algorithm=")[^"]+/, '$1http://www.w3.org/TR/2001/REC-xml-c14n-20010315'),
      'canonicalization',
    ],
    ['with a reference to another part', () => good().replace(/URI="#[^"]+"/, 'URI=""'), 'reference'],
    ['with a duplicate attribute', () => good().replace('<saml:NameID ', '<saml:NameID Format="a" '), 'malformed'],
    [
      'with the same attribute by two prefixes',
      () => good().replace('<saml:NameID ', '<saml:NameID xmlns:a="urn:x" xmlns:b="urn:x" a:y="1" b:y="2" '),
      'signature',
    ],
    ['with an encrypted assertion', () => responseXml('<saml:EncryptedAssertion/>', parts()), 'saml_encrypted'],
    ['of SAML 1.1', () => good().replace('Version="2.0"', 'Version="1.1"'), 'version'],
    [
      'that is another message',
      () => '<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_a"/>',
      'not_a_response',
    ],
    ['that is no XML', () => 'SAML', 'malformed'],
    ['with an unclosed element', () => good().replace('</samlp:Response>', ''), 'malformed'],
    [
      'with a time without a zone',
      () => {
        const local = assertionXml(parts()).replaceAll(/NotOnOrAfter="([^"]+)Z"/g, 'NotOnOrAfter="$1"');
        return responseXml(signXml(local, 'Assertion', { key }), parts());
      },
      'time',
    ],
  ];
  for (const [what, make, reason] of rows) test(`${what} (${reason})`, () => assert.equal(subjectOf(read(make())), `rejected: ${reason}`));

  const wrappings: [what: string, wrap: (of: ReturnType<typeof attackable>) => string, reason: string][] = [
    [
      'a forged assertion before the signed one',
      ({ response, signed, other }) => response.replace(signed, other + signed),
      'one_Assertion',
    ],
    ['a forged assertion after the signed one', ({ response, signed, other }) => response.replace(signed, signed + other), 'one_Assertion'],
    [
      'the signed assertion in Extensions',
      ({ response, signed, other }) => response.replace(signed, `<samlp:Extensions>${signed}</samlp:Extensions>${other}`),
      'one_Assertion',
    ],
    [
      'the signed assertion in Advice',
      ({ response, signed, other }) =>
        response.replace(signed, other.replace('</saml:Conditions>', `</saml:Conditions><saml:Advice>${signed}</saml:Advice>`)),
      'one_Assertion',
    ],
    [
      'the signature at the forged assertion, with the original in its object',
      ({ response, signed, signature, bare, other }) =>
        response.replace(signed, withSignature(other, signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`))),
      'one_Assertion',
    ],
    [
      'the original under another name, with the same ID',
      ({ response, signed, signature, id, bare, other }) =>
        response.replace(
          signed,
          withSignature(other.replace('_evil', id), signature) +
            `<samlp:Extensions>${bare.replaceAll('saml:Assertion', 'saml:Kept')}</samlp:Extensions>`,
        ),
      'duplicate_id',
    ],
    [
      'the original under another name, with the ID in another namespace',
      ({ response, signed, signature, id, bare, other }) =>
        response.replace(
          signed,
          withSignature(other.replace('_evil', id), signature) +
            `<samlp:Extensions>${bare.replaceAll('saml:Assertion', 'saml:Kept').replace(' ID=', ' xmlns:x="urn:x" x:ID=')}</samlp:Extensions>`,
        ),
      'signature',
    ],
  ];
  for (const [what, wrap, reason] of wrappings)
    test(`with ${what} (${reason})`, () => assert.equal(subjectOf(read(wrap(attackable()))), `rejected: ${reason}`));

  test('with a NameID that is no address, if addresses are chosen', () => {
    assert.equal(read(good(), { nameIdFormat: 'emailAddress' }), 'name_id_format');
    const address = good({ format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', name: 'ada@example.org' });
    assert.equal(subjectOf(read(address, { nameIdFormat: 'emailAddress' })), 'ada@example.org');
  });

  test('signed with the public certificate as the key of an HMAC', () => {
    const forged = good().replaceAll('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1');
    assert.equal(read(forged), 'weak_signature');
  });

  for (const [what, inner, reason] of [
    ['20 000 levels', '<a>'.repeat(20_000), 'too_deep'],
    ['33 levels', `${'<a>'.repeat(32)}${'</a>'.repeat(32)}`, 'too_deep'],
    ['levels behind a quoted end of a tag', `${'<a b="/>">'.repeat(32)}${'</a>'.repeat(32)}`, 'too_deep'],
    ['2 001 elements', '<a/>'.repeat(2_001), 'too_many_elements'],
    ['more than 128 KiB', `<a b="${'x'.repeat(128 * 1024)}"/>`, 'too_large'],
    ['an attribute with a tag', '<a b="<c/>"/>', 'malformed'],
  ] as const) {
    test(`with ${what} (${reason}), before a tree is built`, () => {
      const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0">${inner}</samlp:Response>`;
      assert.equal(read(xml), reason);
    });
  }
});
