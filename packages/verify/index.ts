import { verifyFile } from '../../src/records/journal/evidence/verify-file.ts';

/** What to verify, and whom to trust. */
export type ExportFile = {
  /** The name of the export, as `GET …/audit/export` or `chancery audit export` wrote it. */
  file: string;
  /** A verifier key (c2sp.org/signed-note), a JSON Web Key or a key set, or the name of a file with one. */
  key: string;
  /** Verifier keys of witnesses that must have signed too. */
  witnesses?: readonly string[];
};

/**
 * Verifies an export of the audit journal: the signature, each entry, that no number is missing, and the end of the file. Calls `report` with each line of
 * the result. Returns whether everything matches. Throws for a file that cannot be read, and for an invalid key.
 */
export async function verifyExportFile(
  { file, key, witnesses = [] }: ExportFile,
  report: (line: string) => void = () => undefined,
): Promise<boolean> {
  return (await verifyFile({ file, key, witnesses }, report)) === 0;
}
