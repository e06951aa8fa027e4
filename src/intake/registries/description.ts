import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const fields = [
  { id: 'name', type: 'text', label: 'Name', required: true, public: true },
  { id: 'vat', type: 'text', label: 'VAT number', unique: true },
  { id: 'country', type: 'country', label: 'Country', public: true },
  { id: 'since', type: 'date', label: 'Customer since' },
];

const registry = {
  id: desk.registry,
  name: 'Contract parties',
  description: 'Our contract parties',
  fields,
  userId: desk.priya.id,
  access: 'manage',
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};

const grant = { id: desk.share, userId: desk.olivia.id, access: 'write', reason: 'share', grantedBy: desk.priya.id, since: desk.tuesday };

const record = {
  id: desk.record,
  data: { name: 'Acme Robotics GmbH', vat: 'DE123456789', country: 'DE', since: '2026-03-10' },
  status: 'active',
  version: 1,
  createdBy: desk.priya.id,
  createdByType: 'user',
  updatedBy: desk.priya.id,
  updatedByType: 'user',
  createdAt: desk.tuesday,
  updatedAt: desk.tuesday,
};

const changed = {
  ...record,
  data: { ...record.data, since: '2026-03-09' },
  version: 2,
  updatedBy: desk.olivia.id,
  updatedAt: desk.wednesday,
};

const imported = {
  id: desk.entry,
  registryId: desk.registry,
  status: 'done',
  mode: 'good',
  rows: 240,
  imported: 239,
  errorCount: 1,
  errors: [{ row: 17, field: 'country', reason: 'Please choose a country.', rule: 'country' }],
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.tuesday,
  endedAt: desk.tuesday,
};

const values = ['registry_value_taken', 'registry_record_invalid'];

