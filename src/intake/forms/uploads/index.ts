/**
 * Uploads of visitors and programs before a submission. They are scanned, kept for a day, and kept permanently once a submission
 * refers to them.
 */
export type { Uploading } from './context.ts';
export { fileRoutes } from './file-routes.ts';
export { expireUploads } from './jobs.ts';
export { uploadFromPage, uploadRoutes } from './routes.ts';
export { roomOfAddresses } from './senders.ts';
export type { StoredUpload } from './service.ts';
