import { ofTheTeam, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. Whom a document is about, the thing says that it is made of. */
export const issuedDocumentTables: Tables = {
  rendition: { ...ofTheTeam, legalHold: true },
  rendition_file: { ...ofTheTeam, legalHold: true, file: { key: 'storage_key', of: ['id'] } },
};
