import { ofTheService, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. The key of a counter is a keyed hash, which does not reveal its subject. */
export const credentialTables: Tables = { throttle: ofTheService };
