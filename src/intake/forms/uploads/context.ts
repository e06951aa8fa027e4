import type { FairBudget } from '../../../platform/fair-budget.ts';
import type { Scanner } from '../../../platform/storage/scanner.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { Submitting } from '../submit/index.ts';

/** The dependencies of uploads, in addition to the scope. `perAddress` limits the files per minute from one address to one form. */
export type Uploading = Submitting & {
  storage: Storage;
  maxUploadBytes: number;
  /** The bytes that one address may upload to one team at the same time. */
  ofAddress: FairBudget;
  /** Scans each file, if configured. */
  scanner: Scanner | undefined;
};
