import type { DomainText } from './http/openapi/texts.ts';
import type { Tables } from './tables.ts';

/**
 * What a domain says of itself, in its `index.ts`; `src/domains.ts` lists all of them. What puts the service together knows
 * no domain by name.
 */
export type Domain = {
  name: string;
  /** The domains that its files may import, by `#name`. */
  uses: readonly Domain[];
  /** The tables it owns, in the order in which rows of theirs can be made. */
  tables: Tables;
  /** What it says of its operations in the description of the API; loaded when that is asked for. */
  description?: () => Promise<{ description: DomainText }>;
};

export function defineDomain<const D extends Domain>(domain: D): D {
  return domain;
}
