import type { Claimed } from './outcome.ts';
import type { EndpointSecrets } from '../endpoints/secrets.ts';
import { signedHeaders } from './signature.ts';

/** The headers of one attempt: the owner's own, and the signatures as of now. Throws when what is sealed cannot be opened. */
export function headersOf(
  { endpointId, eventId, eventType, body, secret, previousSecret, headers, signing }: Claimed,
  secrets: EndpointSecrets,
  signPublicly: (content: Buffer) => Buffer,
): Record<string, string> {
  const own = headers ? secrets.openHeaders(endpointId, headers) : {};
  const signed = signedHeaders({
    eventId,
    eventType,
    body,
    secret: secrets.open(endpointId, secret),
    ...(previousSecret ? { previousSecret: secrets.open(endpointId, previousSecret) } : {}),
    ...(signing === 'ed25519' ? { signPublicly } : {}),
    nowSeconds: Math.floor(Date.now() / 1_000),
  });
  return { ...own, ...signed };
}
