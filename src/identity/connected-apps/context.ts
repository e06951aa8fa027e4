import type { OpenAccounts } from '#accounts';
import type { Database } from '../../platform/database/database.ts';

/** A connected app by its own description, which is not verified. */
export type ConnectedApp = {
  /** The `client_id` of the app: the identifier of its registration, or the address of its metadata document. */
  id: string;
  name: string;
  redirectUris: readonly string[];
};

/** Dependencies of the use cases of connected apps. */
export type ConnectedApps = {
  accounts: OpenAccounts;
  issuer: string;
  database: Database;
  /** The key that signs authorization requests while the user decides. */
  requestKey: Buffer;
  /** Reads the metadata document at an address. Returns undefined if it does not describe an app. */
  document: (url: string, mayFetch: () => Promise<void>) => Promise<ConnectedApp | undefined>;
};
