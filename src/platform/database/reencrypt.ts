import type { MasterKey } from '../crypto/master-key.ts';
import { lastingPurposes } from '../crypto/master-key.ts';
import { keyIdAt } from '../crypto/secretbox.ts';
import type { Database, Transaction } from './database.ts';
import { storeLastingKey, masterKeyState, nextMasterKeyState } from './service-state.ts';
import type { SealedColumn } from './encrypted-column.ts';
import { sqlStatement } from './statement.ts';

export type { SealedColumn };

/** Progress of one column: `of` is the number of values, `done` of processed ones, and `unreadable` of those that no key decrypts. */
export type Progress = { table: string; column: string; done: number; of: number; unreadable: number };

type EncryptedPage = { newest: Buffer; limit: number; after: string[] };
type EncryptedRow = { key: string[]; sealed: Buffer };

const smallest = { uuid: '00000000-0000-0000-0000-000000000000', text: '' };

/** Returns the statements that iterate over one column. */
export function sealingStatements({ table, column, key }: SealedColumn) {
  const names = Object.keys(key);
  const stale = `octet_length(${column}) > 0 AND substring(${column} FROM ${keyIdAt.start + 1} FOR ${keyIdAt.length}) <> $newest`;
  const place = Object.entries(key).map(([, type], index) => `($after::text[])[${index + 1}]::${type}`);
  return {
    count: sqlStatement<{ newest: Buffer }, { n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${stale}`),
    page: sqlStatement<EncryptedPage, EncryptedRow>(
      `SELECT ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS key, ${column} AS sealed FROM ${table}
       WHERE ${stale} AND (${names.join(', ')}) > (${place.join(', ')}) ORDER BY ${names.join(', ')} LIMIT $limit`,
    ),
    // If the row changed in the meantime, the change stays: it uses the newer key, or the next pass re-encrypts it.
    put: sqlStatement<{ after: string[]; was: Buffer; sealed: Buffer }, never>(
      `UPDATE ${table} SET ${column} = $sealed WHERE (${names.join(', ')}) = (${place.join(', ')}) AND ${column} = $was`,
    ),
  };
}

/**
 * Re-encrypts all data with the current master key, column by column, in transactions with a bounded number of rows. Then records that
 * the old keys are no longer needed. Safe to run again after an interruption, during requests, and twice at
 * the same time. Throws if a value cannot be decrypted with any key.
 *
 * @param onProgress called after each transaction
 */
export async function reencrypt(
  database: Database,
  masterKey: MasterKey,
  columns: readonly SealedColumn[],
  { onProgress = () => undefined, atOnce = 200 }: { onProgress?: (progress: Progress) => void; atOnce?: number } = {},
): Promise<void> {
  let unreadable = 0;
  // A second pass finds values that other nodes encrypted with an old key during the first pass.
  for (let pass = 0; pass < 3; pass += 1) {
    let found = 0;
    unreadable = 0;
    for (const column of columns) {
      const progress = await sealColumn(database, masterKey, column, onProgress, atOnce);
      found += progress.of;
      unreadable += progress.unreadable;
    }
    if (found === unreadable) break;
  }
  if (unreadable > 0)
    throw new Error(
      `${unreadable} encrypted values cannot be decrypted with any master key. Add the missing key to MASTER_KEYS_ACCEPTED, and keep the other keys until this command succeeds without them.`,
    );
  await database.asSystem('record the replaced master key', (tx) => settle(tx, masterKey, columns));
}

async function sealColumn(
  database: Database,
  masterKey: MasterKey,
  column: SealedColumn,
  onProgress: (progress: Progress) => void,
  atOnce: number,
): Promise<Progress> {
  const box = masterKey.box(column.purpose);
  const statements = sealingStatements(column);
  const names = Object.keys(column.key);
  const of = (await database.asSystem('count values to re-encrypt', (tx) => tx.first(statements.count, { newest: box.newest })))?.n ?? 0;
  const progress: Progress = { table: column.table, column: column.column, done: 0, of, unreadable: 0 };
  let after = Object.values(column.key).map((type) => smallest[type]);
  for (;;) {
    const from = after;
    const rows = await database.asSystem('re-encrypt', async (tx) => {
      const page = await tx.all(statements.page, { newest: box.newest, limit: atOnce, after: from });
      for (const { key, sealed } of page) {
        const boundTo = column.boundTo(Object.fromEntries(names.map((name, index) => [name, key[index] ?? ''])));
        const opened = opens(() => box.open(sealed, boundTo));
        if (opened) tx.send(statements.put, { after: key, was: sealed, sealed: box.seal(opened, boundTo) });
        else progress.unreadable += 1;
      }
      return page;
    });
    progress.done += rows.length;
    if (rows.length > 0) onProgress({ ...progress });
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return progress;
    after = last.key;
  }
}

function opens(open: () => Buffer): Buffer | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** Records that only the current key is needed, if no value uses another key. */
async function settle(tx: Transaction, masterKey: MasterKey, columns: readonly SealedColumn[]): Promise<void> {
  const left = await Promise.all(
    columns.map((column) => tx.first(sealingStatements(column).count, { newest: masterKey.box(column.purpose).newest })),
  );
  if (left.some((count) => (count?.n ?? 0) > 0))
    throw new Error(
      'A node still encrypts with another master key. Set MASTER_KEY to the new key on every node, restart the nodes, and repeat this command.',
    );
  for (const purpose of lastingPurposes) await storeLastingKey(tx, masterKey, purpose);
  await tx.all(saveState, { name: masterKeyState, value: masterKey.fingerprint });
  await tx.all(deleteState, { name: nextMasterKeyState });
}

const saveState = sqlStatement<{ name: string; value: string }, never>(
  'INSERT INTO service_state (name, value) VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
);
const deleteState = sqlStatement<{ name: string }, never>('DELETE FROM service_state WHERE name = $name');
