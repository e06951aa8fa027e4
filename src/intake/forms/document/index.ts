/** The PDF with the answers of a submission. The session that submitted them can download it for a day. */
export { documentsOfSubmissions } from './kind.ts';
export { documentRoutes } from './routes.ts';
export { type DocumentState, documentState } from './service.ts';
