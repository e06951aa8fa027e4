import { createPasswordHasher, type PasswordHasher } from '../../platform/crypto/password-hash.ts';
import { defineDomain } from '../../platform/domain.ts';
import { credentialSettings } from './config.ts';
import { credentialTables } from './tables.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** The dependencies that the sign-ins of users and of staff share. Staff have separate counters. */
export type Credentials = { hasher: PasswordHasher; throttle: Throttle; passwordMinLength: number; refreshGraceSeconds: number };

/**
 * Credentials: the rules of sign-ins, reauthentication, second factors and refresh tokens, for users and for staff. Each side passes its own tables.
 * This domain counts attempts, compares secrets, and rejects wrong or reused secrets.
 */
export const domain = defineDomain({
  name: 'credentials',
  settings: credentialSettings,
  tables: credentialTables,
  open({ masterKey }, _uses, config) {
    const exports: Credentials = {
      hasher: createPasswordHasher({ concurrency: config.HASH_CONCURRENCY, maxQueue: 64, pepper: masterKey.lasting('password-pepper') }),
      throttle: createThrottle(masterKey.derive('throttle')),
      passwordMinLength: config.PASSWORD_MIN_LENGTH,
      refreshGraceSeconds: config.REFRESH_RETRY_GRACE_SECONDS,
    };
    return { exports };
  },
});

export { completeChallenge, invalidChallenge, maxChallengeTries } from './challenge.ts';
export {
  type CheckedCode,
  checkCode,
  type CodeOwner,
  type FactorOwner,
  type Guessed,
  proofByCode,
  secondFactorBudgets,
  spendTry,
  wrongCodeAtSignIn,
} from './codes.ts';
export { factorStatements } from './factor-queries.ts';
export { checkPassword, matchesAtSignIn } from './passwords.ts';
export { credentialProblems } from './problems.ts';
export { type FactorTimes, raisedBy, requireRecent, type AuthMethod } from './authentication-age.ts';
export { type SessionFacts, renewTokens, type Tokens } from './refresh.ts';
export { type SessionStatements, sessionStatements } from './session-queries.ts';
export { beginSetup, checkSetup, replaceCodes, type SetupSide, takeSetup } from './setup.ts';
export { resetCounterSql, dropCounters } from './throttle-queries.ts';
export { createThrottle, keysOf, type Throttle } from './throttle.ts';
