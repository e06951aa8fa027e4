/** Downloads of several documents as one archive. */
export { sendArchive } from './download.ts';
export { downloadManyBody } from './schemas.ts';
export { type ArchivedFile, archiveOf } from './archive.ts';
export { fileNameOf, uniqueNames } from './names.ts';
