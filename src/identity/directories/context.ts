import type { OpenAccounts } from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import type { EventListener } from '../../platform/journal/listeners.ts';

/** Dependencies of the use cases of directories. */
export type Directories = {
  accounts: OpenAccounts;
  database: Database;
  listeners: readonly EventListener[];
  clock: () => Date;
  /** The URL of the SCIM service. */
  baseUrl: string;
};

export const openDirectories = (parts: Omit<Directories, 'baseUrl'>): Directories => ({
  ...parts,
  baseUrl: `${parts.accounts.settings.baseUrl}/scim/v2`,
});
