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
  description: 'Everybody we have an agreement with',
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
      text: 'Lists the registries that the caller reaches: their own, those shared with them or with the whole team, and for owner, administrators and API clients all of the team. Each comes with its fields and with what the caller may do with it.',
      answer: [registry],
    },
    createRegistry: {
      text: 'Makes a registry with up to 100 fields. What a person makes is theirs alone until they share it; what an API client makes belongs to the team’s owner. A field of type `registry` names records of another registry, which the caller must be able to read. A repetition without an `Idempotency-Key` makes a second registry.',
      records: ['registry.created'],
      problems: ['quota_exceeded', 'registry_fields_invalid'],
      body: { name: registry.name, description: registry.description, fields },
      answer: registry,
    },
    listRegistryBin: {
      text: 'Lists the registries in the bin that the caller may take out of it: their own, and for owner, administrators and API clients all of the team. They stay there for 30 days and are gone for good then, with their records.',
      answer: [{ ...registry, deletedAt: desk.wednesday, updatedAt: desk.wednesday }],
    },
    getRegistry: {
      text: 'Shows one registry with its fields. One that the caller may not see is 404, as if it did not exist.',
      answer: registry,
    },
    updateRegistry: {
      text: 'Changes the name, the description or the fields, which are sent as a whole. Once there are records, a field keeps its type, and one that is removed is gone for good: its values are no longer shown or found, they stay in the history, and its `id` is not taken by another. What records hold is not looked at again when rules change; it is when it is written. A field becomes unique only where no value stands in two records. It is for the owner, administrators and API clients.',
      records: ['registry.updated'],
      problems: ['registry_fields_invalid', 'registry_field_type_immutable', 'registry_field_in_use', 'registry_values_repeated'],
      body: { fields: [...fields, { id: 'contact', type: 'email', label: 'Contact' }] },
      answer: { ...registry, fields: [...fields, { id: 'contact', type: 'email', label: 'Contact' }], updatedAt: desk.tuesday },
    },
    deleteRegistry: {
      text: 'Moves a registry to the bin with all its records, from where `restoreRegistry` brings it back for 30 days. A registry that a published form uses stays: 409. A repetition is 404.',
      records: ['registry.deleted'],
      problems: ['registry_in_use'],
    },
    restoreRegistry: {
      text: 'Takes a registry out of the bin, with its records, its history and those it is shared with. It is for whoever may manage it; for all others it is 404.',
      records: ['registry.restored'],
      answer: registry,
    },
    listRegistryAccess: {
      text: 'Tells the owner of the registry, and owner and administrators of the team, who may see it, for which reason and since when. `privilegedAccess` names what administrators read and changed of the registry itself by their role alone.',
      problems: ['forbidden'],
      answer: {
        grants: [{ userId: desk.priya.id, access: 'write', reason: 'owner', since: desk.monday }, grant],
        privilegedAccess: [{ id: desk.entry, type: 'registry.records_read', userId: desk.marcus.id, at: desk.tuesday }],
      },
    },
    shareRegistry: {
      text: 'Shares a registry with a member, a group or the whole team: to read its records, or to change them too. The fields, and who else sees the registry, stay with its owner and administrators. Viewers only read. A second share with the same principal replaces the first.',
      records: ['registry.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.olivia.id, access: 'write' },
      answer: grant,
    },
    revokeRegistryGrant: {
      text: 'Ends what `listRegistryAccess` lists with an identifier. Whoever had it reaches nothing by it from the next request on. A repetition is 404.',
      records: ['registry.unshared'],
    },
    listRegistryRecords: {
      text: 'Lists the records of a registry, 100 without `limit`. `filter` may be given up to ten times and is met together with the others and with `q`, whose words are beginnings of words in texts and numbers. Of dates and times a part, such as a month, stands for all that begins with it; amounts are compared with those of their currency (`volume:gte:100 EUR`). By a field, records without a value come last. Records that wait for approval (`status=pending`) or are in the bin are for those who may change records. What only somebody’s role opens is in the journal once an hour, as `registry.records_read`.',
      problems: ['forbidden'],
      answer: [record],
    },
    createRegistryRecord: {
      text: 'Makes a record from values for the fields; where none is given, a field has its `default`. Texts are kept in NFC and without spaces around them. Whoever the registry is shared with to write may do it. A repetition without an `Idempotency-Key` makes a second record, unless a unique field refuses it.',
      records: ['registry.record.created'],
      problems: ['quota_exceeded', ...values],
      body: { data: record.data },
      answer: record,
    },
    getRegistryRecord: {
      text: 'Shows one record. What waits for approval or is in the bin is 404 for those who may only read.',
      answer: record,
    },
    replaceRegistryRecord: {
      text: 'Gives a record other values, all of them: what is not sent is gone, and the whole is judged by the fields as they are now. What changes nothing is no new version. Of several changes made on one reading, `If-Match` lets exactly one pass.',
      records: ['registry.record.updated'],
      problems: ['quota_exceeded', ...values],
      body: { data: changed.data },
      answer: changed,
    },
    updateRegistryRecord: {
      text: 'Changes the values that are sent; `null` takes one away. Only these are judged: what was right when it was written stays, also where the fields ask for something else by now. The version before is kept in the history.',
      records: ['registry.record.updated'],
      problems: ['quota_exceeded', ...values],
      body: { data: { since: '2026-03-09' } },
      answer: changed,
    },
    deleteRegistryRecord: {
      text: 'Moves a record to the bin, from where `restoreRegistryRecord` brings it back for 30 days; one that waits for approval is declined by that. What other records and submissions say of it stays. Its values of unique fields are free for others. A repetition is 404.',
      records: ['registry.record.deleted'],
      problems: ['quota_exceeded'],
    },
    importRegistryRecords: {
      text: 'Makes records of a CSV file of up to 10 MiB, 50 000 rows and 1 000 cells in a row. Its first row names the fields, by their ids or labels. The import skips empty columns and rows, and columns that begin with `_`, as an export has them. The options describe the format of the file; `previewRegistryImport` shows how it is read. If a row is bad, `mode` decides whether no row is imported or the others are. The report lists the first 1 000 errors with their rows. A short file is imported at once. A longer file is `waiting` in the response, and `Location` is the address of the report. Chancery imports it in the background with the rights of the caller at that time. Twenty files of a team wait at a time. All its records are announced by one event. A repetition without an `Idempotency-Key` imports them again, unless unique fields refuse it.',
      records: ['registry.imported', 'registry.import_queued'],
      problems: ['file_required', 'import_queue_full', 'quota_exceeded', 'registry_csv_invalid'],
      answer: imported,
    },
    previewRegistryImport: {
      text: 'Reads a CSV file as `importRegistryRecords` does with the same options, and stores nothing. Returns its encoding and separator, the field of each column, the first 20 rows with their values, and the errors. It does not compare unique values with other records, nor look up records that rows name.',
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
      text: 'Lists the imports into a registry, the newest first and 20 at most on a page, for those who may change its records. A report is kept for 30 days.',
      answer: [imported],
    },
    getRegistryImport: {
      text: 'Shows what came of an import: how many rows were imported, and what is wrong with the others, by the number that the row has in a spreadsheet. Values are not repeated.',
      answer: imported,
    },
    exportRegistryRecords: {
      text: 'Returns all records of a registry as a file, or those that `filter`, `q`, `status` and `updatedSince` select. The file is CSV or a JSON array of records. The columns of CSV are the ids of the fields, with `_id`, `_status`, `_createdAt` and `_updatedAt` around them. The options set the format of CSV; an import with the same options restores it. An apostrophe goes before texts that a spreadsheet could read as formulas, and an import removes it. Chancery reads the records page by page: the file may or may not have changes of that time. Two exports of a team are read at a time.',
      records: ['registry.exported'],
      problems: ['forbidden', 'exports_in_progress'],
      answer: [record],
    },
    restoreRegistryRecord: {
      text: 'Takes a record out of the bin; one that was declined waits for approval again. Where another record has a value of a unique field by now, it is 409 and stays in the bin.',
      records: ['registry.record.restored'],
      problems: ['quota_exceeded', 'registry_value_taken'],
      answer: { ...record, version: 3, updatedAt: desk.wednesday },
    },
    approveRegistryRecord: {
      text: 'Lets a record in that a form has made and that waits: it is found, counted and named like any other from then on. Change it before where something needs mending. A repetition is 409 `registry_record_not_pending`.',
      records: ['registry.record.approved'],
      problems: ['quota_exceeded', 'registry_record_not_pending', 'registry_value_taken'],
      answer: { ...record, version: 2, updatedAt: desk.wednesday },
    },
    declineRegistryRecord: {
      text: 'Moves a record that a form has made, and that waits, to the bin. The submission it came with stays as it is.',
      records: ['registry.record.declined'],
      problems: ['quota_exceeded', 'registry_record_not_pending'],
      answer: { ...record, status: 'deleted', version: 2, updatedAt: desk.wednesday, deletedAt: desk.wednesday },
    },
    listRegistryRecordHistory: {
      text: 'Lists the versions of a record, the newest first, 50 at most on a page: what made each, who, when, which values changed from what to what, and the values as they were then. Of fields that the registry has no more nothing is shown.',
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
      text: 'Gives a record the values again that it had in an earlier version, of the fields that there still are, judged by the fields as they are now. It is a new version: nothing of the history is lost. Where the values are the same as now, nothing changes.',
      records: ['registry.record.updated'],
      problems: ['quota_exceeded', ...values],
      body: { version: 1 },
      answer: { ...record, version: 3, updatedAt: desk.wednesday },
    },
  },
  members: {
    'RegistryRecord.createdByType': '`user`, `client`, `agent`, or `visitor`: somebody without an account, by a form',
    'RegistryRecord.updatedBy': 'Who made this version',
    'RegistryRecord.updatedByType': 'What made this version',
    'RegistryRecord.status': '`active`; `pending` while it waits for approval; `deleted` in the bin',
    'RegistryRecordVersion.changedBy': 'Who made it; absent where it was somebody without an account',
    'RegistryRecordVersion.changedAt': 'When it was made',
    'RegistryRecordVersion.version': 'Its number, from 1 on',
    'Registry.fields': 'What each record has, in the order in which it is shown',
    'RegistryField.type': 'What kind of values it has: docs/guides/use-registries.md tells of each',
    'RegistryField.required': 'Whether each record has a value',
    'RevertRegistryRecordRequest.version': 'The version whose values it is to have',
    'UpdateRegistryRecordRequest.data': 'The values that change; `null` takes one away',
  },
};
