import { attributeOf, bindings, childrenNamed, isNamed, namespaces, onlyChild, parseProviderXml, reject, textOf, timeOf } from './xml.ts';

/** A provider as its metadata describe it. `certificates` are DER in base64. */
export type ProviderMetadata = { entityId: string; ssoUrl: string; certificates: string[] };

const { metadata, protocol, signature } = namespaces;

/**
 * Reads the metadata of a provider (SAML 2.0 Metadata, section 2.4.3): the address of the redirect binding and the certificates that sign. They are
 * trusted because an administrator entered them or their address, so their own signature is not checked.
 */
export function readProviderMetadata(bytes: Uint8Array, now: number): ProviderMetadata {
  const root = parseProviderXml(bytes);
  if (!isNamed(root, metadata, 'EntityDescriptor')) reject('one_EntityDescriptor');
  const roles = childrenNamed(root, metadata, 'IDPSSODescriptor').filter((one) =>
    (attributeOf(one, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(protocol),
  );
  const [role, ...others] = roles;
  if (!role || others.length > 0) return reject('one_IDPSSODescriptor');
  for (const limited of [root, role]) {
    const until = timeOf(limited, 'validUntil');
    if (until !== undefined && until <= now) reject('expired');
  }
  const service = childrenNamed(role, metadata, 'SingleSignOnService').find((one) => attributeOf(one, 'Binding') === bindings.redirect);
  if (!service) return reject('no_redirect_binding');
  const signing = childrenNamed(role, metadata, 'KeyDescriptor').filter((one) => (attributeOf(one, 'use') ?? 'signing') === 'signing');
  const certificates = signing.flatMap((key) =>
    childrenNamed(onlyChild(key, signature, 'KeyInfo'), signature, 'X509Data').flatMap((data) =>
      childrenNamed(data, signature, 'X509Certificate').map((one) => textOf(one).replaceAll(/\s+/g, '')),
    ),
  );
  return {
    entityId: attributeOf(root, 'entityID') ?? reject('no_entity_id'),
    ssoUrl: attributeOf(service, 'Location') ?? reject('no_redirect_binding'),
    certificates: [...new Set(certificates)],
  };
}
