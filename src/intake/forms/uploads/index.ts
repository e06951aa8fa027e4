/**
 * Uploads of visitors and programs before a submission. Chancery scans them and stores them for a day, or permanently if a submission refers to them.
 */
export type { Uploading } from './context.ts';
export { fileRoutes } from './file-routes.ts';
export { expireUploads } from './jobs.ts';
export { uploadFromPage, uploadRoutes } from './routes.ts';
export { roomOfAddresses } from './senders.ts';
export type { StoredUpload } from './service.ts';
