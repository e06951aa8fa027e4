import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const registryTables: Tables = {
  registry: {
    purge: 'erased',
    legalHold: true,
    content: 'deleted_at IS NULL',
    people: { by: ['user_id', 'created_by'], leaving: { stays: 'handed to the successor' }, exported: true, erasure: namedById },
  },
  registry_record: {
    purge: 'erased',
    legalHold: true,
    content: "state <> 'deleted'",
    people: {
      by: ['created_by', 'changed_by'],
      leaving: { stays: 'names its creator and last editor' },
      exported: true,
      erasure: namedById,
    },
  },
  registry_record_version: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['changed_by'], leaving: { stays: 'names the actor of the change' }, exported: true, erasure: namedById },
  },
  registry_import: {
    exportedBytes: ['content'],
    purge: 'erased',
    legalHold: false,
    people: { by: ['created_by'], leaving: { stays: 'names the importer' }, exported: false, erasure: namedById },
  },
  registry_value: { ...ofTheTeam, legalHold: true },
  registry_unique_value: { ...ofTheTeam, legalHold: true },
};
