import { defineDomain } from '../platform/domain.ts';
import { credentialTables } from './tables.ts';

/**
 * Credentials: what signing in, proving again who one is, second factors and refresh tokens are, for people and for staff
 * alike. Each keeps its own tables and hands them in; what is counted, compared, taken once and refused is decided here.
 */
export const domain = defineDomain({ name: 'credentials', uses: [], tables: credentialTables });

export { completeChallenge, invalidChallenge, maxChallengeTries } from './challenge.ts';
export {
  type CheckedCode,
  checkCode,
  type CodeHolder,
  type FactorHolder,
  type Guessed,
  proofByCode,
  secondFactorBudgets,
  spendTry,
  wrongCodeAtSignIn,
} from './codes.ts';
export { factorStatements } from './factor-queries.ts';
export { checkPassword, matchesAtSignIn } from './passwords.ts';
export { credentialProblems } from './problems.ts';
export { type FactorTimes, raisedBy, requireRecent, type Shown } from './recency.ts';
export { type SessionFacts, renewTokens, type Tokens } from './refresh.ts';
export { inUse, sessionStatements } from './session-queries.ts';
export { beginSetup, checkSetup, replaceCodes, type SetupSide, takeSetup } from './setup.ts';
export { blockOf } from './throttle-queries.ts';
export { createThrottle, keysOf, type Throttle } from './throttle.ts';
