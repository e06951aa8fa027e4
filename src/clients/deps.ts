import type { AccessTokens } from '#accounts';
import { createThrottle, type Throttle } from '#credentials';
import type { MasterKey } from '../platform/crypto/master-key.ts';

export type ClientDeps = { tokens: AccessTokens; masterKey: MasterKey; issuer: string };

/** What the use cases of clients work with; keys are derived once. */
export type Clients = { tokens: AccessTokens; throttle: Throttle; secretKey: Buffer; issuer: string };

export function openClients({ tokens, masterKey, issuer }: ClientDeps): Clients {
  return {
    tokens,
    issuer,
    throttle: createThrottle(masterKey.derive('throttle')),
    secretKey: masterKey.lasting('client-secrets'),
  };
}
