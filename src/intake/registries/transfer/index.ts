/** Records as files: CSV that comes in, CSV and JSON that go out. */
export { type CsvWriter, csvWriter, exportType } from './csv-writer.ts';
export { importJob } from './jobs.ts';
export { transferRoutes } from './routes.ts';
export { dropOldImports } from './jobs.ts';
