import { parseCheckpoint } from '../tree/checkpoint.ts';
import { commitment, type LeafRow, recordOf } from '../tree/leaf.ts';
import { ownLog } from '../tree/queries.ts';
import { appendEntries, lastOfEachLevel, rangeHasher, tileKey, type Tiles, tileWidth } from '../tree/tiles.ts';

/** The columns of a row of `audit_entry` as text, in the session settings of a backup. */
export type CopiedEntry = Readonly<Record<string, string | null>>;

/** Converts `2026-11-21 02:01:19.1+00` to UTC with six decimals of a second. */
function exactTime(text: string): string {
  const [, date = '', time = '', fraction = '', era = ''] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00( BC)?$/.exec(text) ?? [];
  return `${date}T${time}.${fraction.padEnd(6, '0')}Z${era}`;
}

function leafOf(row: CopiedEntry): LeafRow {
  const text = (column: string) => row[column] ?? '';
  return {
    team_id: text('team_id'),
    id: text('id'),
    type: text('type'),
    actor_type: text('actor_type'),
    actor_id: row.actor_id ?? null,
    target_type: row.target_type ?? null,
    target_id: row.target_id ?? null,
    exact_at: exactTime(text('at')),
    ip: row.ip ?? null,
    request_id: row.request_id ?? null,
    data: JSON.parse(text('data')) as unknown,
    salt: text('salt'),
    ip_salt: row.ip_salt ?? null,
    ip_digest: row.ip_digest ? Buffer.from(row.ip_digest.slice(2), 'hex') : null,
    record_version: Number(row.record_version),
  };
}

/**
 * Recomputes the tree from rows in the order of `seq`, without a database, and compares its root with a checkpoint. Returns the error, or undefined if
 * they are equal.
 */
export async function compareRowsWithCheckpoint(rows: AsyncIterable<CopiedEntry>, note: string): Promise<string | undefined> {
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) return 'the checkpoint cannot be read';
  let edge: Tiles = new Map();
  let size = 0;
  let waiting: Buffer[] = [];
  const append = (): void => {
    const grown = appendEntries(edge, size, waiting);
    edge = lastOfEachLevel(new Map([...edge, ...grown.map(({ id, hashes }) => [tileKey(id), hashes] as const)]));
    size += waiting.length;
    waiting = [];
  };
  for await (const row of rows) {
    if (Number(row.log_id) !== ownLog || row.seq === null || Number(row.seq) >= checkpoint.size) continue;
    const seq = size + waiting.length;
    if (Number(row.seq) !== seq) return `the entry with the index ${seq} is missing`;
    waiting.push(commitment(recordOf(leafOf(row), Number(row.number)).record));
    if (waiting.length === tileWidth) append();
  }
  append();
  if (size !== checkpoint.size) return `it has ${size} entries, and the checkpoint ${checkpoint.size}`;
  return rangeHasher(edge)([0, size]).equals(checkpoint.root) ? undefined : 'its root differs from the signed checkpoint';
}
