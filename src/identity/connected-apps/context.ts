import type { OpenAccounts } from '#accounts';
import type { Database } from '../../platform/database/database.ts';

/** A program as it describes itself: nobody has looked whether that is true. */
export type ConnectedApp = {
  /** Its `client_id`: that of its registration, or the address of its document. */
  id: string;
  name: string;
  redirectUris: readonly string[];
};

/** What the use cases of connected programs work with. */
export type ConnectedApps = {
  accounts: OpenAccounts;
  issuer: string;
  database: Database;
  /** Under which requests are signed that a person is asked about. */
  requestKey: Buffer;
  /** Reads the document at an address; nothing where there is none that describes a program. */
  document: (url: string, mayFetch: () => Promise<void>) => Promise<ConnectedApp | undefined>;
};
