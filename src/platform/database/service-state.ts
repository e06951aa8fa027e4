import type { LastingPurpose, MasterKey } from '../crypto/master-key.ts';
import type { Database, Transaction } from './database.ts';
import type { SealedColumn } from './encrypted-column.ts';
import type { StartCheck } from './start-checks.ts';
import { type Statement, sqlStatement } from './statement.ts';
import { pipelined } from './pipelined.ts';

/** The fingerprint of the master key from which the hash keys are derived. Except during a replacement, it also encrypts all data. */
export const masterKeyState = 'master key fingerprint';
/** The fingerprint of the new master key, from the first start with it until the replacement ends. */
export const nextMasterKeyState = 'master key next';

const insertState = sqlStatement<{ name: string; value: string }, never>(
  'INSERT INTO service_state (name, value) VALUES ($name, $value) ON CONFLICT DO NOTHING',
);
const saveState = sqlStatement<{ name: string; value: string }, never>(
  'INSERT INTO service_state (name, value) VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
);
const readState = sqlStatement<{ name: string }, { value: string }>('SELECT value FROM service_state WHERE name = $name');
const readStates = sqlStatement<{ names: readonly string[] }, { value: string }>(
  'SELECT value FROM service_state WHERE name = ANY ($names) ORDER BY name',
);
const deleteState = sqlStatement<{ name: string }, never>('DELETE FROM service_state WHERE name = $name');
const readKept = sqlStatement<object, { purpose: string; sealed: Buffer }>('SELECT purpose, sealed FROM kept_key');
const keepKey = sqlStatement<{ purpose: string; sealed: Buffer }, never>(
  'INSERT INTO kept_key (purpose, sealed) VALUES ($purpose, $sealed) ON CONFLICT (purpose) DO NOTHING',
);

const keptPurpose = 'kept-keys';
const keptPlace = (purpose: string) => `kept_key ${purpose}`;

/** The table with the stored hash keys, which are encrypted. */
export const keptKeys: SealedColumn = {
  table: 'kept_key',
  column: 'sealed',
  key: { purpose: 'text' },
  purpose: keptPurpose,
  boundTo: ({ purpose = '' }) => keptPlace(purpose),
};

/** Stores a hash key of the master key, unless one is stored. */
export async function storeLastingKey(tx: Transaction, masterKey: MasterKey, purpose: LastingPurpose): Promise<void> {
  const sealed = masterKey.box(keptPurpose).seal(masterKey.lasting(purpose), keptPlace(purpose));
  await tx.all(keepKey, { purpose, sealed });
}

const otherKey =
  'The master key does not match this database. Set MASTER_KEY to the key that the database was created with, or restore the file master.key of its data directory.';
const bothNeeded =
  'The master key of this database is being replaced. Set MASTER_KEY to the new key and MASTER_KEYS_ACCEPTED to the old one, and run `keys rotate-master`. Both keys are needed until it succeeds.';

/** Returns an error message if a key is missing. `current` and `next` are the fingerprints of the key of the database and its replacement. */
function missingMasterKey({ fingerprint, fingerprints }: MasterKey, current: string, next: string | undefined): string | undefined {
  if (!fingerprints.includes(current)) return next === fingerprint ? bothNeeded : otherKey;
  return next !== undefined && !fingerprints.includes(next) ? bothNeeded : undefined;
}

/** Checks the master key before anything changes. `load` loads the key and may throw. An empty database accepts any key. */
export const masterKeyCheck = (load: () => Promise<MasterKey>): StartCheck => ({
  name: 'the master key matches this database',
  async findError(client) {
    const there = await client.query<{ there: boolean }>("SELECT to_regclass('service_state') IS NOT NULL AS there");
    if (!there.rows[0]?.there) return undefined;
    const { rows } = await client.query<{ name: string; value: string }>('SELECT name, value FROM service_state WHERE name = ANY($1)', [
      [masterKeyState, nextMasterKeyState],
    ]);
    const states = new Map(rows.map(({ name, value }) => [name, value]));
    const current = states.get(masterKeyState);
    return current === undefined ? undefined : missingMasterKey(await load(), current, states.get(nextMasterKeyState));
  },
});

/**
 * Compares the master key with the key of the database, and adds the stored hash keys of the database to it. The first start with a new key
 * and the old key as accepted key begins a replacement. Throws if a key is missing.
 */
export async function resolveMasterKey(database: Database, masterKey: MasterKey): Promise<MasterKey> {
  const { fingerprint } = masterKey;
  return database.asSystem('compare the master key', async (tx) => {
    await tx.all(insertState, { name: masterKeyState, value: fingerprint });
    const { current, next, kept } = await pipelined({
      current: () => tx.first(readState, { name: masterKeyState }),
      next: () => tx.first(readState, { name: nextMasterKeyState }),
      kept: () => tx.all(readKept, {}),
    });
    if (current === undefined) throw new Error(otherKey);
    const missing = missingMasterKey(masterKey, current.value, next?.value);
    if (missing !== undefined) throw new Error(missing);
    if (current.value !== fingerprint && next?.value !== fingerprint)
      await tx.all(saveState, { name: nextMasterKeyState, value: fingerprint });
    const box = masterKey.box(keptPurpose);
    const lasting = kept.map(({ purpose, sealed }) => [purpose, box.open(sealed, keptPlace(purpose))] as const);
    return masterKey.withLasting(current.value, new Map(lasting));
  });
}

/** Returns whether the current master key is going to replace the key of the database. */
export async function replacesMasterKey(database: Database, masterKey: MasterKey): Promise<boolean> {
  const current = await database.asSystem('compare the master key', (tx) => tx.first(readState, { name: masterKeyState }));
  return current !== undefined && current.value !== masterKey.fingerprint;
}

/** Runs one statement at a time outside the service, in a backup or a restore. */
type PlainReader = { all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> };

/** Returns the fingerprints of the master keys that the database needs. */
export async function masterKeysOfDatabase(reader: PlainReader): Promise<string[]> {
  return (await reader.all(readStates, { names: [masterKeyState, nextMasterKeyState] })).map(({ value }) => value);
}

/** Whether a service has used the database. Each start saves the fingerprint of its master key. */
export const hasState = async (reader: PlainReader): Promise<boolean> =>
  (await reader.all(readStates, { names: [masterKeyState] })).length > 0;

/** The time at which the database was restored, until an operator releases its background work. */
const restoredState = 'restored';

export async function markRestored(writer: PlainReader, at: Date): Promise<void> {
  await writer.all(saveState, { name: restoredState, value: at.toISOString() });
}

/** Holds back background work, for a database that another program restored. */
export async function holdRestored(database: Database): Promise<void> {
  const value = new Date(database.clock.now()).toISOString();
  await database.asSystem('hold back background work after a restore', (tx) => tx.all(saveState, { name: restoredState, value }));
}

/** Returns the time of the restore, if background work still waits for its release. */
export async function restoredAt(database: Database): Promise<string | undefined> {
  return (await database.asSystem('look for a restore', (tx) => tx.first(readState, { name: restoredState })))?.value;
}

/** Lets nodes start background work after a restore. Returns whether it waited. */
export async function releaseRestored(database: Database): Promise<boolean> {
  return database.asSystem('release background work after a restore', async (tx) => {
    const waiting = await tx.first(readState, { name: restoredState });
    await tx.all(deleteState, { name: restoredState });
    return waiting !== undefined;
  });
}
