import type { Access } from '../access.ts';
import type { Deprecated } from '../deprecation.ts';
import type { ErrorShape } from './parts.ts';

/** What is known of an operation where it is registered, and is told in its description. */
export type Facts = {
  access: Access | undefined;
  shape: ErrorShape;
  lenientBody: boolean;
  takesIfMatch: boolean;
  showsOneThing: boolean;
  linksToMore: boolean;
  /** Whether an answer is kept under an `Idempotency-Key`: that of each POST of somebody signed in, and of who says so. */
  keepsAnswer: boolean;
  sendsFile: boolean;
  unlimited: boolean;
  deprecated: Deprecated | undefined;
  consumes: readonly string[];
  produces: readonly string[];
};
