import type { FieldError } from '../../../platform/problems.ts';
import { registryProblems } from '../problems.ts';

/** Builds the error for a file that is rejected completely. */
export function invalidCsv(detail: string, errors: FieldError[] = []) {
  return registryProblems.registry_csv_invalid(detail, errors.length > 0 ? { errors } : {});
}
