import { KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { tokenHash } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type SamlBegun, stateSeconds } from '../browser-state.ts';
import { entityId, redirectUri, type SamlConnection } from '../connection-kinds.ts';
import type { Sso } from '../context.ts';
import { putRequest } from './queries.ts';
import { bindings, escapeXml, nameIdFormats, namespaces } from './xml.ts';

const [signElsewhere, deflated] = [promisify(sign), promisify(deflateRaw)];
const signatureMethod = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/**
 * Returns the signed authentication request of a sign-in by the redirect binding (SAML 2.0 Bindings, section 3.4.4). The hash of its identifier is
 * stored, because the response arrives without a cookie.
 */
export async function authenticationRequest(
  sso: Sso,
  database: Database,
  connection: SamlConnection,
  { prompt }: { prompt?: 'login' },
  now: Date,
): Promise<{ location: string; state: SamlBegun }> {
  const request = `_${randomBytes(20).toString('hex')}`;
  await database.withoutTeam((tx) => tx.all(putRequest, { hash: tokenHash(request), connection: connection.id, seconds: stateSeconds }));
  const xml = requestXml(sso, connection, { request, now, force: prompt === 'login' });
  const query = new URLSearchParams({ SAMLRequest: (await deflated(xml)).toString('base64'), SigAlg: signatureMethod }).toString();
  const { ssoUrl } = connection.saml;
  const signature = encodeURIComponent(await signed(sso, query));
  const location = `${ssoUrl}${ssoUrl.includes('?') ? '&' : '?'}${query}&Signature=${signature}`;
  return { location, state: { kind: 'saml', request } };
}

/** Signs in a thread of libuv, because an RSA signature takes milliseconds. */
async function signed({ keys }: Sso, query: string): Promise<string> {
  await keys.ring.prepare('saml');
  const signature = await signElsewhere('sha256', Buffer.from(query), KeyObject.from(keys.ring.signer('saml').key));
  return signature.toString('base64');
}

function requestXml(sso: Sso, connection: SamlConnection, { request, now, force }: { request: string; now: Date; force: boolean }): string {
  const { ssoUrl, nameIdFormat } = connection.saml;
  const attributes = {
    ID: request,
    Version: '2.0',
    IssueInstant: now.toISOString(),
    Destination: ssoUrl,
    AssertionConsumerServiceURL: redirectUri(sso, connection),
    ProtocolBinding: bindings.post,
    ...(force ? { ForceAuthn: 'true' } : {}),
  };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  return `<samlp:AuthnRequest xmlns:samlp="${namespaces.protocol}"${written.join('')}><saml:Issuer xmlns:saml="${namespaces.assertion}">${escapeXml(entityId(sso, connection.id))}</saml:Issuer><samlp:NameIDPolicy Format="${nameIdFormats[nameIdFormat]}" AllowCreate="true"/></samlp:AuthnRequest>`;
}
