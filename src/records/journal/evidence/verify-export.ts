import { type Checkpoint, isSignedBy, logVerifiers, parseCheckpoint } from '../tree/checkpoint.ts';
import { type Address, addressDigest, type AuditRecord, bodyDigest, type RecordBody, recordLeaf } from '../tree/leaf.ts';
import { rootOfInclusion } from '../tree/merkle.ts';
import { parseVerifierKey, type Verifier, verifies } from '../tree/note.ts';

/** The format of an export, which its first line contains. */
export const exportFormat = 'chancery-audit-export@2';
/** The format before trees had a number: the head has one checkpoint, and its lines name no tree. */
const earlierFormat = 'chancery-audit-export@1';

/** The result of a verification: the proved facts, or the first error. */
export type ExportVerdict =
  | {
      ok: true;
      teamId: string;
      entries: number;
      firstNumber: number;
      size: number;
      origin: string;
      addressesErased: number;
      bodiesLeftOut: number;
    }
  | { ok: false; error: string };

class ExportError extends Error {}

/**
 * Parses the keys that may have signed checkpoints: verifier keys, one for each line, a JSON Web Key or a key set. A JWK contains no log name, so it
 * applies to any origin. Throws an error for any other text.
 */
export function readLogKeys(text: string): (origin: string) => Verifier[] {
  if (!text.trim().startsWith('{')) {
    const verifiers = text.trim().split(/\s+/).map(parseVerifierKey);
    return (origin) => verifiers.filter(({ name }) => name === origin);
  }
  const parsed = JSON.parse(text) as { keys?: object[] };
  const keys = parsed.keys ?? [parsed];
  if (logVerifiers(keys, 'any').length === 0) throw new Error('the key is not an Ed25519 key (kty OKP, crv Ed25519)');
  return (origin) => logVerifiers(keys, origin);
}

/**
 * Verifies an export without the service. Checks the checkpoint’s signature by a trusted key, the inclusion of each entry, the team’s numbers for
 * gaps, and the end of the file. Every witness in `witnesses` must have cosigned.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  trusted: { keys: (origin: string) => Verifier[]; witnesses: readonly Verifier[] },
): Promise<ExportVerdict> {
  const reading: ExportProgress = {
    line: 0,
    head: undefined,
    ended: false,
    entries: 0,
    number: 0,
    indexes: new Map(),
    erased: 0,
    closed: 0,
  };
  try {
    for await (const text of lines) readLine(reading, text, trusted);
    if (!reading.head) throw new ExportError('the file is empty');
    if (!reading.ended) throw new ExportError('the file is cut short: its last line is missing');
  } catch (error) {
    if (error instanceof ExportError) return { ok: false, error: `line ${reading.line}: ${error.message}` };
    throw error;
  }
  const { own, teamId, after } = reading.head;
  const { entries, erased: addressesErased, closed: bodiesLeftOut } = reading;
  return { ok: true, teamId, entries, firstNumber: after + 1, size: own.size, origin: own.origin, addressesErased, bodiesLeftOut };
}

type Trusted = Parameters<typeof verifyExport>[1];
/** The head of a file. `trees` are the checkpoints by the number of their tree; `own` is the first. */
type Head = { own: Checkpoint; trees: ReadonlyMap<unknown, Checkpoint>; teamId: string; after: number };
/** The progress in the file: the number of the last entry, and the last index of each tree. */
type ExportProgress = {
  line: number;
  head: Head | undefined;
  ended: boolean;
  entries: number;
  number: number;
  indexes: Map<unknown, number>;
  erased: number;
  closed: number;
};

function readLine(reading: ExportProgress, text: string, trusted: Trusted): void {
  reading.line += 1;
  if (reading.ended) throw new ExportError('the file has lines after its end');
  const value = object(text);
  if (!reading.head) {
    reading.head = readHead(value, trusted);
    reading.number = reading.head.after;
    return;
  }
  if (value.end !== true) return verifyLine(value, reading.head, reading);
  if (value.entries !== reading.entries)
    throw new ExportError(`the end line states ${String(value.entries)} entries, but the file has ${reading.entries}`);
  reading.ended = true;
}

function object(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ExportError('the line is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw new ExportError('the line is not a JSON object');
  return value as Record<string, unknown>;
}

function readHead(value: Record<string, unknown>, trusted: Trusted): Head {
  const { format, teamId, after } = value;
  if (format !== exportFormat && format !== earlierFormat)
    throw new ExportError(`the file is not an export in the format ${exportFormat} or ${earlierFormat}`);
  const named = format === earlierFormat ? [{ checkpoint: value.checkpoint }] : Array.isArray(value.logs) ? value.logs : [];
  const trees = new Map(
    named.map((one: { log?: unknown; checkpoint?: unknown } | null) => [one?.log, signedCheckpoint(String(one?.checkpoint), trusted)]),
  );
  const [own] = trees.values();
  if (!own || typeof teamId !== 'string' || typeof after !== 'number')
    throw new ExportError('the first line has no checkpoint, team or number');
  return { own, trees, teamId, after };
}

function signedCheckpoint(note: string, { keys, witnesses }: Trusted): Checkpoint {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) throw new ExportError('the first line has no checkpoint, team or number');
  if (!isSignedBy(checkpoint, keys(checkpoint.origin)))
    throw new ExportError(`the checkpoint of ${checkpoint.origin} has no valid signature of the given key`);
  for (const witness of witnesses) {
    if (!checkpoint.signatures.some((signature) => verifies(witness, checkpoint.text, signature)))
      throw new ExportError(`the witness ${witness.name} has not cosigned the checkpoint`);
  }
  return checkpoint;
}

function verifyLine(value: Record<string, unknown>, { trees, teamId }: Head, seen: ExportProgress): void {
  const { log, index, inclusionPath } = value;
  const record = value.record as AuditRecord | undefined;
  const body = value.body as RecordBody | undefined;
  const address = value.address as Address | undefined;
  if (typeof index !== 'number' || !Array.isArray(inclusionPath) || typeof record !== 'object' || record === null)
    throw new ExportError('the line is not an entry with its proof');
  const named = `entry ${record.id} (number ${record.number})`;
  if (record.teamId !== teamId) throw new ExportError(`${named} belongs to another team`);
  const checkpoint = trees.get(log);
  if (!checkpoint) throw new ExportError(`${named} is in a tree that the first line does not name`);
  const root = rootOfInclusion(
    index,
    checkpoint.size,
    recordLeaf(record),
    inclusionPath.map((hash) => Buffer.from(String(hash), 'base64')),
  );
  if (!root?.equals(checkpoint.root)) throw new ExportError(`${named} is not leaf ${index} of the signed tree: it was changed`);
  if (record.number !== seen.number + 1)
    throw new ExportError(`after number ${seen.number} comes ${named}: entries are missing or out of order`);
  if (index <= (seen.indexes.get(log) ?? -1)) throw new ExportError(`${named} is before the previous entry in the tree`);
  if (record.v === 2 && body !== undefined && bodyDigest(body) !== record.body)
    throw new ExportError(`the body of ${named} differs from the recorded body`);
  const ip = record.v === 2 ? body?.ip : record.ip;
  if (address !== undefined && addressDigest(address).toString('base64') !== ip)
    throw new ExportError(`the address of ${named} differs from the recorded address`);
  seen.entries += 1;
  seen.number = record.number;
  seen.indexes.set(log, index);
  if (ip !== undefined && address === undefined) seen.erased += 1;
  if (record.v === 2 && body === undefined) seen.closed += 1;
}
