import type { FastifyRequest } from 'fastify';
import type { AccessTokens } from '#accounts';
import type { Throttle } from '#credentials';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Form } from './credentials.ts';
import type { IssuedToken } from './schemas.ts';

type ClientDependencies = { tokens: AccessTokens; throttle: Throttle; masterKey: MasterKey; issuer: string };

/** Gives tokens for a grant (RFC 6749) to a program that shows what it has. */
export type Grant = (request: FastifyRequest, form: Form) => Promise<IssuedToken>;

/** Takes a token back for a program without a secret; false where it is none that is known here. */
export type TakeBack = (request: FastifyRequest, form: Form) => Promise<boolean>;

/** What the use cases of clients work with; keys are derived once. */
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
