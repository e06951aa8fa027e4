import { defineProblems } from '../../platform/problems.ts';

export const registryProblems = defineProblems({
  registry_fields_invalid: {
    status: 422,
    title: 'Invalid registry fields',
    help: '`errors` lists each error with its position. A registry has up to 100 fields, each with a unique `id`, a `label` and a type. See docs/guides/use-registries.md for the types and their rules.',
  },
  registry_field_type_immutable: {
    status: 409,
    title: 'Field type cannot change',
    help: 'Records or their history have values of the current type. Add a field with another `id`, and remove the old field when you no longer need it.',
  },
  registry_field_in_use: {
    status: 409,
    title: 'Field in use by a form',
    help: 'A published form writes to the field or shows it. Publish the form without the field, or close the form. Then change the registry again.',
  },
  registry_in_use: {
    status: 409,
    title: 'Registry in use by a form',
    help: 'A published form writes to the registry or looks up its records. Close the form, or publish it without the registry. Then delete the registry.',
  },
  registry_record_invalid: {
    status: 422,
    title: 'Invalid record values',
    help: '`errors` lists each invalid value with a JSON pointer, the error and the broken rule. `GET /api/v1/registries/{id}` returns the fields.',
  },
  registry_value_taken: {
    status: 409,
    title: 'Value in use by another record',
    help: 'The field is unique: no two records of the registry can have the same value. Upper and lower case count as the same. Search for the value, and change that record or choose another value.',
  },
  registry_values_repeated: {
    status: 409,
    title: 'Field has repeated values',
    help: 'A field can become unique only if no two records have the same value in it. Sort the records by the field, change or delete the repeated values, and try again.',
  },
  registry_record_not_pending: {
    status: 409,
    title: 'Record not pending',
    help: 'A record of a form can be approved or declined once. Read the record to see its status.',
  },
  registry_not_found: {
    status: 422,
    title: 'Registry not found',
    help: 'The registry in the body does not exist, is in the bin, or you cannot read it. List the registries and check the identifier.',
  },
  registry_binding_ended: {
    status: 409,
    title: 'Registry of the form not available',
    help: 'The registry was deleted, or the member who connected the form to it left the team or lost the right to do so. Ask the owner of the registry or an administrator to publish the form again.',
  },
  registry_csv_invalid: {
    status: 422,
    title: 'Invalid CSV file',
    help: 'The file is not CSV in a known encoding, or it has more than 50 000 rows or 1 000 cells in a row. Or its first row does not name fields of the registry, and `errors` lists the wrong columns. Nothing was imported. Errors in single rows are in the report of an import.',
  },
  import_queue_full: {
    status: 429,
    title: 'Import queue full',
    help: 'The team has the maximum number of waiting files. Wait until one of them is imported, and send this file again.',
  },
  exports_in_progress: {
    status: 429,
    title: 'Too many exports in progress',
    help: 'A team can run two exports at a time. Wait until one ends, and try again.',
  },
});
