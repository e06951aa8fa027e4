import { ofTheTeam, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. The source of a document has the references to people. */
export const issuedDocumentTables: Tables = {
  issued_document: { ...ofTheTeam, legalHold: true },
  issued_document_file: { ...ofTheTeam, legalHold: true, file: { key: 'storage_key', of: ['id'] } },
};
