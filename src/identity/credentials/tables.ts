import { ofTheService, type Tables } from '../../platform/tables.ts';

/** What this domain keeps; a counter is found by a hash under a key, which tells nobody whose it is. */
export const credentialTables: Tables = { throttle: ofTheService };
