import { ofTheService, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const keyTables: Tables = { signing_key: ofTheService, seal_authority: ofTheService, seal_certificate: ofTheService };
