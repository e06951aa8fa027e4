/** Search of documents by words of their titles and of the text of their newest versions. */
export { textJob } from './jobs.ts';
export { keepTitle } from './queries.ts';
export { searchRoutes } from './routes.ts';
export { searchQuery } from './schemas.ts';
export { hitsByRole, recordFound, searchDocuments } from './service.ts';
export { maxCharacters, takeText } from './take-text.ts';
