import { sqlStatement, type Statement } from '../../platform/database/statement.ts';

/** The columns that identify the rows of an owner, with the parameter for each. */
type Key<Who> = Readonly<Record<string, keyof Who & string>>;

/** The tables with the second factors of users or of staff. */
export type FactorTables<Who> = {
  key: Key<Who>;
  setup: string;
  codes: string;
  factor: { table: string; key: Key<Who>; secret: string; lastStep: string };
};

export type FactorStatements<Who extends object> = {
  putSetup: Statement<Who & { id: string; secret: Buffer; hashes: string[]; minutes: number }, never>;
  /** Counts one attempt at a valid set-up. Returns no row if all attempts are used. */
  trySetup: Statement<Who & { id: string; maxTries: number }, { secret: Buffer }>;
  /** Deletes and returns a set-up. Only one of two concurrent confirmations gets the row. */
  takeSetup: Statement<Who & { id: string }, { secret: Buffer; backup_hashes: string[] }>;
  dropBackupCodes: Statement<Who, never>;
  insertBackupCodes: Statement<Who & { hashes: string[] }, never>;
  factorOf: Statement<Who, { secret: Buffer; last_step: number }>;
  /** Marks a time step of the app as used, so that a code signs in only once, even with concurrent requests. */
  takeStep: Statement<Who & { step: number }, { taken: boolean }>;
  unusedBackupCode: Statement<Who & { slot: number }, { hash: string }>;
  /** Marks a backup code as used. Returns no row if it is already used or replaced. */
  takeBackupCode: Statement<Who & { slot: number; hash: string; at: Date }, { slot: number }>;
};

/** Builds the statements of a second factor, for the tables of users or of staff. */
export function factorStatements<Who extends object>({ key, setup, codes, factor }: FactorTables<Who>): FactorStatements<Who> {
  const found = (by: Key<Who>) =>
    Object.entries(by)
      .map(([column, member]) => `${column} = $${member}`)
      .join(' AND ');
  const columns = Object.keys(key).join(', ');
  const values = Object.values(key)
    .map((member) => `$${member}`)
    .join(', ');
  const [here, there] = [found(key), found(factor.key)];
  return {
    putSetup: sqlStatement(
      `INSERT INTO ${setup} (${columns}, id, secret, backup_hashes, expires_at)
       VALUES (${values}, $id, $secret, $hashes, now() + make_interval(mins => $minutes))
       ON CONFLICT (${columns}) DO UPDATE SET id = excluded.id, secret = excluded.secret, backup_hashes = excluded.backup_hashes,
         tries = 0, expires_at = excluded.expires_at`,
    ),
    trySetup: sqlStatement(
      `UPDATE ${setup} SET tries = tries + 1 WHERE ${here} AND id = $id AND tries < $maxTries AND expires_at > now() RETURNING secret`,
    ),
    takeSetup: sqlStatement(`DELETE FROM ${setup} WHERE ${here} AND id = $id RETURNING secret, backup_hashes`),
    dropBackupCodes: sqlStatement(`DELETE FROM ${codes} WHERE ${here}`),
    insertBackupCodes: sqlStatement(
      `INSERT INTO ${codes} (${columns}, slot, hash) SELECT ${values}, n - 1, hash FROM unnest($hashes::text[]) WITH ORDINALITY AS x(hash, n)`,
    ),
    factorOf: sqlStatement(
      `SELECT ${factor.secret} AS secret, ${factor.lastStep}::float8 AS last_step FROM ${factor.table} WHERE ${there} AND ${factor.secret} IS NOT NULL`,
    ),
    takeStep: sqlStatement(
      `UPDATE ${factor.table} SET ${factor.lastStep} = $step WHERE ${there} AND ${factor.lastStep} < $step RETURNING true AS taken`,
    ),
    unusedBackupCode: sqlStatement(`SELECT hash FROM ${codes} WHERE ${here} AND slot = $slot AND used_at IS NULL`),
    takeBackupCode: sqlStatement(
      `UPDATE ${codes} SET used_at = $at WHERE ${here} AND slot = $slot AND hash = $hash AND used_at IS NULL RETURNING slot`,
    ),
  };
}
