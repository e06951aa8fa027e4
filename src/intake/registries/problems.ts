import { defineProblems } from '../../platform/problems.ts';

export const registryProblems = defineProblems({
  registry_fields_invalid: {
    status: 422,
    title: 'The fields are not what a registry can have',
    help: '`errors` names each fault with where it is. A registry has up to 100 fields, each with an `id` of its own, a `label` and a type; see docs/guides/use-registries.md for the types and their rules.',
  },
  registry_field_type_immutable: {
    status: 409,
    title: 'A field keeps its type',
    help: 'Records hold, or held, values of this field’s type, also in their history. Add a field under another `id`, and remove the old one when nobody needs it any more.',
  },
  registry_field_in_use: {
    status: 409,
    title: 'A form uses this field',
    help: 'A published form writes into the field or shows it. Publish the form without it first, or close the form; then change the registry again.',
  },
  registry_in_use: {
    status: 409,
    title: 'A form uses this registry',
    help: 'A published form writes into the registry or looks records up in it. Close the form, or publish it without the registry, and delete then.',
  },
  registry_record_invalid: {
    status: 422,
    title: 'The values are not what the fields take',
    help: '`errors` names each value with a JSON pointer, what is wrong with it and the rule that it breaks. `GET /api/v1/registries/{id}` shows the fields.',
  },
  registry_value_taken: {
    status: 409,
    title: 'Another record has this value',
    help: 'The field is unique: no two records of the registry have the same value in it; upper and lower case count as the same. Search for the value, and change that record or choose another value.',
  },
  registry_values_repeated: {
    status: 409,
    title: 'Values of the field are there more than once',
    help: 'A field becomes unique once each of its values stands in one record alone. Sort the records by it, change or delete the others, and try again.',
  },
  registry_record_not_pending: {
    status: 409,
    title: 'The record does not wait for approval',
    help: 'Records that came by a form are approved or declined once. Read the record to see what became of it.',
  },
  registry_not_found: {
    status: 422,
    title: 'There is no such registry',
    help: 'The body names a registry that is not there, is in the bin, or that you may not read. List the registries and check the identifier.',
  },
  registry_binding_ended: {
    status: 409,
    title: 'The form is bound to the registry no more',
    help: 'The registry is in the bin or gone, or whoever bound the form to it left the team, lost the registry or is no administrator any more. Have its owner or an administrator publish the form again.',
  },
  registry_csv_invalid: {
    status: 422,
    title: 'The file cannot be imported',
    help: 'It is not CSV in a known encoding, or it has more than 50 000 rows or 1 000 cells in a row. Or its first row does not name fields of the registry; `errors` names the columns. Nothing was imported. The report of an import has the errors of single rows.',
  },
  import_queue_full: {
    status: 429,
    title: 'Other files wait to be imported',
    help: 'So many files of a team wait at a time. Wait until some of them are imported, as the list of imports says, and send this one again.',
  },
  exports_in_progress: {
    status: 429,
    title: 'Other exports are under way',
    help: 'A team has two exports at a time. Wait until one has ended, and ask again.',
  },
});
