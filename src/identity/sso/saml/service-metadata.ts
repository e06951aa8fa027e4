import { X509Certificate } from 'node:crypto';
import { samlKeySeconds } from '#keys';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Database } from '../../../platform/database/database.ts';
import { entityId, isSaml, redirectUri } from '../connection-kinds.ts';
import type { Sso } from '../context.ts';
import { findConnection, teamOfConnection } from '../queries.ts';
import { notConfigured } from '../sign-in.ts';
import { bindings, escapeXml, nameIdFormats, namespaces } from './xml.ts';

/** Milliseconds before its use from which the next certificate is published. Many providers import only one certificate. */
const publishedAheadMs = 90 * 86_400_000;

/**
 * Returns the certificates to publish: the active one, and the next one from 90 days before its use. The active one is the last, because Keycloak
 * imports the last of several. The next key is created when the active one begins to sign.
 */
export function certificatesToPublish([active, next]: readonly string[], now: number): string[] {
  const current = active === undefined ? [] : [active];
  if (next === undefined) return current;
  const begins = new X509Certificate(Buffer.from(next, 'base64')).validFromDate.getTime() + samlKeySeconds * 1_000;
  return now >= begins - publishedAheadMs ? [next, ...current] : current;
}

/** Returns the metadata of this service for a SAML connection, active or not (SAML 2.0 Metadata, section 2.4.4). Throws 404 `sso_not_configured`. */
export async function serviceMetadata(sso: Sso, database: Database, id: string): Promise<string> {
  const found = isUuid(id) ? await database.withoutTeam((tx) => tx.first(teamOfConnection, { id })) : undefined;
  const row = found && (await database.reader(found.team_id).first(findConnection, { team: found.team_id, id }));
  if (!row || !isSaml(row)) throw notConfigured();
  const { ring } = sso.keys;
  await ring.prepare('saml');
  const certificates = ring.publicKeys('saml').flatMap(({ x5c = [] }) => x5c);
  const keys = certificatesToPublish(certificates, ring.now()).map(
    (certificate) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${namespaces.signature}"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${namespaces.metadata}" entityID="${escapeXml(entityId(sso, row.id))}"><md:SPSSODescriptor protocolSupportEnumeration="${namespaces.protocol}" AuthnRequestsSigned="true" WantAssertionsSigned="true">${keys.join('')}<md:NameIDFormat>${nameIdFormats[row.saml.nameIdFormat]}</md:NameIDFormat><md:AssertionConsumerService index="0" isDefault="true" Binding="${bindings.post}" Location="${escapeXml(redirectUri(sso, row))}"/></md:SPSSODescriptor></md:EntityDescriptor>
`;
}
