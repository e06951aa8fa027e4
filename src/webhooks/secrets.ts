import { LRUCache } from 'lru-cache';
import type { MasterKey } from '../platform/crypto/master-key.ts';
import { open, seal } from '../platform/crypto/secretbox.ts';

const place = (endpointId: string) => `webhook_endpoint ${endpointId}`;

/** Seals and opens the secrets of endpoints, each bound to its endpoint. */
export type EndpointSecrets = {
  seal(endpointId: string, secret: string): Buffer;
  open(endpointId: string, sealed: Buffer): string;
};

export function endpointSecrets(masterKey: MasterKey): EndpointSecrets {
  const key = masterKey.derive('webhook-secrets');
  // An endpoint's secret signs each of its deliveries: opening it anew each time would cost more than signing.
  const opened = new LRUCache<string, string>({ max: 10_000 });
  return {
    seal: (endpointId, secret) => seal(key, secret, place(endpointId)),
    open(endpointId, sealed) {
      const known = `${endpointId} ${sealed.toString('latin1')}`;
      const secret = opened.get(known) ?? open(key, sealed, place(endpointId)).toString();
      opened.set(known, secret);
      return secret;
    },
  };
}
