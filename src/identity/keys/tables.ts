import { ofTheService, type Tables } from '../../platform/tables.ts';

export const keyTables: Tables = { signing_key: ofTheService, seal_authority: ofTheService, seal_certificate: ofTheService };
