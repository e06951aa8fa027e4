/** Access of forms to registries: binding, public lookups, and records of submissions. */
export { bindableRegistry, type BoundRegistry, boundRegistry, requireBindable } from './bound.ts';
export { type PublicRecord, publicRecords, recordsNamed, type Showing } from './lookup.ts';
export { createSubmittedRecord, eraseSubmittedRecords, keepApprovedRecords, requireSubmittable } from './submitted.ts';
