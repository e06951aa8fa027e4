import type { FairBudget } from '../../../platform/fair-budget.ts';
import type { Scanner } from '../../../platform/storage/scanner.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { Submitting } from '../submit/index.ts';

/** What taking files works with besides the scope. `perAddress`: files a minute from one address to one form. */
export type Uploading = Submitting & {
  storage: Storage;
  maxUploadBytes: number;
  /** What one address of visitors may have on its way to one team at once. */
  ofAddress: FairBudget;
  /** Looks through each file, where there is one. */
  scanner: Scanner | undefined;
};
