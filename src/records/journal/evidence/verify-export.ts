import { type Checkpoint, isSignedBy, logVerifiers, parseCheckpoint } from '../tree/checkpoint.ts';
import { type Address, addressDigest, type Record1, recordLeaf } from '../tree/leaf.ts';
import { rootOfInclusion } from '../tree/merkle.ts';
import { parseVerifierKey, type Verifier, verifies } from '../tree/note.ts';

/** The first line of an export names its format. */
export const exportFormat = 'chancery-audit-export@1';

/** What came of a verification: what was proved, or the first thing that does not hold. */
export type ExportVerdict =
  | { ok: true; teamId: string; entries: number; firstNumber: number; size: number; origin: string; addressesErased: number }
  | { ok: false; fault: string };

class Fault extends Error {}

/**
 * Reads the keys that may have signed checkpoints: verifier keys, one a line, a JSON Web Key or a key set. A JWK names no
 * log, so that it serves for whatever origin the checkpoint has. Throws one sentence when the text is none of them.
 */
export function readLogKeys(text: string): (origin: string) => Verifier[] {
  if (!text.trim().startsWith('{')) {
    const verifiers = text.trim().split(/\s+/).map(parseVerifierKey);
    return (origin) => verifiers.filter(({ name }) => name === origin);
  }
  const parsed = JSON.parse(text) as { keys?: object[] };
  const keys = parsed.keys ?? [parsed];
  if (logVerifiers(keys, 'any').length === 0) throw new Error('the key is no Ed25519 key (kty OKP, crv Ed25519)');
  return (origin) => logVerifiers(keys, origin);
}

/**
 * Verifies an export without the service: the checkpoint's signature by a key that the reader trusts, each entry's
 * inclusion, that the team's numbers have no gap, and that the file is whole. `witnesses` must all have cosigned.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  trusted: { keys: (origin: string) => Verifier[]; witnesses: readonly Verifier[] },
): Promise<ExportVerdict> {
  const reading: Reading = { line: 0, head: undefined, ended: false, entries: 0, number: 0, index: -1, erased: 0 };
  try {
    for await (const text of lines) readLine(reading, text, trusted);
    if (!reading.head) throw new Fault('the file is empty');
    if (!reading.ended) throw new Fault('the file is cut short: its last line is missing');
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: `line ${reading.line}: ${error.message}` };
    throw error;
  }
  const { checkpoint, teamId, after } = reading.head;
  const { entries, erased } = reading;
  return { ok: true, teamId, entries, firstNumber: after + 1, size: checkpoint.size, origin: checkpoint.origin, addressesErased: erased };
}

type Trusted = Parameters<typeof verifyExport>[1];
type Head = { checkpoint: Checkpoint; teamId: string; after: number };
/** How far the file was read; `number` and `index` are those of the last entry. */
type Reading = { line: number; head: Head | undefined; ended: boolean; entries: number; number: number; index: number; erased: number };

function readLine(reading: Reading, text: string, trusted: Trusted): void {
  reading.line += 1;
  if (reading.ended) throw new Fault('something follows the end');
  const value = object(text);
  if (!reading.head) {
    reading.head = readHead(value, trusted);
    reading.number = reading.head.after;
    return;
  }
  if (value.end !== true) return verifyLine(value, reading.head, reading);
  if (value.entries !== reading.entries) throw new Fault(`the end says ${String(value.entries)} entries, and there are ${reading.entries}`);
  reading.ended = true;
}

function object(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('it is no JSON');
  }
  if (typeof value !== 'object' || value === null) throw new Fault('it is no JSON object');
  return value as Record<string, unknown>;
}

function readHead(value: Record<string, unknown>, { keys, witnesses }: Trusted): Head {
  if (value.format !== exportFormat) throw new Fault(`the file is no export of the format ${exportFormat}`);
  const { teamId, after } = value;
  const checkpoint = parseCheckpoint(String(value.checkpoint));
  if (!checkpoint || typeof teamId !== 'string' || typeof after !== 'number')
    throw new Fault('the head lacks its checkpoint, team or number');
  if (!isSignedBy(checkpoint, keys(checkpoint.origin)))
    throw new Fault(`the checkpoint of ${checkpoint.origin} carries no valid signature of the given key`);
  for (const witness of witnesses) {
    if (!checkpoint.signatures.some((signature) => verifies(witness, checkpoint.text, signature)))
      throw new Fault(`the witness ${witness.name} has not cosigned the checkpoint`);
  }
  return { checkpoint, teamId, after };
}

function verifyLine(value: Record<string, unknown>, { checkpoint, teamId }: Head, seen: Reading): void {
  const { index, inclusionPath } = value;
  const record = value.record as Record1 | undefined;
  const address = value.address as Address | undefined;
  if (typeof index !== 'number' || !Array.isArray(inclusionPath) || typeof record !== 'object' || record === null)
    throw new Fault('it is no entry with its proof');
  const named = `entry ${record.id} (number ${record.number})`;
  if (record.teamId !== teamId) throw new Fault(`${named} belongs to another team`);
  const root = rootOfInclusion(
    index,
    checkpoint.size,
    recordLeaf(record),
    inclusionPath.map((hash) => Buffer.from(String(hash), 'base64')),
  );
  if (!root?.equals(checkpoint.root)) throw new Fault(`${named} is not leaf ${index} of the signed tree: it was changed`);
  if (record.number !== seen.number + 1) throw new Fault(`after number ${seen.number} comes ${named}: entries are missing or out of order`);
  if (index <= seen.index) throw new Fault(`${named} stands before the entry before it`);
  if (address !== undefined && addressDigest(address).toString('base64') !== record.ip)
    throw new Fault(`the address of ${named} is not the one it was recorded with`);
  seen.entries += 1;
  seen.number = record.number;
  seen.index = index;
  if (record.ip !== undefined && address === undefined) seen.erased += 1;
}
