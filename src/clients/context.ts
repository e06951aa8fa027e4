import type { AccessTokens } from '#accounts';
import type { Throttle } from '#credentials';
import type { MasterKey } from '../platform/crypto/master-key.ts';

type ClientDeps = { tokens: AccessTokens; throttle: Throttle; masterKey: MasterKey; issuer: string };

/** What the use cases of clients work with; keys are derived once. */
export type Clients = { tokens: AccessTokens; throttle: Throttle; secretKey: Buffer; issuer: string };

export function openClients({ tokens, throttle, masterKey, issuer }: ClientDeps): Clients {
  return {
    tokens,
    issuer,
    throttle,
    secretKey: masterKey.lasting('client-secrets'),
  };
}
