import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { SealedColumn } from '../../../platform/database/reencrypt.ts';

const place = (endpointId: string) => `webhook_endpoint ${endpointId}`;
const headerPlace = (endpointId: string) => `webhook_endpoint headers ${endpointId}`;

const purpose = 'webhook-secrets';
const ofEndpoint = { table: 'webhook_endpoint', key: { team_id: 'uuid', id: 'uuid' }, purpose } as const;

/** The encrypted columns of endpoints. */
export const sealedEndpointSecrets: readonly SealedColumn[] = [
  { ...ofEndpoint, column: 'secret', boundTo: ({ id = '' }) => place(id) },
  { ...ofEndpoint, column: 'previous_secret', boundTo: ({ id = '' }) => place(id) },
  { ...ofEndpoint, column: 'headers', boundTo: ({ id = '' }) => headerPlace(id) },
];

/** The custom headers of an owner, with their names as given. */
export type CustomHeaders = Record<string, string>;

/** Encrypts and decrypts the secrets and custom headers of endpoints, each bound to its endpoint. */
export type EndpointSecrets = {
  seal(endpointId: string, secret: string): Buffer;
  open(endpointId: string, sealed: Buffer): string;
  sealHeaders(endpointId: string, headers: CustomHeaders): Buffer;
  openHeaders(endpointId: string, sealed: Buffer): CustomHeaders;
};

export function endpointSecrets(masterKey: MasterKey): EndpointSecrets {
  const box = masterKey.box(purpose);
  // A secret signs every delivery of its endpoint; decrypting it each time would cost more than signing.
  const opened = boundedCache<string>(10_000);
  const openedHeaders = boundedCache<CustomHeaders>(1_000);
  return {
    seal: (endpointId, secret) => box.seal(secret, place(endpointId)),
    open(endpointId, sealed) {
      const known = `${endpointId} ${sealed.toString('latin1')}`;
      const secret = opened.get(known) ?? box.open(sealed, place(endpointId)).toString();
      opened.set(known, secret);
      return secret;
    },
    sealHeaders: (endpointId, headers) => box.seal(JSON.stringify(headers), headerPlace(endpointId)),
    openHeaders(endpointId, sealed) {
      const known = `${endpointId} ${sealed.toString('latin1')}`;
      const headers = openedHeaders.get(known) ?? (JSON.parse(box.open(sealed, headerPlace(endpointId)).toString()) as CustomHeaders);
      openedHeaders.set(known, headers);
      return headers;
    },
  };
}
