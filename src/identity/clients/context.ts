import type { FastifyRequest } from 'fastify';
import type { AccessTokens } from '#accounts';
import type { Throttle } from '#credentials';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Form } from './credentials.ts';
import type { IssuedToken } from './schemas.ts';

type ClientDependencies = { tokens: AccessTokens; throttle: Throttle; masterKey: MasterKey; issuer: string };

/** Issues tokens for a grant (RFC 6749) after checking the credentials of the client. */
export type Grant = (request: FastifyRequest, form: Form) => Promise<IssuedToken>;

/** Revokes a token of a client without a secret. Returns false if no such client exists. */
export type TakeBack = (request: FastifyRequest, form: Form) => Promise<boolean>;

/** Dependencies of the use cases of clients. Keys are derived once. */
export type Clients = {
  tokens: AccessTokens;
  throttle: Throttle;
  secretKey: Buffer;
  issuer: string;
  grants: Map<string, Grant>;
  takeBacks: TakeBack[];
};

export function openClients({ tokens, throttle, masterKey, issuer }: ClientDependencies): Clients {
  return {
    tokens,
    issuer,
    throttle,
    grants: new Map(),
    takeBacks: [],
    secretKey: masterKey.lasting('client-secrets'),
  };
}
