/** Records of a registry: made, found, changed, and what they were before. */
export { wordConditions } from './filters.ts';
export { isSortable, pageOf } from './lists.ts';
export { insertRecords } from './queries.ts';
export { recordRoutes } from './routes.ts';
export { hasRecords, takeValues } from './service.ts';
export { keepUnique, valueTaken } from './unique.ts';
export { type Data, requireData, withDefaults } from './values.ts';
