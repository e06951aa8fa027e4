import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

export const documentTemplateTables: Tables = {
  document_template: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['user_id', 'created_by'], leaving: { stays: 'handed to the successor' }, exported: true, erasure: namedById },
  },
  document_template_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['created_by'], leaving: { stays: 'says who changed it' }, exported: true, erasure: namedById },
  },
  document_template_file: { ...ofTheTeam, exportedBytes: ['content'] },
  document_from_template: { ...ofTheTeam, legalHold: true },
};
