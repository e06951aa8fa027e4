/** Several documents as one archive. */
export { sendArchive } from './download.ts';
export { downloadManyBody } from './schemas.ts';
