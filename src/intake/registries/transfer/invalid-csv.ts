import type { FieldError } from '../../../platform/problems.ts';
import { registryProblems } from '../problems.ts';

/** Rejects a file as a whole. */
export function invalidCsv(detail: string, errors: FieldError[] = []) {
  return registryProblems.registry_csv_invalid(detail, errors.length > 0 ? { errors } : {});
}
