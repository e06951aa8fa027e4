import type { Logger } from 'pino';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { SealedColumn } from '../../../platform/database/reencrypt.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { SignEvidence } from './evidence.ts';
import type { Sealing } from '../sealing/index.ts';

/** Dependencies of the use cases of requests, besides the scope. */
export type Requests = {
  baseUrl: string;
  /** Encrypts the tokens of links, which reminders send again. */
  links: Box;
  /** The key for hashes of codes. */
  codeKey: Buffer;
  evidence: SignEvidence;
  storage: Storage;
};

/** Dependencies of the jobs of requests. `sealing` prepares and seals the files. */
export type Working = {
  database: Database;
  context: Requests;
  sealing: Sealing;
  log: Pick<Logger, 'error'>;
  clock: () => Date;
  /** Returns a scope of the system actor in a transaction of a team. */
  scopeOf: (db: Transaction, team: string, requestId: string) => Scope;
};

export const linkPurpose = 'signature-links';
/** Returns the context that binds an encrypted token to its signer. */
export const linkPlace = (signer: string): string => `signature_signer ${signer}`;

/** The column with the encrypted tokens of links. */
export const sealedLinks: SealedColumn = {
  table: 'signature_signer',
  column: 'sealed',
  key: { team_id: 'uuid', id: 'uuid' },
  purpose: linkPurpose,
  boundTo: ({ id = '' }) => linkPlace(id),
};
