/**
 * The audit journal as teams read it: every security-relevant act and every change of a domain object, one entry each,
 * written by the platform in the transaction of the act.
 */
export { auditRoutes, readJournalPage } from './routes.ts';
export { journal, journalQuery } from './schemas.ts';
