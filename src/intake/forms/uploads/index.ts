/** Files that visitors and programs send before they submit: looked at, kept for a day, and for good once a submission refers to them. */
export type { Uploading } from './context.ts';
export { fileRoutes } from './file-routes.ts';
export { expireUploads } from './jobs.ts';
export { uploadFromPage, uploadRoutes } from './routes.ts';
export { roomOfAddresses } from './senders.ts';
export type { StoredUpload } from './service.ts';
