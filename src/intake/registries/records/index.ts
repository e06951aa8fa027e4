/** Records of a registry: creation, search, changes and history. */
export { wordConditions } from './filters.ts';
export { isSortable, type ListQuery, listRecords, pageOf, recordsToReview } from './lists.ts';
export { lockNamedRecords, insertRecords, recordWithValue } from './queries.ts';
export { recordRecordRead, readableRecord } from './reading.ts';
export { isReadable } from './references.ts';
export { recordRoutes } from './routes.ts';
export { createBody, listFilters } from './schemas.ts';
export { createRecord, findRecord, hasRecords, shown, reserveValuesOfRecord, writeRecordOfStep } from './service.ts';
export { keepUnique, taken, valueTaken } from './unique.ts';
export { type RecordData, type FieldsOfTeam, judgeData, prepare, requireData, type UniqueValue, withDefaults } from './values.ts';
