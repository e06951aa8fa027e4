import type { App } from '../platform/http/server.ts';
import type { PasswordHasher } from '../platform/crypto/password-hash.ts';
import type { MasterKey } from '../platform/crypto/master-key.ts';
import type { AccessTokens } from './access-tokens.ts';
export { type AccessTokens, createAccessTokens } from './access-tokens.ts';
export type AccountDeps = {
  tokens: AccessTokens;
  hasher: PasswordHasher;
  masterKey: MasterKey;
  settings: {
    baseUrl: string;
    issuer: string;
    altcha: 'on' | 'off';
    passwordMinLength: number;
    refreshGraceSeconds: number;
    corsOrigins: readonly string[];
  };
};
export function accountRoutes(_app: App, _deps: AccountDeps): void {}
