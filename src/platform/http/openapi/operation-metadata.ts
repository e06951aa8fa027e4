import type { Access } from '../access.ts';
import type { Deprecated } from '../deprecation.ts';
import type { ErrorShape } from './parts.ts';

/** The metadata of an operation from its registration, for its description. */
export type Facts = {
  access: Access | undefined;
  shape: ErrorShape;
  lenientBody: boolean;
  requiresIfMatch: boolean;
  returnsSingleResource: boolean;
  linksToMore: boolean;
  /** Whether a list has no count. */
  uncounted: boolean;
  /** Whether responses are stored under an `Idempotency-Key`: for POST operations of authenticated callers, and those that declare it. */
  storesResponse: boolean;
  sendsFile: boolean;
  unlimited: boolean;
  deprecated: Deprecated | undefined;
  consumes: readonly string[];
  produces: readonly string[];
};
