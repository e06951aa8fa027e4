import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Connection } from '../database/pool.ts';
import type { Statement } from '../database/statement.ts';
import { connectForCopy } from './connection.ts';
import { pauseRemovals } from './queries.ts';
import { HashingTransform } from './stored-files.ts';

/** A connection that reads one state of the database. The service continues to write. */
export class Snapshot {
  readonly client: pg.Client;

  constructor(client: pg.Client) {
    this.client = client;
  }

  /** Runs a statement. Timestamps have the format of PostgreSQL. */
  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return (await this.client.query({ text: statement.text, values: statement.values(params) })).rows as Row[];
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0];
  }

  begin(): Promise<unknown> {
    return this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  /** Ends the snapshot. Removals of stored files still wait. */
  commit(): Promise<unknown> {
    return this.client.query('COMMIT');
  }

  /** Writes the rows of a query in the text format of COPY. Returns their number. */
  async copy(query: string, ...to: [...NodeJS.ReadWriteStream[], NodeJS.WritableStream]): Promise<number> {
    return this.#copy(`COPY (${query}) TO STDOUT`, to);
  }

  /** Writes the only column of a query as it is, one row a line. Its text has no control characters, as JSON. */
  async copyPlain(query: string, ...to: [...NodeJS.ReadWriteStream[], NodeJS.WritableStream]): Promise<number> {
    return this.#copy(`COPY (${query}) TO STDOUT WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`, to);
  }

  async #copy(statement: string, to: [...NodeJS.ReadWriteStream[], NodeJS.WritableStream]): Promise<number> {
    const rows = this.client.query(copyTo(statement));
    await pipeline([rows, ...to]);
    return rows.rowCount;
  }

  /** Writes the rows of a query into a compressed file. Returns their number and the SHA-256 of the file. */
  async copyCompressed(query: string, file: string): Promise<{ rows: number; sha256: string }> {
    const hashing = new HashingTransform();
    const rows = await this.copy(query, createGzip({ level: 1 }), hashing, createWriteStream(file, { mode: 0o600, flush: true }));
    return { rows, sha256: hashing.digest() };
  }
}

/** Opens a connection for one snapshot, and pauses the removal of stored files until `work` ends. */
export async function withSnapshot<T>(connection: Connection, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = new Snapshot(await connectForCopy(connection));
  try {
    await snapshot.all(pauseRemovals, {});
    return await work(snapshot);
  } finally {
    await snapshot.client.end();
  }
}
