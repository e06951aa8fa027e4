/** The document of a submission: the PDF with the answers, which whoever sent them may have for a day, and what becomes of it. */
export { documentsOfSubmissions } from './kind.ts';
export { documentRoutes } from './routes.ts';
export { type DocumentState, documentState } from './service.ts';
