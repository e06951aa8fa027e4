import { ofTheTeam, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. The source of a document has the references to people. */
export const issuedDocumentTables: Tables = {
  rendition: { ...ofTheTeam, legalHold: true },
  rendition_file: { ...ofTheTeam, legalHold: true, file: { key: 'storage_key', of: ['id'] } },
};
