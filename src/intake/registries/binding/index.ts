/** What forms do with a registry: they are bound to it, look its public records up, name its records and make new ones. */
export { type BoundRegistry, boundRegistry, requireBindable } from './bound.ts';
export { type PublicRecord, publicRecords, recordsNamed, type Showing } from './lookup.ts';
export { createSubmittedRecord, eraseSubmittedRecords } from './submitted.ts';
