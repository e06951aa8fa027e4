/** Import of records from CSV, and export to CSV and JSON. */
export { type CsvWriter, csvWriter, exportType } from './csv-writer.ts';
export { importJob } from './jobs.ts';
export { transferRoutes } from './routes.ts';
export { dropOldImports } from './jobs.ts';
