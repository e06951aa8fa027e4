import { open, readFile } from 'node:fs/promises';
import { parseVerifierKey } from '../tree/note.ts';
import { readLogKeys, verifyExport } from './verify-export.ts';

/** Returns the text itself if it is a key, otherwise the content of the file with that name. */
export async function keyText(given: string): Promise<string> {
  return /^\s*\{|\+[0-9a-f]{8}\+/.test(given) ? given : readFile(given, 'utf8');
}

/** Verifies an export file and writes the result. Returns the exit code: 0 if everything matches, otherwise 1. */
export async function verifyFile(
  { file, key, witnesses }: { file: string; key: string; witnesses: readonly string[] },
  write: (line: string) => void,
): Promise<number> {
  const trusted = { keys: readLogKeys(await keyText(key)), witnesses: witnesses.map(parseVerifierKey) };
  const verdict = await verifyExport((await open(file)).readLines(), trusted);
  if (!verdict.ok) {
    write(`✗ ${verdict.error}`);
    return 1;
  }
  const { entries, firstNumber, teamId, size, origin, addressesErased, bodiesLeftOut } = verdict;
  write(
    `✓ ${entries} entries of team ${teamId}, from number ${firstNumber} on without a gap, are in the tree of ${size} that ${origin} signed.`,
  );
  if (addressesErased > 0) write(`  The addresses of ${addressesErased} entries were erased; their leaves are unchanged.`);
  if (bodiesLeftOut > 0) write(`  ${bodiesLeftOut} entries have no body in the file: only their type and time are proven.`);
  return 0;
}
