import { ofTheTeam, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. Addresses exist for a minute, and name no person. */
export const downloadTables: Tables = { download_address: ofTheTeam };