export const description: DomainText = {
  operations: {
    listRegistries: {
      text: 'Lists the registries that the caller can read: their own and those shared with them or the whole team. The owner, administrators and API clients see all registries of the team. Each has its fields and the access of the caller.',
      answer: [registry],
    },
    createRegistry: {
      text: 'Creates a registry with up to 100 fields. A registry of a person is private until they share it. A registry of an API client belongs to the owner of the team. A field of type `registry` refers to records of another registry. The caller must be able to read that registry. Repeating the request without an `Idempotency-Key` creates a second registry.',
      records: ['registry.created'],
      problems: ['matter_not_found', 'matter_closed', 'quota_exceeded', 'registry_fields_invalid'],
      body: { name: registry.name, description: registry.description, fields },
      answer: registry,
    },
    listRegistryBin: {
      text: 'Lists the deleted registries that the caller can restore: their own, and for the owner, administrators and API clients all of the team. After 30 days Chancery deletes a registry permanently, with its records.',
      answer: [{ ...registry, deletedAt: desk.wednesday, updatedAt: desk.wednesday }],
    },
    getRegistry: {
      text: 'Returns a registry with its fields. Responds 404 if the caller cannot see it, as if it did not exist.',
      answer: registry,
    },
    updateRegistry: {
      text: 'Changes the name, the description or the fields. Send the fields as a complete list. Once there are records, the type of a field cannot change, and removing a field is permanent: no response or search has its values. The history keeps them, and no other field can use its `id`. Changed rules do not apply to existing values, only to later writes. A field can become unique only if no two records have the same value. For the owner, administrators and API clients.',
      records: ['registry.updated'],
      problems: [
        'matter_closed',
        'registry_fields_invalid',
        'registry_field_type_immutable',
        'registry_field_in_use',
        'registry_values_repeated',
      ],
      body: { fields: [...fields, { id: 'contact', type: 'email', label: 'Contact' }] },
      answer: { ...registry, fields: [...fields, { id: 'contact', type: 'email', label: 'Contact' }], updatedAt: desk.tuesday },
    },
    deleteRegistry: {
      text: 'Moves a registry to the bin with all its records. `restoreRegistry` can restore it for 30 days. Responds 409 if a published form uses the registry. A repetition responds 404.',
      records: ['registry.deleted'],
      problems: ['matter_closed', 'registry_in_use'],
    },
    restoreRegistry: {
      text: 'Restores a registry from the bin, with its records, history and shares. Requires the right to manage it; other callers get 404.',
      records: ['registry.restored'],
      problems: ['matter_closed'],
      answer: registry,
    },
    listRegistryAccess: {
      text: 'Lists the principals with access to the registry, with the reason and the start of each grant. For the owner of the registry, and the owner and administrators of the team. `privilegedAccess` lists what administrators read or changed in the registry only because of their role.',
      problems: ['forbidden'],
      answer: {
        grants: [{ userId: desk.priya.id, access: 'write', reason: 'owner', since: desk.monday }, grant],
        privilegedAccess: [{ id: desk.entry, type: 'registry.records_read', userId: desk.marcus.id, at: desk.tuesday }],
      },
    },
    shareRegistry: {
      text: 'Shares a registry with a member, a group or the whole team, to read or to change its records. Only its owner and administrators can change the fields and the shares. Viewers can only read. A second share with the same principal replaces the first. A share with an API client (`access: bind`) lets it bind its forms to the registry, if it also has `registries:write`. Everyone with the link of such a form can read the public values or create records.',
      records: ['registry.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found', 'client_not_found'],
      body: { userId: desk.olivia.id, access: 'write' },
      answer: grant,
    },
    revokeRegistryGrant: {
      text: 'Revokes a share that `listRegistryAccess` lists with an identifier. It takes effect with the next request. A repetition responds 404.',
      records: ['registry.unshared'],
    },
    listRegistryRecords: {
      text: 'Lists the records of a registry, 100 without `limit`. Send up to ten `filter` parameters; a record must match all of them and `q`. The words of `q` match beginnings of words in texts and numbers. A part of a date or time, such as a month, matches all values that begin with it. Amounts match only amounts of the same currency (`volume:gte:100 EUR`). When sorted by a field, records without a value come last. Records that wait for approval (`status=pending`) and records in the bin require the right to change records. If a caller has access only through their role, the journal gets one `registry.records_read` entry an hour.',
      problems: ['forbidden'],
      answer: [record],
    },
    createRegistryRecord: {
      text: 'Creates a record from values for the fields. A field without a value gets its `default`. Texts are stored in NFC without spaces around them. Requires the right to change records. Repeating the request without an `Idempotency-Key` creates a second record, unless the value of a unique field is in use.',
      records: ['registry.record.created'],
      problems: ['matter_closed', 'quota_exceeded', ...values],
      body: { data: record.data },
      answer: record,
    },
    getRegistryRecord: {
      text: 'Returns a record. A caller with read access only gets 404 for records that wait for approval or are in the bin.',
      answer: record,
    },
    replaceRegistryRecord: {
      text: 'Replaces all values of a record: a value that you do not send is removed. The current rules of the fields apply to all values. A request without a change creates no version. Of several changes with the same `If-Match`, exactly one succeeds.',
      records: ['registry.record.updated'],
      problems: ['matter_closed', 'quota_exceeded', ...values],
      body: { data: changed.data },
      answer: changed,
    },
    updateRegistryRecord: {
      text: 'Changes the values that you send; `null` removes a value. The current rules apply only to these values: older values stay valid when the rules change. The history keeps the previous version.',
      records: ['registry.record.updated'],
      problems: ['matter_closed', 'quota_exceeded', ...values],
      body: { data: { since: '2026-03-09' } },
      answer: changed,
    },
    deleteRegistryRecord: {
      text: 'Moves a record to the bin. `restoreRegistryRecord` can restore it for 30 days. This declines a record that waits for approval. References from other records and submissions stay. Other records can use its values of unique fields. A repetition responds 404.',
      records: ['registry.record.deleted'],
      problems: ['matter_closed', 'quota_exceeded'],
    },
    importRegistryRecords: {
      text: 'Creates records from a CSV file of up to 10 MiB, 50 000 rows and 1 000 cells in a row. The first row names the fields, by their ids or labels. The import skips empty columns and rows, and columns with a name that begins with `_`, as in an export. The options describe the format of the file; `previewRegistryImport` shows the result before the import. If a row has an error, `mode` decides whether the import skips that row or imports no row. The report lists the first 1 000 errors with their rows. Chancery imports a short file during the request. A longer file is `waiting` in the response, and `Location` is the address of the report. Chancery then imports it in the background with the rights of the caller at that time. At most 20 files of a team can wait. One event announces all records of the file. A repetition without an `Idempotency-Key` imports the records again, unless values of unique fields are in use.',
      records: ['registry.imported', 'registry.import_queued'],
      problems: ['file_required', 'import_queue_full', 'quota_exceeded', 'registry_csv_invalid'],
      answer: imported,
    },
    previewRegistryImport: {
      text: 'Reads a CSV file as `importRegistryRecords` does with the same options, and stores nothing. Returns its encoding and separator, the field of each column, the first 20 rows with their values, and the errors. It does not compare unique values with other records, and it does not look up the records of reference fields.',
      problems: ['file_required', 'registry_csv_invalid'],
      answer: {
        readAs: { encoding: 'windows-1252', delimiter: 'semicolon' },
        columns: [
          { name: 'Name', fieldId: 'name' },
          { name: 'Customer since', fieldId: 'since' },
        ],
        rows: 240,
        errorCount: 0,
        first: [{ row: 2, data: { name: 'Müller GmbH', since: '2026-03-10' }, errors: [] }],
        errors: [],
      },
    },
    listRegistryImports: {
      text: 'Lists the imports into a registry, newest first, at most 20 a page. Requires the right to change its records. Chancery keeps a report for 30 days.',
      answer: [imported],
    },
    getRegistryImport: {
      text: 'Returns the report of an import: the number of imported rows, and the errors of the other rows. Row numbers are those of a spreadsheet. The report has no values.',
      answer: imported,
    },
    exportRegistryRecords: {
      text: 'Returns all records of a registry as a file, or those that `filter`, `q`, `status` and `updatedSince` select. The file is CSV or a JSON array of records. The columns of CSV are the ids of the fields, with `_id`, `_status`, `_createdAt` and `_updatedAt` around them. The options set the format of CSV; an import with the same options restores it. An apostrophe goes before texts that a spreadsheet could read as formulas, and an import removes it. Chancery reads the records page by page, so changes during the export may be in the file or not. A team can run two exports at a time.',
      records: ['registry.exported'],
      problems: ['forbidden', 'exports_in_progress'],
      answer: [record],
    },
    restoreRegistryRecord: {
      text: 'Restores a record from the bin. A declined record waits for approval again. Responds 409 if another record now has the value of a unique field; the record then stays in the bin.',
      records: ['registry.record.restored'],
      problems: ['matter_closed', 'quota_exceeded', 'registry_value_taken'],
      answer: { ...record, version: 3, updatedAt: desk.wednesday },
    },
    approveRegistryRecord: {
      text: 'Approves a record that a form created. From then on lists, counts, searches and references include it. Correct the record before you approve it. A repetition responds 409 `registry_record_not_pending`.',
      records: ['registry.record.approved'],
      problems: ['matter_closed', 'quota_exceeded', 'registry_record_not_pending', 'registry_value_taken'],
      answer: { ...record, version: 2, updatedAt: desk.wednesday },
    },
    declineRegistryRecord: {
      text: 'Declines a pending record of a form and moves it to the bin. The submission of the record does not change.',
      records: ['registry.record.declined'],
      problems: ['matter_closed', 'quota_exceeded', 'registry_record_not_pending'],
      answer: { ...record, status: 'deleted', version: 2, updatedAt: desk.wednesday, deletedAt: desk.wednesday },
    },
    listRegistryRecordHistory: {
      text: 'Lists the versions of a record, newest first, at most 50 a page. Each has its action, actor, time, changed values and all values of that version. Values of removed fields are left out.',
      answer: [
        {
          version: 2,
          act: 'updated',
          changedBy: desk.olivia.id,
          changedByType: 'user',
          changedAt: desk.wednesday,
          changes: { since: { from: '2026-03-10', to: '2026-03-09' } },
          data: changed.data,
        },
      ],
    },
    revertRegistryRecord: {
      text: 'Restores the values of an earlier version in the fields that still exist. The current rules of the fields apply. Creates a new version, and the history stays complete. If the values are the same as now, nothing changes.',
      records: ['registry.record.updated'],
      problems: ['matter_closed', 'quota_exceeded', ...values],
      body: { version: 1 },
      answer: { ...record, version: 3, updatedAt: desk.wednesday },
    },
  },
  members: {
    'RegistryRecord.createdByType': '`user`, `client`, `agent`, or `visitor` for a submission by a person without an account',
    'RegistryRecord.updatedBy': 'The identifier of the actor that created this version',
    'RegistryRecord.updatedByType': 'The type of the actor that created this version',
    'RegistryRecord.status': '`active`; `pending` until approval; `deleted` in the bin',
    'RegistryRecordVersion.changedBy': 'The actor that created this version; absent for a person without an account',
    'RegistryRecordVersion.changedAt': 'The time of creation',
    'RegistryRecordVersion.version': 'The version number, starting at 1',
    'Registry.fields': 'The fields of each record, in display order',
    'RegistryField.type': 'The type of its values; docs/guides/use-registries.md describes each type',
    'RegistryField.required': 'Whether each record needs a value',
    'RevertRegistryRecordRequest.version': 'The version to restore the values of',
    'UpdateRegistryRecordRequest.data': 'The values to change; `null` removes a value',
  },
};
