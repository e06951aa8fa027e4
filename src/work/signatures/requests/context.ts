import type { Logger } from 'pino';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { SealedColumn } from '../../../platform/database/reencrypt.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { SignEvidence } from './evidence.ts';
import type { Sealing } from '../sealing/index.ts';

/** What the use cases of requests work with besides the scope. */
export type Requests = {
  baseUrl: string;
  /** Seals the tokens of links, which reminders show again to whoever they were sent to. */
  links: Box;
  /** Hashes codes. */
  codeKey: Buffer;
  evidence: SignEvidence;
  storage: Storage;
};

/** What the jobs of requests work with. `sealing` makes and seals the files. */
export type Working = {
  database: Database;
  context: Requests;
  sealing: Sealing;
  log: Pick<Logger, 'error'>;
  clock: () => Date;
  /** The service itself, acting in a transaction of a team. */
  scopeOf: (db: Transaction, team: string, requestId: string) => Scope;
};

export const linkPurpose = 'signature-links';
/** What a sealed token is bound to. */
export const linkPlace = (signer: string): string => `signature_signer ${signer}`;

/** Where the tokens of links stand, sealed. */
export const sealedLinks: SealedColumn = {
  table: 'signature_signer',
  column: 'sealed',
  key: { team_id: 'uuid', id: 'uuid' },
  purpose: linkPurpose,
  boundTo: ({ id = '' }) => linkPlace(id),
};
