import { sqlStatement } from '../../platform/database/statement.ts';

type AddressKey = { team: string; hash: Buffer };

export const insertAddress = sqlStatement<
  AddressKey & { method: string; path: string; body: string | null; credential: Buffer; expires: Date },
  never
>(
  `INSERT INTO download_address (team_id, token_hash, method, path, body, credential, expires_at)
   VALUES ($team, $hash, $method, $path, $body, $credential, $expires)`,
);

type Stored = { method: 'GET' | 'POST'; path: string; body: string | null; credential: Buffer };
const valid = 'team_id = $team AND token_hash = $hash AND expires_at > now()';
export const findAddress = sqlStatement<AddressKey, Stored>(`SELECT method, path, body, credential FROM download_address WHERE ${valid}`);
/** Uses an address. Of two concurrent uses one finds no row. */
export const takeAddress = sqlStatement<AddressKey, Stored>(
  `DELETE FROM download_address WHERE ${valid} RETURNING method, path, body, credential`,
);

export const dropAddresses = sqlStatement<object, never>('DELETE FROM download_address WHERE expires_at <= now()');
