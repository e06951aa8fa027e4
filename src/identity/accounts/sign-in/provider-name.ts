import { withoutLinks } from '../../../platform/text.ts';

/** Returns the host of an issuer for emails. The entity ID of a SAML provider can be any text. */
export function providerName(issuer: string): string {
  const host = URL.parse(issuer)?.host ?? '';
  return host === '' ? withoutLinks(issuer) : host;
}
